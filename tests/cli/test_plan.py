"""``towow plan``: one goal, all that is argued about it, and what its exit code and its one JSON object say of it."""

import contextlib
import io
import json
from pathlib import Path
from typing import Any, Final

import pytest

from bot.command_line import main
from engine.deliberation.envelopes.outputs import Plan
from engine.deliberation.envelopes.session import SessionState

from .conftest import Towow

GOAL: Final = "An AI evening for 50 people in Berlin by 2027-03-20"
FACTS: Final = ("--fact", "The hall closes at 22:00.", "--fact", "The budget is 2000 EUR.")
REPORT: Final = {"session_id", "status", "reason", "session", "plan", "report", "decision_record", "events"}
TORN: Final = (
    "Which hall: North or South?", "--option", "North", "--option", "South",
    "--fact", "North has no lift.", "--fact", "South is closed on Sundays.",
)  # fmt: skip


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """Of one goal that nobody has argued about, since there is no model."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["plan", GOAL, *FACTS, "--json"]) == 3
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


def test_the_report_has_exactly_these_fields(report: dict[str, Any]) -> None:
    assert report.keys() == REPORT
    assert (report["status"], report["reason"]) == ("terminated", "not_argued")
    session = SessionState.model_validate_json(json.dumps(report["session"]))
    assert session.session_id == report["session_id"]
    assert not Plan.model_validate_json(json.dumps(report["plan"])).phases
    assert FACTS[1] in report["report"]
    assert report["decision_record"]["by"] == "nobody"


def test_the_events_of_the_report_are_the_whole_stream_in_order(report: dict[str, Any]) -> None:
    events: list[dict[str, Any]] = report["events"]
    assert [each["seq"] for each in events] == list(range(1, len(events) + 1))
    kinds = [each["event_type"] for each in events]
    assert (kinds[0], kinds[-1]) == ("towow.deliberation.opened", "towow.deliberation.ended")
    assert [each["text"] for each in events[0]["payload"]["brief"]["facts"]] == [FACTS[1], FACTS[3]]


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        pytest.param(GOAL, ("🗂️ What is known, side by side", "ollama pull"), id="English"),
        pytest.param(
            "2027年3月20日前在北京办一场50人的AI主题聚会", ("🗂️ 已知的内容，并排列出", "ollama pull"), id="Chinese"
        ),
        pytest.param("What now?", ("Nothing is known yet", "ollama pull"), id="nothing known"),
        pytest.param("The hall or the canteen?", ("• The hall", "• the canteen", "None of the options"), id="options"),
    ],
)
def test_the_thread_is_printed_as_people_see_it(towow: Towow, goal: str, words: tuple[str, ...]) -> None:
    done = towow("plan", goal)

    assert done.code in (0, 3)
    for said in ("You", goal, *words):
        assert said in done.out
    assert "\x1b[" not in done.out
    assert " … " not in done.out


def test_a_point_of_a_round_that_never_began_is_said_not_to_have_been_raised(towow: Towow) -> None:
    done = towow("plan", GOAL, *FACTS, "--json", "--point", "There is no lift.", "--point", "Nobody cooks.@5")

    points = [each for each in done.report["events"] if each["event_type"] == "towow.deliberation.point_raised"]
    assert [each["payload"]["text"] for each in points] == ["There is no lift."]
    assert done.err.startswith("towow: round 5 never began")


def test_the_sequential_start_lets_the_critic_answer_the_plan(towow: Towow) -> None:
    done = towow("plan", GOAL, *FACTS, "--json", "--sequential")

    taken = [each for each in done.report["events"] if each["event_type"] == "towow.deliberation.position_taken"]
    assert [each["payload"]["agent"] for each in taken[:2]] == ["planner", "critic"]
    assert taken[1]["payload"]["plan"] is None


def test_options_are_chosen_from(towow: Towow) -> None:
    done = towow("plan", *TORN, "--json")

    assert done.code in (0, 3)
    assert done.report["events"][0]["payload"]["brief"]["options"] == ["North", "South"]


# ── a brief in a file ─────────────────────────────────────────────────────────────────────────────────────────────

BRIEF: Final = {
    "goal": GOAL,
    "facts": ["The hall closes at 22:00.", {"text": "I cannot before 18:00", "by": "ann", "kind": "limit"}],
    "people": [{"person_id": "ann", "name": "Ann", "brings": "a talk", "hours": 6}],
    "ends": "2027-03-20",
}
YAML: Final = f"""
goal: {GOAL}
facts:
  - The hall closes at 22:00.
  - {{text: I cannot before 18:00, by: ann, kind: limit}}
people:
  - {{person_id: ann, name: Ann, brings: a talk, hours: 6}}
ends: "2027-03-20"
"""


@pytest.mark.parametrize(("name", "said"), [("brief.json", json.dumps(BRIEF)), ("brief.yaml", YAML)])
def test_a_brief_is_read_from_a_file(towow: Towow, tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / name).write_text(said, "utf-8")

    done = towow("plan", "--brief", name, "--json")

    assert done.code in (0, 3)
    brief = done.report["events"][0]["payload"]["brief"]
    assert [(each["kind"], each["by"]) for each in brief["facts"]][1] == ("limit", "ann")
    assert [(each["person_id"], each["hours"]) for each in brief["people"]] == [("ann", 6.0)]
    assert brief["ends"] == "2027-03-20"


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        pytest.param("goal: [\n", "brief.yaml", id="no YAML"),
        pytest.param("goal: x\nfact: y\n", "brief.yaml:2", id="a field of another name"),
        pytest.param("goal: x\nends: soon\n", "brief.yaml:2", id="no day"),
        pytest.param("goal: x\na: &a [1]\nb: *a\n", "brief.yaml", id="an alias"),
        pytest.param("", "brief.yaml", id="nothing"),
    ],
)
def test_what_is_wrong_in_a_brief_is_named_with_its_line(towow: Towow, tmp_path: Path, said: str, fault: str) -> None:
    (tmp_path / "brief.yaml").write_text(said, "utf-8")

    done = towow("plan", "--brief", "brief.yaml", "--json")

    assert (done.code, done.out) == (2, "")
    assert fault in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param((), id="nothing"),
        pytest.param((" \n",), id="blanks"),
        pytest.param(("x" * 4_001,), id="4,001 characters"),
        pytest.param((GOAL, "--option", "North"), id="one option"),
        pytest.param((GOAL, "--fact", "x" * 601), id="a fact of 601 characters"),
        pytest.param((GOAL, "--point", " "), id="a point without words"),
        pytest.param((GOAL, "--point", "x@9"), id="a point in round 9"),
        pytest.param((GOAL, "--brief", "nowhere.yaml"), id="a file that is not there"),
        pytest.param(("\udcff venue",), id="bytes that are no text"),
    ],
)
def test_what_cannot_be_planned_is_bad_input(towow: Towow, arguments: tuple[str, ...]) -> None:
    done = towow("plan", *arguments, "--json")

    assert (done.code, done.out) == (2, "")
    assert done.complaints[-1].startswith("towow")
    assert "Traceback" not in done.err
