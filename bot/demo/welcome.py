"""What the demo's first screen says: what this is, and what to do."""

from bot.texts import Texts, texts_in


def welcome() -> dict[str, str]:
    """Return two sentences in each language."""
    return {"en": _welcome(texts_in("en")), "zh": _welcome(texts_in("zh"))}


def _welcome(texts: Texts) -> str:
    return texts.say(
        "ToWow finds people who can do what you need and agrees on a plan with them: their AI twins answer at once, "
        "and each of them can change that answer. Choose one of these demands and send it, or write @ToWow and what "
        "you need; to answer as somebody else, press your name at the lower left."
    )
