"""Asks a model to put an answer right, and sees to it that our words for that never become anybody's."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from string import Template
from typing import Any, Final

from engine.errors import Misconfigured
from engine.files import kept_folder
from engine.kernel import encode, plain_texts
from engine.llm.port import SHARED
from engine.llm.schema import Schema

FEWEST_LETTERS: Final = 24
"""Of a sentence of ours that is found again; shorter ones people may write as well."""

_SENTENCE: Final = re.compile(r"[.!?:;。！？：；\n]+")
_NAMES: Final = {"fault", "schema"}


class Repairing:
    """
    Args:
        prompts: the folder that came with the code, unless told otherwise.

    Raises:
        Misconfigured: the wording is not there, or cannot be filled in.
    """

    def __init__(self, prompts: Path | None = None) -> None:
        self._wording = _wording(prompts)
        self._sentences = frozenset(_sentences(self._wording.template.replace("$fault", "").replace("$schema", "")))

    def wording(self, fault: str, schema: Schema) -> str:
        """Return what the model is told: what is wrong, and which form is wanted."""
        return self._wording.substitute(fault=fault, schema=encode(dict(schema)))

    def is_repeated(self, value: Any, fault: str) -> bool:
        """Return whether a sentence of the wording, or what was wrong, stands in a repaired answer.

        What was wrong counts by whole lines, as it may quote what the model has said, and rightly says again.

        Args:
            value: the answer as JSON values.
            fault: what the model was told is wrong.
        """
        ours = self._sentences | {*_long(fault.splitlines())}
        return any(sentence in said for said in map(letters_of, plain_texts(value)) for sentence in ours)


def _wording(prompts: Path | None) -> Template:
    path = (prompts or kept_folder.folder("prompts")) / SHARED / "repair.md"
    try:
        wording = Template(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured([f"{path}: this text is needed, and it is not there or cannot be read"]) from error
    if not wording.is_valid() or {*wording.get_identifiers()} != _NAMES:
        raise Misconfigured(
            [f"{path}: `$fault` and `$schema` belong in it, and no other name; a plain dollar sign is `$$`"]
        )
    return wording


def _sentences(text: str) -> Iterator[str]:
    return _long(_SENTENCE.split(text))


def _long(texts: Iterable[str]) -> Iterator[str]:
    for each in texts:
        if len(letters := letters_of(each)) >= FEWEST_LETTERS:
            yield letters


def letters_of(text: str) -> str:
    """Return a text without its marks and spaces, in which a sentence is found however it is wrapped."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
