"""What happened in a deliberation, one line a step. Nobody's words are in it."""

from collections.abc import Sequence

from bot.texts import Texts
from bot.views.deliberation.consensus import percent
from bot.views.deliberation.names import agent_name, reason_text, whoever
from bot.views.kit.mrkdwn import Fit
from bot.views.kit.story.model import Happening, Told
from engine.deliberation import events as said
from engine.deliberation.terms import Action, Reason
from engine.kernel import Event


def timeline(happened: Sequence[Told], texts: Texts, fit: Fit) -> Sequence[Happening]:
    """The newest first."""
    return [Happening(each.at, text) for each in reversed(happened) if (text := _line(each.event, texts, fit))]


def _line(event: Event, texts: Texts, fit: Fit) -> str:
    match event:
        case said.DeliberationOpened():
            return texts.say("{who} wants a plan argued out", who=whoever(event.requester_id, texts, fit))
        case said.PositionTaken():
            who = agent_name(event.agent, texts)
            return texts.say("Round {round}: the {who} has spoken", round=event.round, who=who)
        case said.AgentSkipped():
            who = agent_name(event.agent, texts)
            return texts.say("⚠️ Round {round}: the {who} did not answer", round=event.round, who=who)
        case said.PositionsCompared():
            level = percent(event.analysis.consensus_level)
            return texts.say("Round {round}: what both say is {level} alike", round=event.round, level=level)
        case said.HostDecided() if event.action is not Action.CONVERGE:
            return texts.say("The Host: {why}", why=reason_text(event.reasons[0], texts))
        case said.DeliberationReopened():
            return texts.say("{who} reopens the plan with a point", who=whoever(event.by, texts, fit))
        case said.PointRaised():
            return texts.say("{who} raises a point", who=whoever(event.by, texts, fit))
        case said.CriticAsked():
            return texts.say("{who} asks the Critic", who=whoever(event.by, texts, fit))
        case said.PositionChosen():
            who, whose = whoever(event.by, texts, fit), agent_name(event.chosen, texts)
            return texts.say("{who} decided for the {whose}’s position.", who=who, whose=whose)
        case said.StopRequested():
            return texts.say("Stopped by {who}", who=whoever(event.by, texts, fit))
        case said.ClosingBegun():
            return texts.say("No further round: {why}", why=reason_text(event.reason, texts))
        case said.ReportWritten():
            return texts.say("The report is written")
        case said.DeliberationEnded() if event.reason is Reason.USER_DECIDED:
            return texts.say("✅ Decided")
        case said.DeliberationEnded() if event.is_converged:
            return texts.say("✅ Agreed")
        case said.DeliberationEnded():
            return texts.say("No agreement: {why}", why=reason_text(event.reason, texts))
        case said.WordsErased():
            return texts.say("Words were erased")
    return ""
