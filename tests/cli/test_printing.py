"""Whatever people write, nothing that a terminal would act upon is printed; and nothing of it is lost as JSON."""

import io
import json
import sqlite3
import sys
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bot.terminal import CleanStream, Terminal, clean_streams, cleaned, one_line, plain_json

from .conftest import ROOT, Towow, ended, process

ATTACK: Final = (
    "I need a venue for 20 people in Berlin \x1b[2J\x1b]0;owned\x07 \x9b31m \x08\x08\r hidden \x7f \u202egnp.exe\u202c"
)
ACTED_UPON: Final = {
    chr(each) for each in (*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
} - {"\n", "\t"}


def is_tame(printed: str) -> bool:
    return not ACTED_UPON & {*printed}


@pytest.fixture
def database(towow: Towow, tmp_path: Path) -> Path:
    path = tmp_path / "my.db"
    towow("ask", ATTACK, "--db", path)
    return path


def demand_id(database: Path) -> str:
    with sqlite3.connect(database) as connection:
        [(stream,)] = connection.execute("SELECT stream FROM streams WHERE protocol = 'negotiation'").fetchall()
    connection.close()
    return f"d-{stream.removeprefix('collab-')}"


@pytest.mark.parametrize("command", ["replay", "why", "export"])
def test_what_is_kept_is_printed_without_it(towow: Towow, database: Path, command: str) -> None:
    done = towow(command, demand_id(database), "--db", database)

    assert done.code == 0
    assert "Berlin" in done.out
    assert is_tame(done.out)
    assert is_tame(done.err)


def test_what_is_exported_says_what_was_written(towow: Towow, database: Path) -> None:
    done = towow("export", demand_id(database), "--db", database)

    said = json.loads(done.out.splitlines()[0])["payload"]["raw_input"]
    assert "\u202egnp.exe" in said


@pytest.mark.parametrize("form", [[], ["--json"], ["--verbose"]], ids=["a thread", "JSON", "with its log"])
def test_a_demand_is_shown_without_it(towow: Towow, form: list[str]) -> None:
    first = [each for each in form if each == "--verbose"]
    done = towow(*first, "ask", ATTACK, *(each for each in form if each != "--verbose"))

    assert "Berlin" in done.out
    assert is_tame(done.out)
    assert is_tame(done.err)


def test_a_name_in_a_profile_is_shown_without_it(towow: Towow, tmp_path: Path) -> None:
    text = (ROOT / "profiles" / "lin_xiao.yaml").read_text("utf-8").splitlines()
    people = tmp_path / "people"
    people.mkdir()
    named = ['user_name: "Lin \\e[2J\\x9b[/bold]"' if each.startswith("user_name:") else each for each in text]
    (people / "lin_xiao.yaml").write_text("\n".join(named), "utf-8")

    done = towow("ask", "I need a venue for 20 people in Beijing", "--profiles", people)

    assert is_tame(done.out + done.err)
    assert "Beijing" in done.out


@pytest.mark.parametrize("arguments", [["replay", "\x1b[2J"], ["\x9b31m"], ["ask", "x", "--profiles", "\x1b[2J"]])
def test_an_error_repeats_what_was_typed_without_it(towow: Towow, arguments: list[str]) -> None:
    done = towow(*arguments)

    assert done.code == 2
    assert done.err
    assert is_tame(done.err)


def test_the_doctor_repeats_nothing_of_the_environment(tmp_path: Path) -> None:
    done = ended(
        process("doctor", cwd=tmp_path, TOWOW_DB="\x1b[2J/x.db", TOWOW_POLICY="\x9b2J", TOWOW_ADMINS="\x1b]0;x")
    )

    assert done.out
    assert is_tame(done.out + done.err)


def test_colours_of_our_own_stay() -> None:
    out = io.StringIO()
    terminal = Terminal(file=out, force_terminal=True, color_system="standard", width=60, _environ={})
    table = Table("who", title="\x1b[2J")
    table.add_row(Text(ATTACK))

    terminal.print(Panel(Text.assemble(("bold \x9b", "bold"), ATTACK)), table, ATTACK)

    printed = out.getvalue()
    assert "\x1b[1m" in printed
    for code in ("\x1b[2J", "\x1b]0", "\x07", "\x9b", "\x08", "\r", "\x7f", "\u202e"):
        assert code not in printed


@given(st.text())
def test_a_cleaned_text_is_tame_and_as_long_as_it_was(text: str) -> None:
    assert is_tame(cleaned(text))
    assert len(cleaned(text)) == len(text)
    assert cleaned(cleaned(text)) == cleaned(text)
    assert len(one_line(text).splitlines()) <= 1


@given(st.text())
def test_plain_json_says_the_same(text: str) -> None:
    written = plain_json(json.dumps({"said": text}, ensure_ascii=False))

    assert is_tame(written)
    assert json.loads(written) == {"said": text}


def test_all_that_is_printed_inside_is_cleaned(capsys: pytest.CaptureFixture[str]) -> None:
    with clean_streams(), clean_streams():
        print(ATTACK)
        print(ATTACK, file=sys.stderr)
        assert isinstance(sys.stdout, CleanStream)

    printed = capsys.readouterr()
    assert is_tame(printed.out + printed.err)
    assert printed.out == f"{cleaned(ATTACK)}\n"
