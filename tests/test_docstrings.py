"""Docstrings say what a function does before they say how it fails."""

import ast

from tests.doc_tables import ROOT


def test_no_docstring_says_only_how_its_function_fails() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for folder in ("bot", "engine")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (ast.get_docstring(node) or "").startswith("Raises:")
    ]

    assert found == []
