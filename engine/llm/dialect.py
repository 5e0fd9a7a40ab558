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
from engine.files import kept_folder
from engine.kernel import encode
from engine.llm.port import SHARED
from engine.llm.schema import Schema

log = logging.getLogger(__name__)

UNKNOWN_FIELD: Final = frozenset({400, 422})
"""Statuses with which servers refuse a field that they do not know."""


class Feature(StrEnum):
    """A part of a request that not every server knows, by the name of its field."""

    EFFORT = "effort"
    CACHE = "cache_control"
    SCHEMA = "output_config"
    STREAM = "stream"
    TOOLS = "tools"


ANTHROPICS: Final = frozenset({Feature.EFFORT, Feature.CACHE, Feature.SCHEMA})
"""What others know least. A refusal that names no field is about these first, then about anything."""
OWN_KEYS: Final = "sk-ant-"
"""What Anthropic's keys begin with."""


class Dialect:
    """
    Args:
        api_key: empty where the server wants none.
        base_url: of the server; None: Anthropic's own.
        prompts: the folder that came with the code, unless told otherwise.

    Raises:
        Misconfigured: the wording of the form is not there, or cannot be filled in.
    """

    def __init__(self, api_key: str, base_url: str | None, prompts: Path | None = None) -> None:
        self._may_change = base_url is not None
        self._is_anthropics = not self._may_change or api_key.startswith(OWN_KEYS)
        self._left_out: frozenset[Feature] = frozenset()
        self._is_known = False
        self._keeps_form = False
        self._tells_form = False
        self._form = _form(prompts) if self._may_change else None

    @property
    def left_out(self) -> frozenset[Feature]:
        """What the server has refused; it is not sent any more."""
        return self._left_out

    def can_retry(self, status: int | None, said: str, sent: frozenset[Feature]) -> bool:
        """Leave out what a refusal is about, and return whether the same question is worth sending once more.

        A refusal that names a field is about it. One that names none may be about any of them, unless the server has
        taken them before, or the key says that Anthropic is behind it, which knows them all.

        Args:
            said: the server's words.
            sent: what the refused request was sent with.
        """
        if not self._may_change or status not in UNKNOWN_FIELD:
            return False
        if sent & self._left_out:
            return True  # it was refused for another question meanwhile
        refused = frozenset(each for each in sent if each.value in said)
        if not refused:
            if self._is_known or self._is_anthropics:
                return False
            refused = sent & ANTHROPICS or sent
        if not refused:
            self._left_out = frozenset()  # whatever it was about, it was none of these
            return False
        self._left_out |= refused
        log.info("the server does not take %s: left out from now on", ", ".join(sorted(each.value for each in refused)))
        return True

    def taken(self) -> None:
        self._is_known = True

    def was_read(self, *, is_form_kept: bool) -> None:
        """Note whether an answer had the form of its schema: some servers take a schema and do not hold a model to it.

        One that has kept to the form once can, and an answer that does not is the model's own mistake.
        """
        self._keeps_form = self._keeps_form or is_form_kept
        self._tells_form = self._tells_form or not (self._is_anthropics or self._keeps_form)

    def said(self, messages: Sequence[MessageParam], schema: Schema) -> list[MessageParam]:
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
    path = (prompts or kept_folder.folder("prompts")) / SHARED / "form.md"
    try:
        wording = Template(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured([f"{path}: this text is needed, and it is not there or cannot be read"]) from error
    if not wording.is_valid() or {*wording.get_identifiers()} != {"schema"}:
        raise Misconfigured([f"{path}: `$schema` belongs in it, and no other name; a plain dollar sign is `$$`"])
    return wording
