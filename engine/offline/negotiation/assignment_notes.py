"""Writes and reads an assignment's notes: a line for each request that was agreed or declined."""

import re
from collections.abc import Iterable

from engine.facts.language import Language
from engine.lexicon.matching import tokens
from engine.offline.negotiation.phrasing import phrase, phrases

_NOT_A_WORD = re.compile(r"[\W_]+")


def agreed_line(request: str, language: Language) -> str:
    return phrase("note.agreed", language, request=request)


def declined_line(request: str, reason: str, language: Language) -> str:
    return phrase("note.declined", language, request=request, reason=reason)


def with_line(notes: str, line: str) -> str:
    lines = [each for each in notes.split("\n") if each]
    return "\n".join(lines if line in lines else [*lines, line])


def agreed_lines(notes: str) -> list[str]:
    """The lines that are not refusals, whoever wrote them."""
    return [line for line in notes.split("\n") if line and not _is_refusal(line)]


def declined_lines(notes: str) -> list[str]:
    return [line for line in notes.split("\n") if _is_refusal(line)]


def mentions_request(text: str, request: str) -> bool:
    """Whether a text contains this request, or most of its words."""
    ours, theirs = _squeezed(request), _squeezed(text)
    if not ours or not theirs:
        return False
    if ours in theirs:
        return True
    wanted, found = set(tokens(request)), set(tokens(text))
    return bool(wanted) and len(wanted & found) >= 0.8 * len(wanted)


def any_mentions_request(texts: Iterable[str], request: str) -> bool:
    return any(mentions_request(text, request) for text in texts)


def _is_refusal(line: str) -> bool:
    starts = (each.split("{")[0] for language in phrases()["note.declined"].values() for each in language)
    return line.startswith(tuple(starts))


def _squeezed(text: str) -> str:
    return _NOT_A_WORD.sub("", text.lower())
