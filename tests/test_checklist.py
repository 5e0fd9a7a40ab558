"""The checklists of the protocols and the threat model name tests that exist."""

import ast
import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
CHECKLISTS: Final = [
    pytest.param(ROOT / "engine" / name / "README.md", id=name) for name in ("negotiation", "deliberation", "delivery")
]
THREATS: Final = ROOT / "docs" / "security.md"
NAMED: Final = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


@pytest.mark.parametrize("page", [*CHECKLISTS, pytest.param(THREATS, id="threats")])
def test_every_test_that_is_named_is_there(page: Path) -> None:
    named = NAMED.findall(page.read_text("utf-8"))

    assert len(named) > 40
    missing = [f"{path}::{test}" for path, test in named if not _is_there(ROOT / path, test)]
    assert missing == []


def test_every_threat_has_a_test() -> None:
    page = THREATS.read_text("utf-8").partition("## Threats")[2].partition("\n## ")[0]
    rows = [line for line in page.splitlines() if line.startswith("| ") and "---" not in line]

    assert [line for line in rows if not (NAMED.search(line) or line.startswith("| threat "))] == []


@pytest.mark.parametrize("page", CHECKLISTS)
def test_every_criterion_has_a_test(page: Path) -> None:
    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("| ") and "---" not in line]

    assert [line for line in rows if not (NAMED.search(line) or line.startswith("| criterion "))] == []


def _is_there(path: Path, test: str) -> bool:
    if not path.is_file():
        return False
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return not test or test in {
        node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, functions)
    }
