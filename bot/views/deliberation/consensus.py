"""How near both positions are, round by round: in figures, and as a small picture."""

from collections.abc import Sequence
from typing import Final

from bot.texts import Texts
from engine.deliberation.state import Deliberation

BARS: Final = "▁▂▃▄▅▆▇█"


def trend_line(state: Deliberation, texts: Texts) -> str:
    """Empty before anything was compared."""
    trend = state.trend
    if not trend:
        return ""
    arrow = " → ".join(percent(each) for each in trend)
    return texts.say("How near both are {picture}  {figures}", picture=picture(trend), figures=arrow)


def picture(levels: Sequence[float]) -> str:
    """A bar for each level from 0 to 1."""
    return "".join(BARS[min(len(BARS) - 1, max(0, int(each * len(BARS))))] for each in levels)


def percent(level: float) -> str:
    return f"{round(100 * level)}%"
