"""What the README says is so: its diagrams, commands, variables and paths."""

import re
from pathlib import Path
from typing import Final

import pytest

from bot.__main__ import main
from engine.negotiation.rules import STEPS

ROOT: Final = Path(__file__).parents[1]
README: Final = (ROOT / "README.md").read_text("utf-8")
DIAGRAMS: Final = {"negotiation": STEPS.diagram()}
"""By the name in ``<!-- diagram: name -->``, the line above each mermaid block."""

_DIAGRAM = re.compile(r"<!-- diagram: (\w+) -->\n+```mermaid\n(.*?)\n```", re.S)
_FENCED = re.compile(r"^```(\w*)\n(.*?)\n```$", re.S | re.M)
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def code() -> list[str]:
    """Every line and span in which commands may stand."""
    blocks = [line for language, block in _FENCED.findall(README) if language == "sh" for line in block.splitlines()]
    return blocks + _SPAN.findall(_FENCED.sub("", README))


def test_each_diagram_is_the_table_that_decides() -> None:
    assert dict(_DIAGRAM.findall(README)) == DIAGRAMS
    assert README.count("```mermaid") == len(DIAGRAMS)


def test_whatever_is_made_can_be_made() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))

    named = {match for each in code() for match in re.findall(r"^make ([a-z]+)", each)}

    assert named
    assert named - targets == set()


@pytest.fixture
def options(capsys: pytest.CaptureFixture[str]) -> dict[str, set[str]]:
    """Each command's options, as ``--help`` tells them; those of ``towow`` itself under ""."""
    found: dict[str, set[str]] = {}
    commands = [""]
    for command in commands:
        with pytest.raises(SystemExit):
            main([*command.split(), "--help"])
        said = capsys.readouterr().out
        found[command] = set(re.findall(r"(?<!\w)--[a-z][a-z-]*", said))
        commands += re.findall(r"\{(.*?)\}", said)[0].split(",") if not command else []
    return found


def test_every_command_and_option_exists(options: dict[str, set[str]]) -> None:
    # What begins with a slash is Slack's command.
    named = [match for each in code() for match in re.findall(r"(?<!^/)\btowow(?: ([a-z]+))?((?: [^#`]*)?)", each)]
    alone = {each.split()[0] for each in code() if each.startswith("--")}

    assert named
    for command, rest in named:
        assert set(re.findall(r"(?<!\S)--[a-z][a-z-]*", rest)) - options[command] == set()
    assert alone - set().union(*options.values()) == set()


def test_every_variable_is_read() -> None:
    read = (ROOT / "bot" / "config.py").read_text("utf-8")

    named = {each for each in code() if re.fullmatch(r"(?:SLACK|TOWOW|LLM|ANTHROPIC)_[A-Z_]+", each)}

    assert {each for each in named if each not in read} == set()


def test_no_path_leads_nowhere() -> None:
    links = {each.partition("#")[0] for each in _LINK.findall(README) if "://" not in each}
    top = {each.name for each in ROOT.iterdir()}
    spans = {each.split(" ")[0] for each in _SPAN.findall(README) if each.split("/")[0] in top and "/" in each}

    assert {each for each in links | spans if each and not list(ROOT.glob(each.rstrip("/")))} == set()
