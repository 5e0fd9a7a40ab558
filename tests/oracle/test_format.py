"""Files of scenarios: what is wrong in one is told with its file and line."""

import json
from pathlib import Path

import pytest

from bot.command_line import main
from bot.commands.oracle import oracle_parts, scenarios_in
from bot.registry import PROTOCOLS
from engine.errors import Misconfigured

GOOD = """\
a_room:
  demand: We need a room.
  people:
    tom: {name: Tom Field, profile: "A hall for sixty."}
  answers:
    understand: {needs: [{need_id: need_1, what: a room}]}
    respond: {tom: {contribution: Gives the hall., covers: [need_1]}}
  expect: {status: finalized, needs: {need_1: [tom]}}
  planted: [{at: aggregate, field: assignments.+, value: {agent_id: user_agent_ghost}, kind: id}]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rooms.yaml").write_text(GOOD, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [
        pytest.param("demand:", "demanded:", "rooms.yaml:2:3: `demanded` is not a field here", id="an unknown field"),
        pytest.param("understand:", "understood:", "rooms.yaml:6:5: no prompt", id="an unknown prompt"),
        pytest.param("what: a room", "wat: a room", "`wat` is not a field of the answer", id="a field of an answer"),
        pytest.param("profile:", "profil:", "`profil` is not a field here", id="a field of a person"),
        pytest.param("{status:", "{state:", "`state` is nothing that can be expected", id="an expectation"),
        pytest.param(
            "needs: {need_1: [tom]}", "members: tom", "`members` has another shape here", id="a text for a list"
        ),
        pytest.param("status: finalized", "doubted: 1", "`doubted` has another shape here", id="a number for a list"),
        pytest.param("at: aggregate", "at: agregate", "no prompt is called `agregate`", id="a place of an error"),
        pytest.param("a_room:", "a_room: [", "rooms.yaml", id="no YAML"),
    ],
)
def test_a_fault_is_told_with_its_line(folder: Path, was: str, becomes: str, told: str) -> None:
    path = folder / "rooms.yaml"
    path.write_text(GOOD.replace(was, becomes, 1), "utf-8")

    with pytest.raises(Misconfigured) as refused:
        scenarios_in(folder, oracle_parts(PROTOCOLS))

    assert told in str(refused.value)


def test_two_scenarios_of_one_name_are_a_fault(folder: Path) -> None:
    (folder / "again.yaml").write_text(GOOD, "utf-8")

    with pytest.raises(Misconfigured, match="More than one scenario is called a_room"):
        scenarios_in(folder, oracle_parts(PROTOCOLS))


def test_the_command_plays_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evals", "oracle", str(folder), "--cipher", "--json"]) == 0

    told = json.loads(capsys.readouterr().out)
    assert (told["scenarios"], told["right"], told["planted"], told["caught"], told["in_cipher"]) == (1, 1, 1, 1, 1)


def test_the_command_says_what_came_out_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "rooms.yaml"
    path.write_text(GOOD.replace("status: finalized", "status: failed"), "utf-8")

    assert main(["evals", "oracle", str(folder)]) == 3
    assert "status is 'finalized', not 'failed'" in capsys.readouterr().out


def test_ours_are_played_where_no_folder_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evals", "oracle", "--cipher"]) == 0
    assert "come out in cipher as in clear" in capsys.readouterr().out
