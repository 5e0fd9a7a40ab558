"""What a delivery adds to the demo, and who works in it besides people."""

import json
import sys
from pathlib import Path
from typing import Any, Final

from bot.demo.delivery import scripted_worker
from bot.demo.part import DemoPart
from engine.workers.registry import WorkersAccess


def workers_in(folder: Path) -> WorkersAccess:
    """Write the registry and the scheduler's figures into the folder, and return where they are."""
    folder = folder.absolute()  # its worker is started in a directory of its own
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    roles, scheduler = folder / "roles.json", folder / "scheduler_config.json"
    roles.write_text(json.dumps({"roles": [scripted_role()]}, ensure_ascii=False, indent=2), "utf-8")
    scheduler.write_text(json.dumps({"retry_backoff": 2, "attempt_timeout": 60, "stall_timeout": 30}), "utf-8")
    return WorkersAccess(folder / "sessions", roles, scheduler, folder / "logs")


def scripted_role() -> dict[str, Any]:
    """Its entry in the role registry (seed 002, section 4). It is named by its path, which a sandbox then shows it."""
    return {
        "role_id": scripted_worker.ROLE,
        "display_name": "Scripted worker",
        "type": "worker",
        "cli_command": [sys.executable, "-I", scripted_worker.__file__],
        "capabilities": ["writing", "research"],
        "supports_multiple_instances": True,
        "metadata": {"protocol": "envelope"},
    }


PART: Final = DemoPart(workers_in=workers_in)
