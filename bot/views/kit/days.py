"""Days as people read them."""

from datetime import date

from babel.dates import format_skeleton

from bot.texts import Texts, isolated
from bot.views.kit.mrkdwn import Fit


def day_text(said: str, today: str, texts: Texts, fit: Fit) -> str:
    """A day with its weekday, and with its year where it is another one than today's.

    Args:
        said: what is no ISO date stays as it was said.
        today: an ISO date.
    """
    try:
        day = date.fromisoformat(said)
    except ValueError:
        return fit.line(said, 40)
    is_this_year = today.startswith(f"{day:%Y}-")
    return isolated(format_skeleton("MMMEd" if is_this_year else "yMMMEd", day, locale=texts.locale))


def duration(seconds: float, texts: Texts) -> str:
    if seconds >= 3_600 and seconds % 1_800 == 0:
        return texts.say("{n} h", n=f"{seconds / 3_600:g}")
    if seconds >= 60:
        return texts.say("{n} min", n=f"{seconds / 60:.3g}")
    return texts.say("{n} s", n=f"{seconds:g}")
