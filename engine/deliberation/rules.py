"""What may happen when: the legal steps, and which function handles which command.

`rounds` asks one agent after the other, `host` decides after each round, and `closing` ends it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.deliberation import audit, drafting, errors, forgetting, lateness, own_plans
from engine.deliberation.closing import closing
from engine.deliberation.commands import (
    AskCritic,
    ChoosePosition,
    EraseWords,
    OpenDeliberation,
    RaisePoint,
    RecordBrief,
    RecordClosing,
    RecordComparison,
    RecordHostWords,
    RecordPosition,
    RecordReply,
    RecordReport,
    StopDeliberation,
)
from engine.deliberation.drafting import DeliberationDraft
from engine.deliberation.events import (
    EVENTS,
    AgentSkipped,
    BriefRead,
    ClosingBegun,
    ClosingStated,
    CriticAsked,
    CriticReplied,
    DeliberationEnded,
    DeliberationOpened,
    DeliberationReopened,
    HostDecided,
    HostSpoke,
    PlaceChanged,
    PlanCarriedOut,
    PlanChecked,
    PointRaised,
    PositionChosen,
    PositionsCompared,
    PositionTaken,
    ReportWritten,
    StopRequested,
    TimeGiven,
    WordsErased,
)
from engine.deliberation.fold import apply
from engine.deliberation.opening import opening
from engine.deliberation.policy import PROTOCOL
from engine.deliberation.rounds import people, rounds
from engine.deliberation.state import ENDED, Deliberation, Status
from engine.errors import IllegalStep
from engine.kernel import (
    OPERATOR,
    AlarmRang,
    ChangePlace,
    Command,
    CommandDelivered,
    Decision,
    EffectFailed,
    Event,
    HandoverTaken,
    Recover,
    Rulebook,
    Transitions,
)

ARGUED: Final = (Status.ARGUING, Status.CLOSING, Status.REPORTING, Status.CONVERGED, Status.TERMINATED)

STEPS: Final = Transitions(
    Status.NEW,
    {
        (Status.NEW, DeliberationOpened): Status.ARGUING,
        (Status.ARGUING, PositionTaken): Status.ARGUING,
        (Status.ARGUING, AgentSkipped): Status.ARGUING,
        (Status.ARGUING, PositionsCompared): Status.ARGUING,
        (Status.ARGUING, HostDecided): Status.ARGUING,
        (Status.ARGUING, PointRaised): Status.ARGUING,
        (Status.ARGUING, PositionChosen): Status.ARGUING,
        (Status.ARGUING, StopRequested): Status.ARGUING,
        (Status.ARGUING, ClosingBegun): (Status.CLOSING, Status.REPORTING),
        (Status.CLOSING, ClosingStated): (Status.CLOSING, Status.REPORTING),
        (Status.CLOSING, AgentSkipped): (Status.CLOSING, Status.REPORTING),
        (Status.CLOSING, PositionChosen): Status.CLOSING,
        (Status.CLOSING, StopRequested): Status.CLOSING,
        (Status.CLOSING, ClosingBegun): Status.REPORTING,
        (Status.CLOSING, DeliberationReopened): Status.ARGUING,
        (Status.REPORTING, DeliberationReopened): Status.ARGUING,
        (Status.REPORTING, StopRequested): Status.REPORTING,
        (Status.REPORTING, ClosingBegun): Status.REPORTING,
        (Status.REPORTING, ReportWritten): Status.REPORTING,
        (Status.REPORTING, DeliberationEnded): (Status.CONVERGED, Status.TERMINATED),
        (Status.CONVERGED, DeliberationReopened): Status.ARGUING,
        (Status.TERMINATED, DeliberationReopened): Status.ARGUING,
        (Status.TERMINATED, PositionChosen): Status.TERMINATED,
        (Status.TERMINATED, ClosingBegun): Status.REPORTING,
        **{(each, BriefRead): each for each in (Status.ARGUING, Status.CLOSING, Status.REPORTING)},
        **{(each, PlanChecked): each for each in (Status.ARGUING, Status.CLOSING, Status.REPORTING)},
        **{(each, HostSpoke): each for each in (Status.ARGUING, Status.CLOSING, Status.REPORTING)},
        **{(each, TimeGiven): each for each in (Status.ARGUING, Status.CLOSING, Status.REPORTING)},
        **{(each, event): each for each in ARGUED for event in (CriticAsked, CriticReplied, PlanCarriedOut)},
        **{(each, event): each for each in Status for event in (WordsErased, PlaceChanged)},
    },
    ends=ENDED,
)


def evolve(state: Deliberation, event: Event) -> Deliberation:
    """Return the state after an event."""
    after = apply(state, event)
    STEPS.after(state.status, type(event), after.status)
    return after


def decide(state: Deliberation, command: Command) -> Decision:
    """Decide what follows from a command."""
    handle = _HANDLERS.get(type(command))
    if handle is None:
        raise IllegalStep(f"A deliberation knows no {type(command).__name__}.")
    if not state.exists and handle is not opening.opened:
        raise IllegalStep("There is no such deliberation; it begins with what is to be planned.")
    draft = DeliberationDraft(state, evolve)
    lateness.make_up_for_absence(draft, command.at)
    handle(draft, command)
    if state.is_open and not draft.state.is_open:
        draft.clears(drafting.TURN)
        draft.clears(drafting.END)
    return draft.decision()


def _erase_words(draft: DeliberationDraft, command: EraseWords) -> None:
    draft.happens(
        WordsErased(**draft.ids, by=OPERATOR, whose=command.whose, former_chain=command.former_chain),
    )


def _change_place(draft: DeliberationDraft, command: ChangePlace) -> None:
    if command.changes(draft.state.place):
        draft.happens(PlaceChanged(**draft.ids, channel=command.channel, shared=command.shared))


def _alarm_rang(draft: DeliberationDraft, alarm: AlarmRang) -> None:
    match alarm.name:
        case drafting.TURN:
            lateness.turn_is_over(draft, alarm.at)
        case drafting.END:
            lateness.time_is_up(draft, alarm.at)
        case _:
            pass


_HANDLERS: Final[Mapping[type[Command], Callable[[DeliberationDraft, Any], None]]] = {
    OpenDeliberation: opening.opened,
    RecordBrief: opening.brief_read,
    RecordPosition: rounds.position_taken,
    RecordComparison: rounds.compared,
    RecordHostWords: rounds.host_spoke,
    RecordClosing: closing.stated,
    RecordReport: closing.reported,
    RecordReply: people.replied,
    RaisePoint: people.raise_point,
    AskCritic: people.ask_critic,
    ChoosePosition: people.choose_position,
    StopDeliberation: people.stop,
    EraseWords: _erase_words,
    ChangePlace: _change_place,
    CommandDelivered: opening.origin_told,
    HandoverTaken: closing.taken,
    EffectFailed: lateness.effect_failed,
    AlarmRang: _alarm_rang,
    Recover: lateness.recover,
}


RULEBOOK: Final = Rulebook(
    protocol=PROTOCOL,
    initial=Deliberation(),
    decide=decide,
    evolve=evolve,
    events=EVENTS,
    is_open=lambda state: state.is_open,
    stalled_at=lateness.stalled_at,
    ends_machines_time=lambda _state, alarm: alarm in (drafting.TURN, drafting.END),
    projections=(audit.trail, own_plans.plans),
    compose_command=opening.compose_command,
    forgetter=forgetting.FORGETTER,
    hand_over=closing.hand_over,
    refusals=errors.REFUSALS,
)
