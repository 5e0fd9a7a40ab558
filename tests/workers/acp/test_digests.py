"""A digest names exactly what is asked, and people see all of what it names."""

from typing import Any

import pytest

from engine.workers.acp_permissions import LARGEST_QUESTION, UnreadableQuestion, asked, choose

RUN: dict[str, Any] = {"kind": "execute", "title": "ls", "rawInput": {"command": "ls", "description": "Look"}}
EDIT: dict[str, Any] = {
    "kind": "edit",
    "title": "Edit plan.md",
    "content": [{"type": "diff", "path": "/w/plan.md", "oldText": "a\nb\nc", "newText": "a\nB\nc"}],
    "locations": [{"path": "/w/plan.md", "line": 2}],
    "rawInput": {"file_path": "/w/plan.md", "old_string": "b", "new_string": "B"},
}


def digest(call: dict[str, Any], *ids: str) -> str:
    return asked(call, ids).digest


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({**RUN, "rawInput": {**RUN["rawInput"], "command": "ls "}}, id="a blank more"),
        pytest.param({**RUN, "rawInput": {**RUN["rawInput"], "timeout": 5}}, id="a field more"),
        pytest.param({**RUN, "rawInput": {**RUN["rawInput"], "turn_id": "5"}}, id="a field that only a record has"),
        pytest.param({**RUN, "kind": "read"}, id="another kind"),
        pytest.param({**RUN, "title": "ls -l"}, id="another title"),
        pytest.param({**RUN, "locations": [{"path": "/"}]}, id="a place"),
        pytest.param({**RUN, "content": [{"type": "content", "content": {"type": "text", "text": "x"}}]}, id="a text"),
    ],
)
def test_whatever_is_asked_otherwise_has_another_digest(other: dict[str, Any]) -> None:
    assert digest(other) != digest(RUN)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({"toolCallId": "c-1", "status": "pending"}, {"toolCallId": "c-2"}, id="its own id"),
        pytest.param({"_meta": {"at": 1}}, {"_meta": {"at": 2}}, id="what is beside the protocol"),
        pytest.param({"rawOutput": "x"}, {}, id="what came of it"),
        pytest.param({"content": []}, {"content": None}, id="nothing, and an empty list"),
        pytest.param(
            {"rawInput": {"call_id": "c-1", "turn_id": "7", "started_at_ms": 7, "command": "ls"}},
            {"rawInput": {"command": "ls", "started_at_ms": 8, "turn_id": "8", "call_id": "c-2"}},
            id="a record of the agent's",
        ),
    ],
)
def test_what_changes_from_run_to_run_is_not_in_the_digest(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert digest({**RUN, **one}, "c-1", "s-1") == digest({**RUN, **other}, "c-2", "s-2")


def test_a_digest_has_its_form() -> None:
    algorithm, _, digits = digest(RUN).partition(":")
    assert (algorithm, len(digits)) == ("sha256", 64)
    assert set(digits) <= set("0123456789abcdef")


def test_a_command_is_shown_with_everything_it_is_given() -> None:
    assert asked({**RUN, "rawInput": {"command": "ls", "env": {"A": "é"}, "sandbox": False}}, ()).detail == (
        'ls\nenv: {"A": "é"}\nsandbox: false'
    )


def test_an_edit_is_shown_as_its_difference() -> None:
    assert asked(EDIT, ()).detail == "--- /w/plan.md\n@@ line 2 @@\n-b\n+B\nold_string: b\nnew_string: B"


def test_a_new_file_is_shown_whole() -> None:
    call = {"kind": "edit", "content": [{"type": "diff", "path": "/w/a.md", "newText": "one\ntwo"}]}
    assert asked(call, ()).detail == "--- /w/a.md\n+one\n+two"


def test_what_nobody_would_see_is_spelled_out() -> None:
    hidden = {**RUN, "title": "ls\u202e", "rawInput": {"command": "ls\u200b\x1b[2K\ud800 你好"}}
    question = asked(hidden, ())
    assert question.title == r"ls\u{202e}"
    assert question.detail == r"ls\u{200b}\u{1b}[2K\u{d800} 你好"


@pytest.mark.parametrize(
    "call",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"kind": "execute", "rawInput": None}, id="only its kind"),
        pytest.param({"title": "x" * (LARGEST_QUESTION + 1)}, id="too long a title"),
        pytest.param({"title": "x", "rawInput": {"command": "y" * LARGEST_QUESTION}}, id="too long a command"),
    ],
)
def test_what_nobody_could_decide_is_no_question(call: dict[str, Any]) -> None:
    with pytest.raises(UnreadableQuestion):
        asked(call, ())


def test_the_largest_question_is_one() -> None:
    call = {"title": "x", "rawInput": {"command": "y" * (LARGEST_QUESTION - 1)}}
    assert len(asked(call, ()).detail) == LARGEST_QUESTION - 1


def test_a_question_as_deep_as_a_well_is_refused() -> None:
    deep: Any = "water"
    for _ in range(900):
        deep = {"well": deep}
    with pytest.raises(UnreadableQuestion, match="nested too deeply"):
        asked({"title": "x", "rawInput": deep}, ())


@pytest.mark.parametrize(
    "wrong", [{"kind": ["x"]}, {"title": 5}, {"content": 7}, {"content": ["x"]}, {"locations": {}}]
)
def test_a_question_of_the_wrong_form_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UnreadableQuestion, match="wrong form"):
        asked({**RUN, **wrong}, ())


@pytest.mark.parametrize(
    ("kinds", "is_allowed", "chosen"),
    [
        pytest.param(("allow_always", "allow_once", "reject_once"), True, ("allow_once", False), id="rather once"),
        pytest.param(("allow_always", "reject_once"), True, ("allow_always", True), id="for good where nothing else"),
        pytest.param(("reject_always", "allow_once"), False, ("reject_always", True), id="refused for good"),
        pytest.param(("reject_once", "reject_always"), False, ("reject_once", False), id="refused once"),
        pytest.param(("reject_once",), True, None, id="nothing allows"),
        pytest.param(("allow_once",), False, None, id="nothing refuses"),
    ],
)
def test_the_option_that_says_the_answer_is_chosen(
    kinds: tuple[str, ...], is_allowed: bool, chosen: tuple[str, bool] | None
) -> None:
    options: list[Any] = [{"optionId": kind, "kind": kind, "name": kind} for kind in kinds]
    choice = choose([*options, {"optionId": 5}], is_allowed=is_allowed)
    assert (choice and (choice.option_id, choice.is_for_good)) == chosen
