"""What a card is about: its title, and as much of what was asked for as the title does not say."""

from typing import Final

from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import ELLIPSIS, Fit, plain_title

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
