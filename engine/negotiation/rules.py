"""What may happen when: the legal steps, and which function handles which command, as the phases' rows say."""

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from msgspec.structs import replace

from engine.errors import IllegalStep, Unanswered
from engine.kernel import (
    AlarmRang,
    Command,
    CommandDelivered,
    ComposeCommand,
    Decision,
    EffectFailed,
    Event,
    Millis,
    Rulebook,
    SendCommand,
    Who,
)
from engine.negotiation import audit, errors, forgetting, inbox, recovery
from engine.negotiation.actions import ACTIONS
from engine.negotiation.afterwards import check_ins, commitments, rescheduling
from engine.negotiation.afterwards import rows as afterwards
from engine.negotiation.agreement import handover
from engine.negotiation.agreement import rows as agreement
from engine.negotiation.commands import Recall
from engine.negotiation.demand import gathering
from engine.negotiation.demand import rows as demand
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import EVENTS, StopTakenBack
from engine.negotiation.fold import apply
from engine.negotiation.offers import collecting
from engine.negotiation.offers import rows as offers
from engine.negotiation.outstanding import outstanding
from engine.negotiation.plan import clashes
from engine.negotiation.plan import rows as plan
from engine.negotiation.search import rows as search
from engine.negotiation.search import subnets
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.steps import STEPS as STEPS
from engine.negotiation.voting import between_rounds
from engine.negotiation.voting import rows as voting

PHASES: Final = (demand, offers, voting, plan, search, agreement, afterwards, recovery)

Key = TypeVar("Key")
Row = TypeVar("Row")


def evolve(state: Negotiation, event: Event) -> Negotiation:
    """Return the state after an event."""
    then = Status(event.status) if isinstance(event, StopTakenBack) else None
    status = STEPS.after(state.status, type(event), then)
    after = apply(state, event)
    return after if status is state.status else replace(after, status=status)


def decide(state: Negotiation, command: Command) -> Decision:
    """Decide what follows from a command."""
    handle = _HANDLERS.get(type(command))
    if handle is None:
        raise IllegalStep(f"A negotiation knows no {type(command).__name__}.")
    if not state.exists and handle is not gathering.submit:
        raise IllegalStep("There is no such negotiation; it begins with a demand.")
    recovery.make_up_for_absence(draft := NegotiationDraft(state, evolve), command.at)
    if (row := _OWNERS.get(type(command))) is not None:
        row.check_owner(draft.state, command)
    handle(draft, command)
    collecting.after_search(draft, command.at)
    if draft.state.rounds and draft.state.rounds[-1].tally is not None:
        between_rounds.follow(draft, command.at)
    if draft.state.parent is not None and state.is_open and not draft.state.is_open and not isinstance(command, Recall):
        subnets.report(draft)
    rescheduling.follow(draft, state, command.at)
    if draft.state is not state:
        draft.settle(outstanding(state), outstanding(draft.state))
        if draft.state.final is not None:
            check_ins.follow(draft, state, command.at)
        clashes.follow(draft, state)
    return draft.decision()


def _alarm_rang(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    handle = _ALARMS.get(_kind(alarm.name))
    if handle is None:
        raise IllegalStep(f"A negotiation has set no alarm {alarm.name}.")
    handle(draft, alarm)


def _delivered(draft: NegotiationDraft, command: CommandDelivered) -> None:
    answer = _OUTCOMES.get(_kind(command.name))
    if answer is None or not answer(draft, command):
        raise IllegalStep(f"A negotiation has sent no {command.name}.")


def _effect_failed(draft: NegotiationDraft, command: EffectFailed) -> None:
    answer = _OUTCOMES.get(_kind(command.name))
    if answer is None or not answer(draft, command):
        raise Unanswered(f"{command.name} failed for good ({command.why}); stop this negotiation and ask again.")


def compose_command(state: Negotiation, effect: SendCommand, *, command_id: str, at: Millis) -> Command:
    return _SENDS[_kind(effect.name)](state, effect, command_id=command_id, at=at)


def _kind(name: str) -> str:
    return name.partition("/")[0]


def _united(tables: Iterable[Mapping[Key, Row]]) -> Mapping[Key, Row]:
    """Unite one table of all phases."""
    rows = [row for each in tables for row in each.items()]
    united = dict(rows)
    if len(united) < len(rows):
        raise ValueError(f"Two phases of the negotiation have a row of the same key, among {[*united]}.")
    return united


_HANDLERS: Final = {
    **_united([{each.command: each.handle for each in ACTIONS}, *(each.ROWS.handlers for each in PHASES)]),
    CommandDelivered: _delivered,
    EffectFailed: _effect_failed,
    AlarmRang: _alarm_rang,
}
_OWNERS: Final = {each.command: each for each in ACTIONS if each.who is Who.OWNER}
_ALARMS: Final = _united(each.ROWS.alarms for each in PHASES)
_OUTCOMES: Final = _united(each.ROWS.outcomes for each in PHASES)
_SENDS: Final[Mapping[str, ComposeCommand[Negotiation]]] = _united(each.ROWS.sends for each in PHASES)


RULEBOOK: Final = Rulebook(
    protocol="negotiation",
    initial=Negotiation(),
    decide=decide,
    evolve=evolve,
    events=EVENTS,
    is_open=lambda state: state.is_open,
    stalled_at=recovery.stalled_at,
    ends_machines_time=recovery.ends_machines_time,
    projections=(audit.trail, inbox.agenda, clashes.booked, commitments.promised),
    search=clashes.ClashSearch(),
    hand_over=handover.hand_over,
    forgetter=forgetting.FORGETTER,
    refusals=errors.REFUSALS,
    compose_command=compose_command,
)
