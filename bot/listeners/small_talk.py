"""The one word of small talk that is a command: help. All else is for a protocol to read."""

import re
from collections.abc import Callable
from typing import Final

HELP: Final = frozenset({"help", "帮助", "幫助"})

_MARK: Final = re.compile(r"<[@!][^<>]*>|:[^\s:<>]+:")
_WORD: Final = re.compile(r"[^\W_]+")


def answer_to(text: str, usage: Callable[[], str]) -> str | None:
    """Say how it is used to whoever asks for that and nothing else; None for anything that may be a demand."""
    said = " ".join(_WORD.findall(_MARK.sub(" ", text).casefold()))
    return usage() if said in HELP or set(text.split()) == {"?"} else None
