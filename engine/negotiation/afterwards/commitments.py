"""What people have promised with an agreed plan, and that somebody cannot keep it.

| question | kind | key | while |
| --- | --- | --- | --- |
| what has somebody promised? | ``promise`` | user / last day / stream | the plan stands, and they have a seat in it |

A promise is a seat of somebody who agreed. Whoever gives theirs up, or has no account any more before it is due, leaves
the plan, whoever asked hears of it, and others are looked for as for any other gap. Where no day is known, the day of
the demand stands in the key.
"""

from typing import Final

from msgspec import Struct

from engine.errors import Duplicate, IllegalStep, NotAllowed, UnknownAgent
from engine.facts.circumstances import When
from engine.kernel import Handled, Message, Millis, Record, encode, iso
from engine.negotiation.answers import SubDemand
from engine.negotiation.commands import GiveUpSeat
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import ProposalAmended, SeatGivenUp
from engine.negotiation.plan.coverage import is_enough, lost_needs, needs_of
from engine.negotiation.plan.parts import day_of
from engine.negotiation.plan.told_needs import agreeing
from engine.negotiation.search import subnets
from engine.negotiation.search.amendments import amendment
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Assigned

PROMISE: Final = "promise"
DAY: Final[Millis] = 86_400_000
UNDATED: Final[Millis] = 30 * DAY
"""How long a promise without a date is one after it was asked for."""
LONGEST_NAME: Final = 80
"""Characters of a task that stand for it where it has no name."""


class Commitment(Struct, frozen=True, gc=False):
    """Somebody's promise: one seat of an agreed plan."""

    agent_id: str
    user_id: str
    """Empty where nobody is linked."""
    seat: Assigned
    when: When
    """When they are needed, as far as the plan says: of the seat, else of the plan, else of the demand."""


class Promise(Message):
    """What somebody decides about in one plan: seats of their own, of whoever named them, or of nobody here."""

    stream: str
    last: str
    """The last day, as a date; empty where it is not known."""
    agent_ids: tuple[str, ...]


def commitments(state: Negotiation) -> tuple[Commitment, ...]:
    """Return what everybody has promised who agreed, in the order of the plan; nothing where no plan was agreed.

    Whoever a subnet finds promises it in the plan that looks for them.
    """
    if state.final is None or state.parent is not None or state.is_plan_erased:
        return ()
    plan, agreed = state.final.final_proposal, agreeing(state)
    asked = state.understanding.context.when if state.understanding else When()
    return tuple(
        Commitment(
            each.agent_id,
            _user_of(state, each.agent_id),
            each,
            next((when for when in (each.when, plan.when, asked) if when != When()), When()),
        )
        for each in plan.assignments
        if each.agent_id in agreed
    )


def keepers(state: Negotiation, agent_id: str) -> tuple[str, ...]:
    """Return the users who may say that somebody cannot keep their promise: the person and their delegate, or whoever
    asked where nobody is linked.
    """
    user_id = _user_of(state, agent_id)
    if not user_id:
        return (state.requester_id,)
    delegate = state.delegates.get(agent_id)
    return (user_id, delegate) if delegate else (user_id,)


def give_up(draft: NegotiationDraft, command: GiveUpSeat) -> None:
    """Take somebody out of the plan who cannot keep their promise, and look for others."""
    seat = check_giving_up(draft.state, command.by, command.agent_id)
    _leave(draft, seat, command.at, by=command.by, reason=command.reason)


def account_closed(draft: NegotiationDraft, agent_id: str, at: Millis) -> None:
    """Take somebody out of the plan who has no account any more before what they promised is due."""
    for each in commitments(draft.state):
        if each.agent_id == agent_id and each.user_id and is_ahead(draft.state, each, at):
            _leave(draft, each.seat, at, closed=True)


def is_ahead(state: Negotiation, promise: Commitment, at: Millis) -> bool:
    """Return whether a promise is still to be kept: its last day, or that of the plan's steps, is not over anywhere."""
    assert state.final is not None, "there is no plan"  # noqa: S101 - somebody has promised something
    steps = (day_of(each) for each in state.final.final_proposal.timeline.milestones)
    days = (promise.when.first, promise.when.last, *(each.isoformat() for each in steps if each))
    last = max(days)
    return last >= iso(at - DAY)[:10] if last else at <= state.asked_at + UNDATED


def _leave(
    draft: NegotiationDraft, seat: Assigned, at: Millis, *, by: str = "", reason: str = "", closed: bool = False
) -> None:
    lost = _lost(draft.state, seat)
    draft.happens(
        SeatGivenUp(
            **draft.ids,
            agent_id=seat.agent_id,
            by=by,
            at=at,
            reason=reason,
            display_name=seat.display_name,
            lacks=lost,
            closed=closed,
        )
    )
    draft.happens(ProposalAmended(**draft.ids, **amendment(draft.state, iso(at)), sub_channel_id="", gap_type=lost[0]))
    if draft.state.policy.max_depth:
        subnets.trigger(draft, [_wanted(draft.state, seat, each) for each in lost], at, again=True)


def check_giving_up(state: Negotiation, by: str, agent_id: str) -> Assigned:
    """Return the seat, if ``by`` may give it up."""
    if state.final is None:
        raise IllegalStep("No plan was agreed here, so there is no promise to give up.")
    if state.parent is not None:
        raise IllegalStep("Whoever was found here has their part in another plan; give it up there.")
    if agent_id in state.given_up:
        raise Duplicate("It was said already that this part cannot be kept.")
    seat = next((each for each in state.final.final_proposal.assignments if each.agent_id == agent_id), None)
    if seat is None:
        raise UnknownAgent(f"{agent_id} has no part in this plan.")
    if by not in keepers(state, agent_id):
        raise NotAllowed("Only the person whose part it is, or their delegate, can say that they cannot keep it.")
    return seat


def _user_of(state: Negotiation, agent_id: str) -> str:
    person = state.known_person(agent_id)
    return (person.user_id if person else "") or ""


def _lost(state: Negotiation, seat: Assigned) -> tuple[str, ...]:
    """Return what the plan lacks without somebody: the needs that only they cover, else what they were to do."""
    assert state.final is not None, "there is no plan"  # noqa: S101 - it was checked
    staying = [each for each in state.final.final_proposal.assignments if each.agent_id != seat.agent_id]
    gone = lost_needs(state, seat, staying)
    needs = tuple(each.what for each in needs_of(state) if each.need_id in gone and not is_enough(state, each, staying))
    return needs or (seat.role or seat.responsibility[:LONGEST_NAME] or seat.display_name or seat.agent_id,)


def _wanted(state: Negotiation, seat: Assigned, what: str) -> SubDemand:
    """The demand for somebody who takes the seat over, or one of the needs that it covers: the words of a seat that
    covers several are about the others as well.
    """
    need = next((each for each in needs_of(state) if each.what == what), None)
    tags = need.tags if need else ()
    of_seat = () if need and len(seat.covers) > 1 else (seat.role, seat.responsibility)
    said = dict.fromkeys(each for each in (what, *of_seat) if each)
    return SubDemand(gap_type=what, description=": ".join(said), capability_tags=tags, priority="high")


# ── the records ───────────────────────────────────────────────────────────────────────────────────────────────────


def promised(handled: Handled[Negotiation]) -> tuple[Record, ...]:
    """Return the records that have changed; most commands change none."""
    before, after = handled.before, handled.after
    if before.final is after.final and before.is_plan_erased is after.is_plan_erased:
        return ()
    old, new = promises(before), promises(after)
    gone = [Record(PROMISE, key, None) for key in old.keys() - new.keys()]
    return (*gone, *(Record(PROMISE, key, encode(each)) for key, each in new.items() if old.get(key) != each))


def promises(state: Negotiation) -> dict[str, Promise]:
    """Return them by the key of their record."""
    seats: dict[tuple[str, str], list[str]] = {}
    for each in commitments(state):
        for user in keepers(state, each.agent_id):
            seats.setdefault((user, each.when.last or each.when.first), []).append(each.agent_id)
    asked = iso(state.asked_at)[:10]
    return {
        f"{user}/{last or asked}/{state.channel_id}": Promise(
            stream=state.channel_id, last=last, agent_ids=tuple(agent_ids)
        )
        for (user, last), agent_ids in seats.items()
    }
