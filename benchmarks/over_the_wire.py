"""A model whose questions go to the Messages API on localhost as Claude is asked, and are answered by another model.

So what is sent, kept and read there is what the product sends, whoever thinks the answers up.
"""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from engine.kernel import plain
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import Call, MemoryLedger
from engine.llm.port import Answer, Model, Prompt, Question, Returns
from engine.llm.schema import answer_schema
from engine.runtime.clock import WallClock
from tests.anthropic_server import KEY, LocalAnthropic, Received, Says

A_CALL: Final = 0.2
"""Seconds; while they pass, nothing of that call is kept yet."""

_NONCE: Final = re.compile(r" [0-9a-f]{16}>")


class OverTheWire:
    """A `Model`. No two questions of a run may read the same."""

    def __init__(self, thinks: Model, claude: ClaudeModel, server: LocalAnthropic) -> None:
        self._thinks = thinks
        self._claude = claude
        self._said: dict[str, dict[str, Any]] = {}
        server.always(self._answer)

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        answer = await self._thinks.answer(question)
        asked = "".join(question.prompt.render_parts(question.given, "0" * 16, question.language))
        self._said[_NONCE.sub(">", asked)] = written(plain(answer.value), answer_schema(question.returns))
        return await self._claude.answer(question)

    def _answer(self, received: Received) -> Says:
        return Says(self._said[_NONCE.sub(">", received.said())], after=A_CALL)


def written(said: Any, schema: Mapping[str, Any], known: Mapping[str, Any] | None = None) -> Any:
    """Return an answer as a model writes it: what may be left out, and is empty, is."""
    known = schema.get("$defs", {}) if known is None else known
    schema = known[schema["$ref"].removeprefix("#/$defs/")] if "$ref" in schema else schema
    if isinstance(said, list):
        return [written(each, schema.get("items", {}), known) for each in said]
    if not isinstance(said, dict) or "properties" not in schema:
        return said
    return {
        name: written(each, schema["properties"].get(name, {}), known)
        for name, each in said.items()
        if name in schema["required"] or not _is_nothing(each)
    }


def _is_nothing(value: Any) -> bool:
    return all(map(_is_nothing, value.values())) if isinstance(value, dict) else value in ("", 0, False, "unknown", [])


@asynccontextmanager
async def over_the_wire(thinks: Model, prompts: Mapping[str, Prompt]) -> AsyncIterator[tuple[OverTheWire, list[Call]]]:
    """Yield the model, and the ledger's rows of what it was asked."""
    ledger = MemoryLedger()
    async with LocalAnthropic() as server:
        claude = ClaudeModel(KEY, prompts.values(), ledger, WallClock(), base_url=server.url)
        try:
            yield OverTheWire(thinks, claude, server), ledger.calls
        finally:
            await claude.close()
