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
from engine.llm.port import Answer, Model, Question, Returns
from engine.llm.prompts import Prompt
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
        self._said[_NONCE.sub(">", asked)] = plain(answer.value)
        return await self._claude.answer(question)

    def _answer(self, received: Received) -> Says:
        return Says(self._said[_NONCE.sub(">", received.said())], after=A_CALL)


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
