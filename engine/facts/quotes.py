"""Finds a quote in the text that it is said to be taken from."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache


@lru_cache(maxsize=2048)
def folded(text: str) -> str:
    """Return a text in one form: NFKC, without case, and with one space wherever there is white space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def stands_in(quote: str, *texts: str) -> bool:
    """Whether a quote stands in one of the texts, as it is written there. Nothing stands nowhere."""
    said = folded(quote)
    return bool(said) and any(said in folded(each) for each in texts)


def stands_in_any(words: Iterable[str], *texts: str) -> str:
    """Return the first of some words that stands in one of the texts; empty where none does."""
    return next((each for each in words if stands_in(each, *texts)), "")
