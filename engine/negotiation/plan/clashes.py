"""Plans that take the same person, or the same room, at the same time: each finds the other, and says it.

What a plan books is written with the version that does (`bookings`), and looked up after that commit, so of two plans
that are made at once, the later one finds the earlier. It tells the other one, which looks for itself. Nothing is
refused for it, and no vote is counted otherwise.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.kernel import Command, CommandDelivered, EffectFailed, FindRecords, KeyRange, Millis, SendCommand
from engine.negotiation.commands import RecordBookings, TellClash
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import ClashesFound
from engine.negotiation.ids import PROTOCOL
from engine.negotiation.plan.bookings import MOST_CLASHES, bookings_of, clashes, have_changed, ranges, read
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Clash

FIND: Final = "bookings"
"""Name and scope of the effect that looks for what others have booked."""

TELL: Final = "clash"
ANSWER: Final = "clash_answer"
"""What is sent: the first part of an effect's name, before a slash and the other plan's channel id."""


def follow(draft: NegotiationDraft, before: Negotiation) -> None:
    """Look for clashes where the plan books something else than before; where it ends, tell those that it clashed with.

    A plan that takes place on no certain day, and in no room, looks for nothing.
    """
    state = draft.state
    if not have_changed(before, state):
        return
    own = bookings_of(state)
    if own and own != bookings_of(before):
        draft.owes(FindRecords(name=FIND, scope=FIND))
    elif not own:
        for channel_id in _by_plan(state.clashes):
            _tell(draft, TELL, channel_id)


def record(draft: NegotiationDraft, command: RecordBookings) -> None:
    """Record the clashes, if they are others than before, and tell the plans that this is about."""
    state = draft.state
    own = bookings_of(state)
    if not own:
        return  # it has ended since
    found = clashes([*own.values()], command.found)
    told, has_more = found[:MOST_CLASHES], len(found) > MOST_CLASHES
    before = state.clashes
    if (told, has_more) != ((before.clashes, before.has_more) if before else ((), False)):
        draft.happens(ClashesFound(**draft.ids, clashes=told, has_more=has_more))
    old, new = _by_plan(before), _by_plan(draft.state.clashes)
    changed = [each for each in dict.fromkeys((*old, *new)) if old.get(each) != new.get(each)]
    for channel_id in changed:
        _tell(draft, TELL, channel_id)
    if command.asked_by and command.asked_by not in changed:
        _tell(draft, ANSWER, command.asked_by)


def heed(draft: NegotiationDraft, command: TellClash) -> None:
    """Look again where another plan knows of something else than this one does."""
    state = draft.state
    mine = _by_plan(state.clashes).get(command.channel_id, frozenset())
    is_full = state.clashes is not None and state.clashes.has_more
    if mine == frozenset(command.shared) or (is_full and not mine) or not bookings_of(state):
        return
    draft.owes(FindRecords(name=FIND, scope=FIND, about="" if command.is_answer else command.channel_id))


def shown(state: Negotiation) -> tuple[Clash, ...]:
    """Return the clashes of a plan that is open or agreed."""
    is_told = (state.is_open or state.final) and not state.is_plan_erased
    return state.clashes.clashes if state.clashes and is_told else ()


def delivered(_draft: NegotiationDraft, _command: CommandDelivered | EffectFailed) -> bool:
    """Nothing follows from it that another plan was told of a clash."""
    return True


def compose_command(state: Negotiation, effect: SendCommand, *, command_id: str, at: Millis) -> Command:
    shared = _by_plan(state.clashes).get(effect.to, frozenset[str]()) if bookings_of(state) else ()
    is_answer = effect.name.startswith(f"{ANSWER}/")
    return TellClash(
        command_id=command_id,
        at=at,
        channel_id=state.channel_id,
        shared=tuple(sorted(shared)),
        is_answer=is_answer,
    )


class ClashSearch:
    """Looks for what other plans have booked (`engine.kernel.Search`)."""

    def ranges(self, state: Negotiation, effect: FindRecords) -> Sequence[KeyRange]:
        return ranges(bookings_of(state).values())

    def found(
        self, state: Negotiation, effect: FindRecords, records: Mapping[str, str], *, command_id: str, at: Millis
    ) -> Command:
        others = tuple(each for each in read(records) if each.stream != state.channel_id)
        return RecordBookings(command_id=command_id, at=at, found=others, asked_by=effect.about)


def _by_plan(known: ClashesFound | None) -> dict[str, frozenset[str]]:
    """Return what is taken twice, by the channel id of the other plan."""
    found: dict[str, frozenset[str]] = {}
    for each in known.clashes if known else ():
        found[each.channel_id] = found.get(each.channel_id, frozenset()) | {each.what}
    return found


def _tell(draft: NegotiationDraft, what: str, channel_id: str) -> None:
    draft.owes(SendCommand(name=f"{what}/{channel_id}", scope=TELL, to=channel_id, protocol=PROTOCOL))
