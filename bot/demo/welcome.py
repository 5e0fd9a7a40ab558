"""What the demo says of itself: on the page in one sentence, in the terminal who answers and how a model would."""

from typing import Final

from bot.texts import Texts, texts_in

OWN_MODEL: Final = ("ollama pull qwen3:8b", "ANTHROPIC_BASE_URL=http://127.0.0.1:11434 LLM_MODEL=qwen3:8b make demo")
"""The two lines by which a model answers on one's own machine, as the README has them."""

BY_RULES: Final = (
    "No model is connected: simple rules answer for the twins. They match words and compare dates and numbers; they do "
    f"not judge. A model on your own machine costs nothing: `{OWN_MODEL[0]}`, then `{OWN_MODEL[1]}`."
)


def welcome() -> dict[str, str]:
    return {language: _welcome(texts_in(language)) for language in ("en", "zh")}


def _welcome(texts: Texts) -> str:
    return texts.say(
        "ToWow finds people who can do what you need and agrees on a plan with them: their AI twins answer at once, "
        "and each of them can change that answer."
    )
