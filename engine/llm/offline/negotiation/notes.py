"""The notes of a seat: what was agreed with its holder and what was not, a line each; written and read back here."""

import re
from collections.abc import Iterable

from engine.lexicon.language import Language
from engine.lexicon.matching import tokens
from engine.llm.offline.negotiation.phrasing import phrases, say

_NOT_A_WORD = re.compile(r"[\W_]+")


def agreed(request: str, language: Language) -> str:
    return say("note.agreed", language, request=request)


def declined(request: str, reason: str, language: Language) -> str:
    return say("note.declined", language, request=request, reason=reason)


def with_line(notes: str, line: str) -> str:
    lines = [each for each in notes.split("\n") if each]
    return "\n".join(lines if line in lines else [*lines, line])


def agreed_in(notes: str) -> list[str]:
    """The lines that are not refusals: also those that somebody else wrote."""
    return [line for line in notes.split("\n") if line and not _is_refusal(line)]


def declined_in(notes: str) -> list[str]:
    return [line for line in notes.split("\n") if _is_refusal(line)]


def speaks_of(text: str, request: str) -> bool:
    """Whether a text is about this request: it contains it, or most of it in nearly the same words."""
    ours, theirs = _squeezed(request), _squeezed(text)
    if not ours or not theirs:
        return False
    if ours in theirs:
        return True
    wanted, found = set(tokens(request)), set(tokens(text))
    return bool(wanted) and len(wanted & found) >= 0.8 * len(wanted)


def any_speaks_of(texts: Iterable[str], request: str) -> bool:
    return any(speaks_of(text, request) for text in texts)


def _is_refusal(line: str) -> bool:
    starts = (each.split("{")[0] for language in phrases()["note.declined"].values() for each in language)
    return line.startswith(tuple(starts))


def _squeezed(text: str) -> str:
    return _NOT_A_WORD.sub("", text.lower())
