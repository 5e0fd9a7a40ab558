"""Finds words of one text in another, however they are spelled: spaced out, in look-alike letters, or backwards."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

RUN: Final = 22
"""Bytes of letters in a row, as UTF-8, that are a quotation and no coincidence: four English words, or eight Chinese
letters, of which each says as much as half a word.
"""
_STEP: Final = 3
SHORT: Final = 5
"""Bytes up to which something is found only as a word of its own: "rum" is not in "drum"."""
BACKWARDS: Final = 6
"""Bytes from which on something is found backwards too."""

_LOOK_ALIKES: Final = str.maketrans(
    "абвгдеёзиіјклмнорстухѕԁһӏԛԝցո" "αβγεζηικνορτυχωϲ" "ıȷɡɩʟᴀᴄᴅᴇɪᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢ",
    "a6brдeeзnijkлmhopctyxsdhlqwgn" "abyezhiknoptuxwc" "ijgilacdeijkmoptuvwz",
)  # fmt: skip
"""Cyrillic, Greek, Armenian and small capital letters that pass for Latin ones."""
_MARKS: Final = bytes(each for each in range(128) if not chr(each).isalnum())
"""What is no letter and no digit, of ASCII."""
_BREAK: Final = "\x1f"
"""Between two texts."""
_OTHER_MARKS: Final = _MARKS.replace(_BREAK.encode(), b"")
_SENTENCE: Final = re.compile(r"(?<=[。！？；\n])|(?<=[.!?;])(?=\s)")
_ENDS: Final = "。！？；\n.!?;"
_WORDS: Final = re.compile(r"[^\W_]+")


@lru_cache(maxsize=4096)
def letters(text: str) -> str:
    """Return the letters and digits of a text in one spelling: without case, marks, spaces and look-alikes."""
    folded = _folded(text)
    if folded.isascii():
        return folded.encode().translate(None, delete=_MARKS).decode()
    return "".join(each for each in folded if each.isalnum())


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_LOOK_ALIKES)
    return "".join(_unaccented(each) for each in folded if not unicodedata.combining(each))


def _unaccented(letter: str) -> str:
    """Return a letter without its accent, where it is an ASCII letter that has one."""
    base = letter if letter.isascii() else unicodedata.normalize("NFD", letter)[0]
    return base if base.isascii() else letter


def sentences(text: str) -> list[str]:
    """Split a text behind each sentence; joined again they are the text."""
    if not any(map(text[:-1].__contains__, _ENDS)):
        return [text] if text else []  # most texts are one
    return [each for each in _SENTENCE.split(text) if each]


def _run_of(texts: Iterable[str]) -> str:
    """Return the letters of each text, one behind the other, with a break between that is no letter."""
    said = [*filter(None, texts)]
    together = _BREAK.join(said)
    if together.isascii() and together.count(_BREAK) < max(1, len(said)):  # most are: all are spelled in one go
        return together.lower().encode().translate(None, delete=_OTHER_MARKS).decode()
    return _BREAK.join(filter(None, map(letters, said)))


class Quoted:
    """The words of some texts, as far as others do not say them too."""

    def __init__(self, words: Iterable[str], besides: Iterable[str] = ()) -> None:
        """
        Args:
            words: what is looked for.
            besides: texts whose words anybody may repeat.
        """
        self._words = _run_of(words)
        self._besides = _run_of(besides)

    def __bool__(self) -> bool:
        return bool(self._words)

    def is_in(self, sentence: str, *, short: bool = True) -> bool:
        """Whether the sentence repeats a run of these words, or is one of them as a whole.

        Args:
            short: whether a text that is shorter than a run counts too. A label such as "Frontend engineer" is in many
                texts without being quoted from any.
        """
        if not self._words:
            return False
        said = letters(sentence)
        if not said:
            return False
        run = max(4, -(-RUN * len(said) // len(said.encode())))  # letters, as long as these are
        if len(said) < run:
            if not short or len(said) < run // 2:
                return False
            run = len(said)
        # Every run of so many letters holds one of these parts, and few texts hold any of them.
        size = run * 2 // 5
        parts = [said[at : at + size] for at in range(0, len(said) - size + 1, run - size + 1)]
        if not any(map(self._words.__contains__, parts)):
            return False
        last = len(said) - run
        pieces = [said[at : at + run] for at in (*range(0, last, _STEP), last)]
        return any(piece not in self._besides for piece in filter(self._words.__contains__, pieces))

    def is_whole(self, sentence: str) -> bool:
        """Whether the sentence is nothing but words in a row of these, and no label."""
        said = letters(sentence)
        return len(said.encode()) >= RUN and said in self._words and said not in self._besides

    def without(self, text: str) -> str:
        """Return the text without the sentences that repeat these words."""
        return self._without(text, self.is_in)

    def without_whole(self, text: str) -> str:
        """Return the text without the sentences that are nothing but these words."""
        return self._without(text, self.is_whole)

    def _without(self, text: str, is_said: Callable[[str], bool]) -> str:
        if not self._words or not text:
            return text
        said = sentences(text)
        kept = [each for each in said if not is_said(each)]
        return text if len(kept) == len(said) else "".join(kept).strip()


class Secrets:
    """Short texts that a longer one must not give away."""

    def __init__(self, texts: Iterable[str], known: Iterable[str] = ()) -> None:
        """
        Args:
            known: texts that whoever reads has seen; what they say is no secret.
        """
        found = dict.fromkeys(map(letters, texts))
        seen = "\n".join(map(letters, known)) if found else ""
        self._secrets = tuple(each for each in found if each and each not in seen)

    def __bool__(self) -> bool:
        return bool(self._secrets)

    def are_in(self, text: str) -> bool:
        """Whether the text says one of them, forwards or backwards."""
        if not self._secrets or not text:
            return False
        said = letters(text)
        words: set[str] | None = None
        for secret in self._secrets:
            size = len(secret.encode())
            if size <= SHORT:
                words = words if words is not None else {*_WORDS.findall(_folded(text))}
                if secret in words or said in (secret, secret[::-1]):
                    return True
            elif secret in said or (size >= BACKWARDS and secret[::-1] in said):
                return True
        return False


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
