"""The checklist of the negotiation names tests that exist."""

import ast
import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
CHECKLIST: Final = ROOT / "engine" / "negotiation" / "README.md"
NAMED: Final = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


def test_every_test_that_is_named_is_there() -> None:
    named = NAMED.findall(CHECKLIST.read_text("utf-8"))

    assert len(named) > 40
    missing = [f"{path}::{test}" for path, test in named if not _is_there(ROOT / path, test)]
    assert missing == []


def test_every_criterion_has_a_test() -> None:
    rows = [line for line in CHECKLIST.read_text("utf-8").splitlines() if line.startswith("| ") and "---" not in line]

    assert [line for line in rows if not (NAMED.search(line) or line.startswith("| criterion "))] == []


def _is_there(path: Path, test: str) -> bool:
    if not path.is_file():
        return False
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return not test or test in {
        node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, functions)
    }
