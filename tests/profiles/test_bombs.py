"""A short text that would become a large one, or take long to read, is refused with its line before it grows."""

import contextlib
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Misconfigured
from engine.files.bounded_yaml import DEEPEST, LONGEST_NUMBER, LONGEST_TEXT, LONGEST_VALUE, MOST_VALUES
from engine.files.profiles import load_profiles, read_profile
from engine.files.yaml_locations import InvalidFile, read_yaml
from tests.profiles.profile_files import VALID, folder_with

FILE = Path("somebody.yaml")
SECONDS = 1.0
"""Of CPU, for a text as long as may be; most take a hundredth of it."""


def laughs(times: int) -> str:
    """Nine aliases in each of so many lines: each line stands for nine times what the line before it stands for."""
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, times)]
    return "\n".join(lines)


BOMBS = [
    pytest.param(laughs(9), 1, "alias or an anchor", id="a billion laughs"),
    pytest.param(VALID + "interests: &me [*me]\n", 10, "alias or an anchor", id="a list that contains itself"),
    pytest.param(VALID + "interests: &all [tea]\n", 10, "alias or an anchor", id="an anchor alone"),
    pytest.param(VALID + "limits: {<<: *all}\n", 10, "alias or an anchor", id="an alias that is merged"),
    pytest.param("a: " + "[" * (DEEPEST + 1), 1, "nested too deeply", id="brackets"),
    pytest.param("a: " + "{a: " * 10_000, 1, "nested too deeply", id="braces"),
    pytest.param("\n".join(f"{' ' * n}a:" for n in range(100)), 21, "nested too deeply", id="indents"),
    pytest.param("- " * 20_000, 1, "nested too deeply", id="dashes"),
    pytest.param("? " * 20_000, 1, "nested too deeply", id="question marks"),
    pytest.param("a: [" + "b," * MOST_VALUES + "]", 1, "values", id="many values"),
    pytest.param("a: " + "b" * (LONGEST_VALUE + 1), 1, "has a value of", id="a long value"),
    pytest.param("a: " + "9" * (LONGEST_NUMBER + 1), 1, "has a number of", id="a long number"),
    pytest.param("a: 1" + ":59" * 3_000, 1, "has a number of", id="a number to the base of sixty"),
    pytest.param("a: 0x" + "f" * 5_000, 1, "has a number of", id="a hexadecimal number"),
    pytest.param("#" * (LONGEST_TEXT + 1), 1, "characters", id="a long text"),
]


@pytest.mark.parametrize(("text", "line", "message"), BOMBS)
def test_a_bomb_is_refused_with_its_line(text: str, line: int, message: str) -> None:
    began = time.process_time()
    with pytest.raises(InvalidFile) as caught:
        read_profile(FILE, text)

    assert time.process_time() - began < SECONDS
    assert [(each.position.line, message in each.message) for each in caught.value.faults] == [(line, True)]


def test_a_bomb_in_a_folder_of_profiles_is_a_fault_like_any_other(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="alias or an anchor"):
        load_profiles(folder_with(tmp_path, bo=VALID, eve=laughs(20)))


def test_of_many_faults_a_few_are_told() -> None:
    strange = "\n".join(f"locaton{n}: x" for n in range(2_000))

    began = time.process_time()
    with pytest.raises(InvalidFile) as caught:
        read_profile(FILE, VALID + strange)

    assert len(caught.value.faults) == 50
    assert time.process_time() - began < SECONDS


_PIECES = [
    *("a: b", ": ", "- ", "? ", "[", "]", "{", "}", ",", "\n", "  ", "&a ", "*a ", "<<: ", "!!int ", "!t ", "%TAG "),
    *("---", "...", "#", "'", '"', "\\", "|", ">", " ", "9", "é", "\x85", "1:2", "~", "null", "0x", "\t", "@"),
]

PIECED = st.text(max_size=300) | st.lists(st.sampled_from(_PIECES), max_size=200).map("".join)


@given(PIECED, st.integers(1, 200))
def test_any_text_is_read_or_refused_in_bounded_time(text: str, times: int) -> None:
    repeated = (text * times)[:LONGEST_TEXT]
    began = time.process_time()
    with contextlib.suppress(InvalidFile):
        read_yaml(FILE, repeated)
    assert time.process_time() - began < SECONDS * 2


@pytest.mark.parametrize(
    ("agent_id", "is_fine"), [("user_agent_" + "a" * 69, True), ("user_agent_" + "a" * 70, False)], ids=["80", "81"]
)
def test_an_id_has_eighty_characters_at_most(agent_id: str, is_fine: bool) -> None:
    text = VALID.replace("user_agent_bo", agent_id)
    if is_fine:
        assert read_profile(FILE, text).agent_id == agent_id
        return
    with pytest.raises(InvalidFile, match="80 are allowed"):
        read_profile(FILE, text)


@pytest.mark.parametrize(
    "value", ["!!int", "!!int ''", "!!float x", "!!timestamp x", "!!bool x", "!!binary x", "!!int 0x"]
)
def test_a_value_that_is_not_of_its_kind_is_refused(value: str) -> None:
    with pytest.raises(InvalidFile):
        read_yaml(FILE, f"a: {value}\n")
