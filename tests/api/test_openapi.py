"""Schemathesis reads the document that is served, and checks every answer against it.

Whoever comes without a token, or with one of nobody's, is among what it tries. That a token does not open what is not
its own is in `test_authorization.py`; that a refused request changes nothing, in `test_document.py`.
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Final

import pytest

from bot.api.document import PATH
from bot.api.route import EVENT_STREAM, Route
from bot.api.routes import OPEN
from bot.api.tokens import Scope
from bot.api_config import ApiAccess
from engine.store.memory import MemoryStore
from tests.bot.driver import YOU, playing

from .api_harness import ROUTES, secret, token

TOKENS: Final = tuple(token(each, each, user=YOU if each in (Scope.SUBMIT, Scope.VOTE) else "") for each in Scope)
"""Each opens its own scope and nothing else."""

RULES: Final = {
    "submit": "a demand of no words, such as 0",
    "begin_deliberation": "a goal of no words, or an origin that is none",
    "begin_delivery": "a goal of no words, an origin that is none, or a plan that cannot be carried out",
    "change_owner": "whom it is given to: one, and no more",
    "hand_ticket_over": "whom it is handed to: somebody who has an account",
    "take_envelope": "what the catalogue says of its payload",
    "add": "what a profile's fields have to be to each other",
    "change": "the same, and whose profile it is",
}
"""What else has to be true of what is sent, by operation: no schema can say it, so that E001 is a right answer too."""

SETTINGS: Final = """
[generation]
deterministic = true
max-examples = {most}
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "409", "413", "415"]
[phases.examples]
enabled = false
[phases.stateful]
enabled = false
[phases.coverage]
enabled = {edges}
"""
"""Every check there is, over some of what each operation takes; where it is exhaustive, over every edge of it. The
document has no examples, and no links for a stateful run to follow."""


@pytest.mark.parametrize("edges", [False, pytest.param(True, marks=pytest.mark.exhaustive)], ids=["some", "every edge"])
async def test_schemathesis_finds_nothing_to_complain_of(tmp_path: Path, edges: bool) -> None:
    settings = SETTINGS.format(edges=str(edges).lower(), most=5 if edges else 3)
    (tmp_path / "schemathesis.toml").write_text("\n".join([settings, *map(_of, ROUTES)]), "utf-8")
    api = ApiAccess(TOKENS, port=0, per_minute=1_000_000)
    async with playing(MemoryStore(), api=api, is_called=True) as it:
        assert it.demo.towow.api is not None
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "schemathesis.cli", "run", it.demo.towow.api.url + PATH, "--no-color",
            cwd=tmp_path, env={**os.environ, "NO_PROXY": "127.0.0.1"},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        try:
            told, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()

    said = told.decode()
    assert process.returncode == 0, said
    assert f"Tested: {len(ROUTES) + len(OPEN)}\n" in said


def _of(route: Route) -> str:
    """How one operation is called: with the one token that opens it."""
    name = route.handler.__name__
    lines = [
        "[[operations]]",
        f'include-operation-id = "{name}"',
        f'headers.Authorization = "Bearer {secret(route.scope)}"',
    ]
    if name in RULES:
        lines.append('checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "403", "404", "409"]')
    if route.media == EVENT_STREAM:
        lines.append("max-stream-events = 1")  # it never ends
    return "\n".join(lines)
