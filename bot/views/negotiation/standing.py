"""What whoever asks in a negotiation's thread is told: how it stands, who still has to answer, what is missing."""

from bot.texts import Texts
from bot.views.kit.fit import Fit
from bot.views.negotiation.erased import with_marks
from bot.views.negotiation.names import bold_name, join_names
from bot.views.negotiation.plan.current_plan import since_and_until
from bot.views.negotiation.plan.needs import missing_now
from bot.views.negotiation.root import status_line
from engine.negotiation.secrecy import in_public
from engine.negotiation.state import Negotiation

MOST_NAMES = 12


def standing(state: Negotiation, texts: Texts) -> str:
    """Return nothing that the thread does not show to everybody."""
    state, fit = in_public(with_marks(state, texts)), Fit()
    title = fit.line(state.demand_text, 120)
    lines = [
        texts.say("“{what}”: {detail}", what=title, detail=status_line(state, texts, fit)),
        since_and_until(state, texts),
        _awaited(state, texts, fit),
    ]
    if lacked := missing_now(state, texts, fit):
        lines.append(texts.say("❌ Missing: {what}", what=texts.say("; ").join(lacked)))
    return "\n".join(each for each in lines if each)


def _awaited(state: Negotiation, texts: Texts, fit: Fit) -> str:
    """Who still has to answer, by name, which notifies nobody."""
    if state.current is None:
        return ""
    silent = [
        bold_name(each.display_name, each.agent_id, fit) for each in state.current.seats.values() if not each.vote
    ]
    if not silent:
        return texts.say("Everybody has answered; they can still change their minds.")
    return texts.say("Still to answer: {names}", names=join_names(silent[:MOST_NAMES], texts, len(silent)))
