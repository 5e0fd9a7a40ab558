"""Says that a stream waits for its model, in words that name the machine and nobody else."""

from bot.texts import Texts
from bot.views.kit.mrkdwn import local_time
from engine.llm.port import ModelStanding, Pause, PauseCause


def paused_line(pause: Pause | None, texts: Texts) -> str:
    """Return why it does not go on, and when it does; empty where it goes on."""
    if pause is None:
        return ""
    moment = local_time(pause.until, texts)
    if pause.cause is PauseCause.SILENT:
        return texts.say("⏸️ The model does not answer just now; it is asked again at about {moment}", moment=moment)
    return texts.say(
        "⏸️ The model is busy; going on at about {moment}. Deadlines are put off for as long", moment=moment
    )


def model_line(standing: ModelStanding, texts: Texts) -> str:
    """Return how the model stands, for admins."""
    if not standing.waiting and not standing.is_silent:
        return texts.say("• No question waits for the model")
    moment = local_time(standing.until, texts)
    if standing.is_silent:
        return texts.count(
            "• ⚠️ The model has not answered and is asked again at about {moment}; {n} question waits",
            "• ⚠️ The model has not answered and is asked again at about {moment}; {n} questions wait",
            standing.waiting,
            moment=moment,
        )
    if not standing.until:
        return texts.count(
            "• The model is busy; {n} question waits", "• The model is busy; {n} questions wait", standing.waiting
        )
    return texts.count(
        "• The model is busy; {n} question waits, and is asked by about {moment}",
        "• The model is busy; {n} questions wait, and are asked by about {moment}",
        standing.waiting,
        moment=moment,
    )
