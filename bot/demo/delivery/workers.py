"""Who may carry tickets out in the demo besides people: one scripted worker, in a folder of the demo's own."""

import json
import sys
from pathlib import Path
from typing import Any, Final

import bot
from bot.demo.delivery.scripted_worker import ROLE
from engine.workers.access import WorkersAccess

CODE: Final = Path(bot.__file__).parents[1]
"""From where the worker's own process imports its module."""


def workers_in(folder: Path) -> WorkersAccess:
    """Write the registry and the scheduler's figures into the folder, and return where they are."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    roles, scheduler = folder / "roles.json", folder / "scheduler_config.json"
    roles.write_text(json.dumps({"roles": [scripted_role()]}, ensure_ascii=False, indent=2), "utf-8")
    scheduler.write_text(json.dumps({"retry_backoff": 2, "attempt_timeout": 60, "stall_timeout": 30}), "utf-8")
    return WorkersAccess(folder / "sessions", roles, scheduler, folder / "logs")


def scripted_role() -> dict[str, Any]:
    """Its entry in the role registry (seed 002, section 4)."""
    return {
        "role_id": ROLE,
        "display_name": "Scripted worker",
        "type": "worker",
        "cli_command": [sys.executable, "-m", "bot.demo.delivery.scripted_worker"],
        "capabilities": ["writing", "research"],
        "supports_multiple_instances": True,
        "metadata": {"protocol": "envelope", "settings": {"PYTHONPATH": str(CODE)}, "readable": [str(CODE / "bot")]},
    }
