"""Answers what people say to a bot besides what they need, such as greetings and thanks."""

import re
from collections.abc import Callable
from typing import Final

from bot.texts import Texts
from bot.views.kit import notices

HELP: Final = frozenset(
    {"help", "help me", "usage", "how does this work", "what can you do", "帮助", "幫助", "怎么用", "你能做什么"}
)
GREETINGS: Final = frozenset(
    {"hi", "hi there", "hello", "hello there", "hey", "good morning", "test", "你好", "您好", "嗨", "在吗", "测试"}
)
THANKS: Final = frozenset(
    {"thanks", "thanks a lot", "many thanks", "thank you", "thank you very much", "thx", "ok", "okay", "great", "cool",
     "谢谢", "谢谢你", "多谢", "好", "好的", "太好了"}
)  # fmt: skip

_MARK: Final = re.compile(r"<[@!][^<>]*>|:[^\s:<>]+:")
_WORD: Final = re.compile(r"[^\W_]+")


def answer_to(text: str, usage: Callable[[], str], texts: Texts) -> str | None:
    """Answer small talk; return None for anything that may be a demand."""
    said = _said(text)
    if said in HELP | GREETINGS or set(text.split()) == {"?"}:
        return usage()
    return notices.welcome(texts) if said in THANKS else None


def is_thanks(text: str) -> bool:
    """Whether a text says no more than thanks."""
    return _said(text) in THANKS


def _said(text: str) -> str:
    """Return the words of a text alone, in lower case."""
    return " ".join(_WORD.findall(_MARK.sub(" ", text).casefold()))
