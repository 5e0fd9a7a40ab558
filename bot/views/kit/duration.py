"""How long something takes, as people read it."""

from bot.texts import Texts


def duration(seconds: float, texts: Texts) -> str:
    if seconds >= 3_600 and seconds % 1_800 == 0:
        return texts.say("{n} h", n=f"{seconds / 3_600:g}")
    if seconds >= 60:
        return texts.say("{n} min", n=f"{seconds / 60:.3g}")
    return texts.say("{n} s", n=f"{seconds:g}")
