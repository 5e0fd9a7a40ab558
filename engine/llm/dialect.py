"""What a server takes that speaks the Messages API: Anthropic's takes all of it, another one may know less.

Such a server refuses what it does not know. That is left out from then on, so it is refused once. Where no schema can
be sent beside the question, the form of the answer is told in the question.
"""

import logging
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from string import Template
from typing import Any, Final, cast

from anthropic.types import MessageParam

from engine.errors import Misconfigured
from engine.files import folders
from engine.kernel import encode
from engine.llm.prompts import SHARED
from engine.llm.schema import Schema

log = logging.getLogger(__name__)

UNKNOWN_FIELD: Final = frozenset({400, 422})
"""Statuses with which servers refuse a field that they do not know."""


class Feature(StrEnum):
    """A part of a request that not every server knows, by the name of its field. They are given up in this order."""

    EFFORT = "effort"
    CACHE = "cache_control"
    SCHEMA = "output_config"
    STREAM = "stream"
    TOOLS = "tools"


class Dialect:
    """
    Args:
        may_change: whether the server may know less than Anthropic's own.
        prompts: the folder that came with the code, unless told otherwise.

    Raises:
        Misconfigured: the wording of the form is not there, or cannot be filled in.
    """

    def __init__(self, *, may_change: bool, prompts: Path | None = None) -> None:
        self._may_change = may_change
        self._left_out: frozenset[Feature] = frozenset()
        self._is_known = False
        self._keeps_form = False
        self._tells_form = False
        self._form = _form(prompts) if may_change else None

    @property
    def left_out(self) -> frozenset[Feature]:
        """What the server has refused; it is not sent any more."""
        return self._left_out

    def can_retry(self, status: int | None, said: str, sent: frozenset[Feature]) -> bool:
        """Leave out what a refusal is about, and return whether the same question is worth sending once more.

        A refusal that names a field is about it; of one that names none, the next part in order is tried. A server that
        has taken a whole request before does not learn to know less.

        Args:
            said: the server's words.
            sent: what the refused request was sent with.
        """
        if not self._may_change or status not in UNKNOWN_FIELD:
            return False
        if sent & self._left_out:
            return True  # it was refused for another question meanwhile
        named = next((each for each in Feature if each in sent and each.value in said), None)
        if named is None and self._is_known:
            return False
        refused = named or next((each for each in Feature if each in sent), None)
        if refused is None:
            self._left_out = frozenset()  # whatever it was about, it was none of these
            return False
        self._left_out |= {refused}
        log.info("the server does not take %s, so it is left out from now on", refused.value)
        return True

    def taken(self) -> None:
        """Note that the server has taken a request."""
        self._is_known = True

    def was_read(self, *, is_form_kept: bool) -> None:
        """Note whether an answer had the form of its schema: some servers take a schema and do not hold a model to it.

        One that has kept to the form once can, and an answer that does not is the model's own mistake.
        """
        self._keeps_form = self._keeps_form or is_form_kept
        self._tells_form = self._tells_form or (self._may_change and not self._keeps_form)

    def said(self, messages: Sequence[MessageParam], schema: Schema) -> list[MessageParam]:
        """Return the messages as this server takes them."""
        told = [*messages]
        if self._form is not None and (self._tells_form or Feature.SCHEMA in self._left_out):
            form = self._form.substitute(schema=encode(dict(schema)))
            told[0] = _with(told[0], [*_blocks(told[0]), {"type": "text", "text": form}])
        if Feature.CACHE in self._left_out:
            told = [_with(each, [_unmarked(block) for block in _blocks(each)]) for each in told]
        return told


def _with(message: MessageParam, blocks: list[Any]) -> MessageParam:
    return cast(MessageParam, {**message, "content": blocks})


def _blocks(message: MessageParam) -> list[Any]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else [*content]


def _unmarked(block: Mapping[str, Any]) -> Any:
    return cast(Any, {name: each for name, each in block.items() if name != Feature.CACHE.value})


def _form(prompts: Path | None) -> Template:
    path = (prompts or folders.folder("prompts")) / SHARED / "form.md"
    try:
        wording = Template(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured([f"{path}: this text is needed, and it is not there or cannot be read"]) from error
    if not wording.is_valid() or {*wording.get_identifiers()} != {"schema"}:
        raise Misconfigured([f"{path}: `$schema` belongs in it, and no other name; a plain dollar sign is `$$`"])
    return wording
