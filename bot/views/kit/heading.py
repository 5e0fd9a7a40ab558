"""What a card is about: its title, and as much of what was asked for as the title does not say."""

from typing import Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import ELLIPSIS, Fit, local_time, plain_title
from engine.llm.port import ModelStanding, Pause, PauseCause

LONGEST_TITLE: Final = 140
SHORT_TITLE: Final = 60
"""Characters where a thread begins with what was asked for."""
LONGEST_GOAL: Final = 800


def heading(title: str, goal: str, fit: Fit, *, is_above: bool) -> list[Block]:
    """
    Args:
        goal: what was asked for, in full; empty where another card says it.
        is_above: whether it can be read where the thread begins.
    """
    shown = plain_title(title, SHORT_TITLE if is_above else LONGEST_TITLE)
    card = [blocks.header(shown or "…")]
    rest = _rest(shown, goal)
    if rest and (not is_above or fit.is_whole):
        card.append(blocks.section(fit.text(rest, LONGEST_GOAL)))
    return card


def _rest(shown: str, goal: str) -> str:
    """What a goal says beyond its title; where the title is how it begins, what follows."""
    goal, begun = goal.strip(), shown.removesuffix(ELLIPSIS).rstrip()
    if not begun or not goal.startswith(begun):
        return goal
    rest = goal.removeprefix(begun)
    if shown.endswith(ELLIPSIS):
        return f"{ELLIPSIS}{rest}" if rest.strip() else ""
    return rest.lstrip(" .!?;,:。！？；，：\n")


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
