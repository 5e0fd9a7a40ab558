"""Everybody's agenda: what they were asked, where they could still vote, and what they asked for. Written in the commit
that changes it.

| question | kind | key | while |
| --- | --- | --- | --- |
| whose offers can they still give or correct? | ``open_offer`` | user / stream | no proposal is out, or a seat waits |
| where can they still vote? | ``open_vote`` | user / stream | a round is open and nobody has voted in person |
| what did they ask for? | ``demand`` | requester / stream | it goes on |
| what did they ask for before? | ``ended_demand`` | requester / when it ended / stream | always since |
| how often do they overrule their twin? | ``twin_vote`` | user / when / stream / round | always since |

Offers are those of linked people, for them and their delegates. It holds nobody's words: those can be erased, and this
stays. Whatever has ended is kept apart, in the order of time, so that only the latest of it has to be read; in an
older database, some of it is among the others. `engine/projections/inbox.py` reads them all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from engine.kernel import Handled, Message, Millis, Place, Record, encode
from engine.negotiation.events import FeedbackEvaluated
from engine.negotiation.state import TERMINAL, Negotiation, Status

OPEN_OFFER: Final = "open_offer"
OPEN_VOTE: Final = "open_vote"
DEMAND: Final = "demand"
ENDED_DEMAND: Final = "ended_demand"
TWIN_VOTE: Final = "twin_vote"


class OpenOffers(Message):
    """People were asked, and this person may still answer in place of their twins."""

    stream: str
    agent_ids: tuple[str, ...]


class OpenVotes(Message):
    """Seats whose votes this person may still give; what stands there may be a twin's."""

    stream: str
    round: int
    agent_ids: tuple[str, ...]


class OwnDemand(Message):
    """A demand of this person's."""

    stream: str
    status: Status
    since: Millis
    """When it came to this status."""
    place: Place


class TwinVote(Message):
    """What became of a vote of this person's twin, in a round that is over."""

    agent_id: str
    was_overruled: bool


def agenda(handled: Handled[Negotiation]) -> tuple[Record, ...]:
    """Return the records that have changed; most commands change none."""
    if not handled.events:
        return ()
    before, after = handled.before, handled.after
    records = [*_demand(handled)]
    # Most events, such as the twins' votes, change nothing here; that is cheap to see, and the records are not.
    if _asked(before) != _asked(after):
        records += _changed(OPEN_OFFER, open_offers(before), open_offers(after))
    if _have_voters_changed(before, after):
        records += _changed(OPEN_VOTE, open_votes(before), open_votes(after))
    records += _twin_votes(handled)
    return tuple(records)


def _asked(state: Negotiation) -> object:
    """Return all that `open_offers` depends on."""
    stepping_in = [each for each in state.asked_in_person if state.is_asked_to_step_in(each)]
    return (state.takes_offers or stepping_in) and (state.invited, state.delegates, stepping_in)


def _have_voters_changed(before: Negotiation, after: Negotiation) -> bool:
    """Whether anything has that `open_votes` depends on. No seat comes to a round or goes; most stay as they are."""
    was, now = before.current, after.current
    if was is None or now is None:
        return was is not now
    if was.number != now.number or before.delegates != after.delegates:
        return True
    seats = zip(was.seats.values(), now.seats.values(), strict=True)
    changed = ((each, other) for each, other in seats if each is not other)
    return any(
        (each.human is None, each.is_guarded) != (other.human is None, other.is_guarded) for each, other in changed
    )


def open_offers(state: Negotiation) -> dict[str, OpenOffers]:
    """Return the entries by the key of their record."""
    asked = (each for each, invited in state.invited.items() if invited.user_id and state.takes_offer_of(each))
    return {
        f"{actor}/{state.channel_id}": OpenOffers(stream=state.channel_id, agent_ids=tuple(agent_ids))
        for actor, agent_ids in _by_actor(asked, state.actors_for).items()
    }


def open_votes(state: Negotiation) -> dict[str, OpenVotes]:
    """Return the entries by the key of their record."""
    opened = state.current
    if opened is None:
        return {}
    undecided = [seat.agent_id for seat in opened.seats.values() if seat.human is None]
    return {
        f"{actor}/{state.channel_id}": OpenVotes(
            stream=state.channel_id, round=opened.number, agent_ids=tuple(agent_ids)
        )
        for actor, agent_ids in _by_actor(undecided, state.voters_for).items()
    }


def _by_actor(agent_ids: Iterable[str], actors: Callable[[str], tuple[str, ...]]) -> dict[str, list[str]]:
    """For whom each person may answer."""
    found: dict[str, list[str]] = {}
    for agent_id in agent_ids:
        for actor in actors(agent_id):
            found.setdefault(actor, []).append(agent_id)
    return found


def _changed(kind: str, before: Mapping[str, Message], after: Mapping[str, Message]) -> Iterator[Record]:
    for key in before.keys() - after.keys():
        yield Record(kind, key, None)
    for key, still in after.items():
        if before.get(key) != still:
            yield Record(kind, key, encode(still))


def _demand(handled: Handled[Negotiation]) -> Iterator[Record]:
    state = handled.after
    if state.parent is not None:
        return  # nobody asked for it themselves
    if handled.before.exists and handled.before.status is state.status:
        return
    at = handled.command.at
    asked = OwnDemand(stream=state.channel_id, status=state.status, since=at, place=state.place)
    key = f"{state.requester_id}/{state.channel_id}"
    if state.status not in TERMINAL:
        yield Record(DEMAND, key, encode(asked))
        if handled.before.exists and handled.before.status in TERMINAL:  # that it was stopped is taken back
            yield Record(ENDED_DEMAND, _ended_key(state, handled.before.reversals.stopped_at), None)
        return
    yield Record(DEMAND, key, None)
    yield Record(ENDED_DEMAND, _ended_key(state, at), encode(asked))


def _ended_key(state: Negotiation, at: Millis) -> str:
    return f"{state.requester_id}/{at:015}/{state.channel_id}"


def _twin_votes(handled: Handled[Negotiation]) -> Iterator[Record]:
    """Tell what became of twins' votes in the rounds that were evaluated. A vote of a delegate, or one that stands from
    a round before, says nothing of the twin.
    """
    for evaluated in handled.events:
        if not isinstance(evaluated, FeedbackEvaluated):
            continue
        for seat in handled.after.rounds[evaluated.round - 1].seats.values():
            own, twin = seat.human, seat.twin
            if not seat.user_id or twin is None or (own is not None and (own.carried or own.by != seat.user_id)):
                continue
            was_overruled = own is not None and own.feedback_type is not twin.feedback_type
            key = f"{seat.user_id}/{handled.command.at:015}/{handled.after.channel_id}/{evaluated.round}"
            yield Record(TWIN_VOTE, key, encode(TwinVote(agent_id=seat.agent_id, was_overruled=was_overruled)))
