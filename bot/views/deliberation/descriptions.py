"""How a deliberation is described in the log, in metrics, on the demo's page, in its story's timeline and in replays.

Nothing here quotes anybody's words.
"""

import logging
from typing import Final

from bot.descriptions import Descriptions, Ending, Fields, LogLine, Names, Telling
from bot.texts import Texts
from bot.views.deliberation.names import agent_name, reason_text, whoever
from bot.views.deliberation.positions import percent
from bot.views.kit.story.model import Narration
from engine.deliberation import events as said
from engine.deliberation.events import EVENTS
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Action, Agent, Reason


class DeliberationNarration(Narration[Deliberation]):
    def person(self, by: str) -> str:
        return whoever(by, self.texts, self.fit)

    def agent(self, agent: Agent) -> str:
        return agent_name(agent, self.texts)

    def reason(self, reason: Reason) -> str:
        return reason_text(reason, self.texts)


def _skipped(event: said.AgentSkipped) -> LogLine:
    fields = {"agent": str(event.agent), "round": event.round, "why": event.error.error}
    return LogLine("an agent did not answer, and what it said before stands", fields, logging.WARNING)


def _opened(event: said.DeliberationOpened) -> LogLine:
    fields = {"facts": len(event.brief.facts), "people": len(event.brief.people), "origin": event.brief.origin}
    return LogLine("a plan is argued out", fields)


def _end_line(event: said.DeliberationEnded, words: DeliberationNarration) -> str:
    if event.reason is Reason.USER_DECIDED:
        return words.say("✅ Decided")
    if event.is_converged:
        return words.say("✅ Agreed")
    return words.say("No agreement: {why}", why=words.reason(event.reason))


def _ending(fields: Fields) -> Ending:
    reason = str(fields["reason"])
    if reason in ("user_stop", "forgotten"):
        return Ending(reason)
    return Ending(reason, is_success=bool(fields["is_converged"]))


TELLINGS: Final = (
    Telling(
        said.DeliberationOpened,
        line=lambda it, words: words.say("{who} wants a plan argued out", who=words.person(it.requester_id)),
        log=_opened,
    ),
    Telling(
        said.PositionTaken, lambda it, _: f"speaks in round {it.round}",
        lambda it, words: words.say("Round {round}: the {who} has spoken", round=it.round, who=words.agent(it.agent)),
    ),
    Telling(
        said.AgentSkipped, lambda it, _: f"does not answer in round {it.round}",
        lambda it, words: words.say(
            "⚠️ Round {round}: the {who} did not answer", round=it.round, who=words.agent(it.agent)),
        _skipped,
    ),
    Telling(
        said.PositionsCompared, lambda it, _: f"agreement {round(100 * it.analysis.consensus_level)}%",
        lambda it, words: words.say(
            "Round {round}: what both say is {level} alike",
            round=it.round, level=percent(it.analysis.consensus_level)),
        lambda it: LogLine(
            "the positions were compared",
            {"round": it.round, "consensus": round(it.analysis.consensus_level, 3)}),
    ),
    Telling(
        said.HostDecided, lambda it, _: f"{it.action}: {it.reasons[0]}".replace("_", " "),
        lambda it, words: "" if it.action is Action.CONVERGE
        else words.say("The Host: {why}", why=words.reason(it.reasons[0])),
        lambda it: LogLine(
            "the Host decided", {"round": it.round, "action": str(it.action), "why": str(it.reasons[0])}),
    ),
    Telling(said.PointRaised, line=lambda it, words: words.say("{who} raises a point", who=words.person(it.by))),
    Telling(
        said.DeliberationReopened,
        line=lambda it, words: words.say("{who} reopens the plan with a point", who=words.person(it.by)),
        log=lambda it: LogLine("a deliberation was reopened", {"round": it.round}),
    ),
    Telling(said.CriticAsked, line=lambda it, words: words.say("{who} asks the Critic", who=words.person(it.by))),
    Telling(
        said.PositionChosen, lambda it, _: f"the {it.chosen}’s position is chosen",
        lambda it, words: words.say(
            "{who} decided for the {whose}’s position.", who=words.person(it.by), whose=words.agent(it.chosen)),
        lambda it: LogLine("whoever asked decided between the positions", {"chosen": str(it.chosen)}),
    ),
    Telling(
        said.StopRequested, line=lambda it, words: words.say("Stopped by {who}", who=words.person(it.by)),
        log=lambda _: LogLine("a deliberation was stopped"),
    ),
    Telling(
        said.ClosingBegun, lambda it, _: it.reason.replace("_", " "),
        lambda it, words: words.say("No further round: {why}", why=words.reason(it.reason)),
    ),
    Telling(said.ReportWritten, line=lambda it, words: words.say("The report is written")),
    Telling(
        said.DeliberationEnded, lambda it, _: it.reason.replace("_", " "), _end_line,
        lambda it: LogLine("a deliberation ended", {"converged": it.is_converged, "why": str(it.reason)}), _ending,
    ),
    Telling(said.PlanCarriedOut, log=lambda it: LogLine("a deliberated plan is carried out", {"stream": it.stream})),
    Telling(said.WordsErased, line=lambda it, words: words.say("Words were erased")),
)  # fmt: skip


def deadline(alarm: str, _names: Names, texts: Texts) -> str:
    """What happens then, by the alarm's name up to its first slash."""
    told = {
        "turn": texts.say("Whoever has not answered in this turn is not waited for any longer"),
        "end": texts.say("It has lasted too long: the Reporter says what there is"),
    }
    return told.get(alarm.partition("/")[0], alarm)


def public_payload(_event_type: str, fields: Fields) -> dict[str, object]:
    """All that is left without private fields: numbers, ids and codes."""
    return dict(fields)


def status(state: Deliberation) -> str:
    return f"{state.status}, round {len(state.rounds)}" if state.rounds else f"{state.status}"


DESCRIPTIONS: Final = Descriptions(
    RULEBOOK.protocol,
    EVENTS,
    plural="deliberations",
    tellings=TELLINGS,
    success="Of the deliberations that ended by themselves, the part that came to an agreement",
    public_payload=public_payload,
    actors=("by", "agent", "requester_id"),
    deadline=deadline,
    distant_alarms=frozenset({"end"}),
    status=status,
    leaving={"StopDeliberation": "it is stopped"},
    in_every_event=frozenset({"session_id"}),
)
