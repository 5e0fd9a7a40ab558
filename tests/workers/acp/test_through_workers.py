"""An agent of our own, run by `Workers` as the registry names it: from the order to what is registered."""

import json
from pathlib import Path

from engine.workers.registry import WorkersAccess

from ..test_workers import carried_out, order
from .conftest import LIBRARY_AGENT, ROOT


async def test_an_agent_of_the_registry_makes_what_is_expected(tmp_path: Path) -> None:
    role = {
        "role_id": "script", "display_name": "Agent", "type": "worker",
        "cli_command": [*LIBRARY_AGENT, "writes"],
        "metadata": {
            "protocol": "acp", "sandbox": "off", "session_mode": "default", "settings": {"PYTHONPATH": str(ROOT)},
        },
    }  # fmt: skip
    roles = tmp_path / "roles.json"
    roles.write_text(json.dumps({"roles": [role]}), "utf-8")

    outcome = await carried_out(WorkersAccess(tmp_path / "sessions", roles), order())

    assert outcome.failure is None, outcome
    assert [each.label for each in outcome.registered] == ["The plan"]
