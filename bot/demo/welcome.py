"""What the demo's first screen says: what this is, what to do, and who answers."""

from typing import Final

from bot.texts import Texts, texts_in

OWN_MODEL: Final = ("ollama pull qwen3:8b", "ANTHROPIC_BASE_URL=http://127.0.0.1:11434 LLM_MODEL=qwen3:8b make demo")
"""The two lines by which a model answers on one's own machine, as the README has them."""


def welcome(*, by_rules: bool) -> dict[str, str]:
    """Return a few sentences in each language.

    Args:
        by_rules: whether the stand-in answers for the twins, since there is no model.
    """
    return {"en": _welcome(texts_in("en"), by_rules), "zh": _welcome(texts_in("zh"), by_rules)}


def _welcome(texts: Texts, by_rules: bool) -> str:
    said = texts.say(
        "ToWow finds people who can do what you need and agrees on a plan with them: their AI twins answer at once, "
        "and each of them can change that answer. Choose one of these demands and send it, or write @ToWow and what "
        "you need; to answer as somebody else, press your name at the lower left."
    )
    if not by_rules:
        return said
    return f"{said} " + texts.say(
        "Simple rules answer here: they match words and compare dates and numbers, they do not judge. A model on your "
        "own machine costs nothing; stop this, and run `{first}`, then `{second}`.",
        first=OWN_MODEL[0],
        second=OWN_MODEL[1],
    )
