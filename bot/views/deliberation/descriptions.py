"""How a deliberation is described in the log, in metrics, on the demo's page and in replays.

Nothing here quotes anybody's words.
"""

import logging
from typing import Final

from bot.descriptions import Descriptions, Ending, Fields, LogLine, Names, plain_line
from engine.deliberation import events as said
from engine.deliberation.events import EVENTS
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.kernel import Event, Millis

UNLOGGED: Final = frozenset(
    each.event_type
    for each in (
        said.PositionTaken, said.PlanChecked, said.HostSpoke, said.PointRaised, said.CriticAsked, said.CriticReplied,
        said.ClosingBegun, said.ClosingStated, said.ReportWritten, said.WordsErased, said.PlaceChanged,
    )
)  # fmt: skip

DEADLINES: Final = {
    "turn": "Whoever has not answered in this turn is not waited for any longer",
    "end": "It has lasted too long: the Reporter says what there is",
}
"""What happens then, by the alarm's name up to its slash."""


def log_line(event: Event) -> LogLine:
    match event:
        case said.DeliberationOpened():
            fields = {"facts": len(event.brief.facts), "people": len(event.brief.people), "origin": event.brief.origin}
            return LogLine("a plan is argued out", fields)
        case said.AgentSkipped():
            fields = {"agent": str(event.agent), "round": event.round, "why": event.error.error}
            return LogLine("an agent did not answer, and what it said before stands", fields, logging.WARNING)
        case said.PositionsCompared():
            level = event.analysis.consensus_level
            return LogLine("the positions were compared", {"round": event.round, "consensus": round(level, 3)})
        case said.HostDecided():
            fields = {"round": event.round, "action": str(event.action), "why": str(event.reasons[0])}
            return LogLine("the Host decided", fields)
        case said.PositionChosen():
            return LogLine("whoever asked decided between the positions", {"chosen": str(event.chosen)})
        case said.StopRequested():
            return LogLine("a deliberation was stopped", {})
        case said.DeliberationReopened():
            return LogLine("a deliberation was reopened", {"round": event.round})
        case said.PlanCarriedOut():
            return LogLine("a deliberated plan is carried out", {"stream": event.stream})
        case said.DeliberationEnded():
            return LogLine("a deliberation ended", {"converged": event.is_converged, "why": str(event.reason)})
        case _:
            return plain_line(event)


def summary(event: Event, _at: Millis, _names: Names) -> str:
    match event:
        case said.PositionTaken():
            return f"speaks in round {event.round}"
        case said.AgentSkipped():
            return f"does not answer in round {event.round}"
        case said.PositionsCompared():
            return f"agreement {round(100 * event.analysis.consensus_level)}%"
        case said.HostDecided():
            return f"{event.action}: {event.reasons[0]}".replace("_", " ")
        case said.PositionChosen():
            return f"the {event.chosen}’s position is chosen"
        case said.ClosingBegun() | said.DeliberationEnded():
            return event.reason.replace("_", " ")
        case _:
            return ""


def deadline(alarm: str, _names: Names) -> str:
    return DEADLINES.get(alarm.partition("/")[0], alarm)


def _ending(fields: Fields) -> Ending:
    reason = str(fields["reason"])
    if reason in ("user_stop", "forgotten"):
        return Ending(reason)
    return Ending(reason, is_success=bool(fields["is_converged"]))


def public_payload(_event_type: str, fields: Fields) -> dict[str, object]:
    """All that is left without private fields: numbers, ids and codes."""
    return dict(fields)


def status(state: Deliberation) -> str:
    return f"{state.status}, round {len(state.rounds)}" if state.rounds else f"{state.status}"


DESCRIPTIONS: Final = Descriptions(
    RULEBOOK.protocol,
    EVENTS,
    plural="deliberations",
    log_line=log_line,
    unlogged=UNLOGGED,
    endings={said.DeliberationEnded.event_type: _ending},
    success="Of the deliberations that ended by themselves, the part that came to an agreement",
    public_payload=public_payload,
    summary=summary,
    actors=("by", "agent", "requester_id"),
    deadline=deadline,
    distant_alarms=frozenset({"end"}),
    status=status,
    leaving={"StopDeliberation": "it is stopped"},
    in_every_event=frozenset({"session_id"}),
)
