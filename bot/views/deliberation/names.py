"""What agents, people and reasons are called."""

from typing import assert_never

from bot.texts import Texts
from bot.views.kit.mrkdwn import Fit, bold, mention
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Agent, Reason

LONGEST_NAME = 48


def agent_name(agent: str, texts: Texts) -> str:
    match agent:
        case Agent.PLANNER:
            return texts.say("Planner")
        case Agent.CRITIC:
            return texts.say("Critic")
        case Agent.HOST:
            return texts.say("Host")
        case _:
            return texts.say("Reporter")


def whoever(by: str, texts: Texts, fit: Fit) -> str:
    """An agent, or a user with a mention."""
    if by in tuple(Agent):
        return agent_name(by, texts)
    return mention(by) or fit.line(by, LONGEST_NAME) or "?"


def person_name(state: Deliberation, person_id: str, fit: Fit) -> str:
    """The name of somebody who takes part, in bold, which notifies nobody; empty for nobody."""
    found = next((each for each in state.brief.people if each.person_id == person_id), None)
    return bold(fit.line(found.name or person_id, LONGEST_NAME)) if found else ""


def person_of(state: Deliberation, user: str, fit: Fit) -> str:
    """The name of a user who takes part, in bold; empty where the brief does not tell it."""
    found = next((each.name for each in state.brief.people if user and each.user_id == user and each.name), "")
    return bold(fit.line(found, LONGEST_NAME)) if found else ""


def reason_text(reason: Reason, texts: Texts) -> str:
    """Why the Host decided so, or why it ended: without a full stop."""
    match reason:
        case Reason.EARLY_AGREEMENT:
            return texts.say("two drafts made independently agree")
        case Reason.AGREED:
            return texts.say("both hold the same, and nothing speaks against it")
        case Reason.NOT_SIMILAR_ENOUGH:
            return texts.say("the positions still differ")
        case Reason.MOVED_AWAY:
            return texts.say("one of the two moved away from the other")
        case Reason.NOT_VALID:
            return texts.say("the Critic does not hold the plan for feasible, realistic and complete")
        case Reason.OPEN_RISK:
            return texts.say("a high risk is open")
        case Reason.OPEN_POINT:
            return texts.say("somebody’s point has not been answered by both")
        case Reason.UNEXPLAINED_MOVE:
            return texts.say("something changed and nobody said which argument moved it")
        case Reason.FAR_APART:
            return texts.say("the positions are far apart")
        case Reason.MAX_ROUNDS:
            return texts.say("the rounds are used up")
        case Reason.STALLED:
            return texts.say("nothing moved any more")
        case Reason.DIVERGED:
            return texts.say("both stayed far apart, also after the opposite side was argued")
        case Reason.USER_STOP:
            return texts.say("it was stopped")
        case Reason.USER_DECIDED:
            return texts.say("whoever asked decided")
        case Reason.TIME_IS_UP:
            return texts.say("the time was up")
        case Reason.NO_PLAN:
            return texts.say("neither Planner nor Critic could make a plan")
        case Reason.AGENT_MISSING:
            return texts.say("one of the two has not said anything so far")
        case Reason.NOT_ARGUED:
            return texts.say("nobody has weighed it: that takes a model")
        case Reason.FORGOTTEN:
            return texts.say("words that it was about were erased")
        case _:
            assert_never(reason)
