"""The JSON of seed 001: each example is read and written again to the letter, and the schemas allow it."""

import itertools
import json
import re
from datetime import date, datetime, timedelta
from typing import Any, Final, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema_rs import Draft202012Validator, meta
from pydantic import ValidationError

from engine.deliberation.envelopes.fields import OutputType
from engine.deliberation.envelopes.session import DONE, format_line, parse_line
from engine.deliberation.envelopes.tools import ENVELOPES, schemas
from engine.deliberation.terms import Agent
from engine.llm.tools import DateAsked, calculate_date, get_now
from tests.examples import examples

from .envelope_cases import CHECKS, SCHEMAS, SHAPES, again, refusal, with_
from .schema_files import FOLDER, SUFFIX, path
from .schema_values import values
from .seed_001 import DIMENSIONS, SLIPS, TEXTS, Slip, example, lines

CASES: Final = [
    pytest.param(section, name, id=f"{section} {name}") for section, names in SHAPES.items() for name in names
]
each_example: Final = pytest.mark.parametrize(("section", "name"), CASES)
# ── the seed ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_example_has_its_envelope() -> None:
    assert {*SHAPES, "6.1 lines"} == {*TEXTS}
    assert {name for names in SHAPES.values() for name in names} | {
        "position_output",
        "plan",
        "stream_event",
        "multi_agent_message",
    } == {*ENVELOPES}


@each_example
def test_each_example_is_written_as_it_was_read_to_the_letter(section: str, name: str) -> None:
    said = example(section)

    assert json.dumps(again(name, said)) == json.dumps(said)


@each_example
def test_each_example_has_the_shape_that_is_written_down(section: str, name: str) -> None:
    shape = Draft202012Validator(json.loads(path(name).read_text("utf-8")), validate_formats=True)

    assert [each.message for each in shape.iter_errors(example(section))] == []


@pytest.mark.parametrize("slip", [pytest.param(each, id=each.section) for each in SLIPS])
def test_where_the_seed_has_miscounted_the_example_is_right_and_says_so(slip: Slip) -> None:
    text = TEXTS[slip.section]
    comment, corrected = re.findall(r"^ *// The seed says ([^\n]*)\n *([^\n]*)", text, re.M)[0]

    assert slip.right in corrected
    assert comment.startswith(slip.seed.partition(": ")[2].strip('"'))


@pytest.mark.parametrize(
    ("slip", "why"),
    [
        pytest.param(SLIPS[1], "2025-12-04 is a Thursday, not a Wednesday", id="weekday of get_now"),
        pytest.param(SLIPS[2], "2025-12-21 is a Sunday, not a Saturday", id="weekday of calculate_date"),
        pytest.param(SLIPS[3], "consensus_trend has 3 values in round 2", id="consensus_trend"),
    ],
)
def test_what_the_seed_has_miscounted_is_refused(slip: Slip, why: str) -> None:
    seed = TEXTS[slip.section].replace(slip.right, slip.seed)

    assert why in refusal(SHAPES[slip.section][0], example(slip.section, seed))


def test_a_number_with_a_plus_is_no_json() -> None:
    with pytest.raises(json.JSONDecodeError):
        example("8", TEXTS["8"].replace("0.05", "+0.05"))


def test_the_deadline_of_the_first_phase_is_its_six_weeks_after_the_plan() -> None:
    plan = example("2.2")
    phase = plan["metadata"]["plan"]["phases"][0]

    written = date.fromisoformat(plan["timestamp"][:10])

    assert phase["duration"] == "6周"
    assert written + timedelta(weeks=6) == date.fromisoformat(phase["tasks"][0]["deadline"])


def test_the_other_figures_of_the_seed_add_up() -> None:
    """What was computed and is right: so no slip is left."""
    asked, found = example("3.3 in"), example("3.3 out")["data"]
    assert date.fromisoformat(asked["base_date"]) + timedelta(**asked["offset"]) == date.fromisoformat(
        found["result_date"]
    )
    compared, analysis = example("3.1 out")["data"], example("2.4")["metadata"]["analysis"]
    for told in (compared, analysis):
        pairs = {(i, j): told["similarity_matrix"][i][j] for i, j in itertools.combinations(range(3), 2)}
        assert tuple(told["most_different_pair"]) == min(pairs, key=lambda pair: pairs[pair])
    assert compared["mean_similarity"] == pytest.approx((0.92 + 0.88 + 0.81) / 3)
    assert {len(each) for each in compared["embeddings"]} == {DIMENSIONS}
    # The Planner's and the Critic's, the first two rows; the mean of all three pairs would be 0.90.
    assert analysis["consensus_level"] == analysis["similarity_matrix"][0][1]


@pytest.mark.parametrize("agent", [*Agent])
@pytest.mark.parametrize("kind", get_args(OutputType))
def test_the_base_of_an_output_takes_every_agent_and_type_of_its_comments(agent: str, kind: str) -> None:
    assert all(f'"{each}"' in TEXTS["2.1"] for each in (agent, kind))
    said = example("2.1") | {"agent_id": agent, "output_type": kind, "metadata": {"any": [{"thing": None}]}}

    assert again("base_output", said) == said


def test_the_tools_of_the_engine_give_what_the_examples_say() -> None:
    """At 10:00 in Shanghai: the engine's own answers hold the corrected weekdays."""
    [now, asked] = (example(f"3.{number} out")["data"] for number in (2, 3))
    at = int(datetime.fromisoformat(f"{now['now']}+08:00").timestamp() * 1000)
    takes = DateAsked.checked({each: example("3.3 in")[each] for each in ("base_date", "offset")})

    assert get_now(now["timezone"], at) == now
    assert calculate_date(takes, now["timezone"]) == asked


@pytest.mark.parametrize("base", ["2025-12-04", "2025-12-04T10:00:00", "2025-12-04T10:00:00Z"])
def test_whatever_may_be_asked_of_dates_has_its_envelope(base: str) -> None:
    asked = example("3.3 in") | {"base_date": base, "offset": {"days": 0, "years": 1, "months": -1, "hours": 30}}
    takes = DateAsked.checked({each: asked[each] for each in ("base_date", "offset")})
    found = {"success": True, "data": calculate_date(takes, "Asia/Shanghai")}

    assert again("tool_call", asked) == asked
    assert again("calculate_date_result", found) == found
    assert CHECKS["tool_call"].is_valid(asked)
    assert CHECKS["calculate_date_result"].is_valid(found)


def test_a_tool_that_failed_says_so() -> None:
    failed = {"success": False, "error": "no embedder"}

    for name in ("compare_positions_result", "get_now_result", "calculate_date_result"):
        assert again(name, failed) == failed
        assert CHECKS[name].is_valid(failed)
        assert "error" in refusal(name, {"success": False})
        assert "data" in refusal(name, {"success": True, "error": "none"})


# ── lines ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("line", [pytest.param(each, id=each[:46]) for each in lines()])
def test_each_line_is_written_as_it_was_read(line: str) -> None:
    assert format_line(parse_line(line)) == f"{line}\n\n"
    assert line == f"data: {DONE}" or CHECKS["stream_event"].is_valid(json.loads(line.removeprefix("data:")))


def test_the_lines_together_are_the_example() -> None:
    assert "".join(format_line(parse_line(each)) for each in lines()).strip("\n") == "\n\n".join(lines())


@given(values(SCHEMAS["stream_event"]))
def test_an_event_is_one_line_whatever_is_said(event: Any) -> None:
    line = format_line(ENVELOPES["stream_event"].validate_python(event))

    assert line.endswith("\n\n")
    assert not re.search(r"[\r\n]", line[:-2])
    assert ENVELOPES["stream_event"].dump_python(parse_line(line), mode="json") == event


@pytest.mark.parametrize("line", ["", ": ping", "id: 4", "event: message", "data:", "data: {}", "data: [done]"])
def test_what_is_no_line_of_the_stream_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"data:|JSON|discriminator|object"):
        parse_line(line)


def test_a_line_that_says_more_is_refused_and_nobody_is_quoted() -> None:
    for line in lines()[:-1]:
        said = json.loads(line.removeprefix("data:")) | {"unexpected": "our secret"}
        with pytest.raises(ValidationError, match="unexpected") as refused:
            parse_line(f"data: {json.dumps(said)}")
        assert "our secret" not in str(refused.value)
        assert "our secret" not in refusal("stream_event", said)


def test_what_a_client_shows_is_made_of_the_same_shapes() -> None:
    said = {
        "type": "multi_agent_session",
        "sessionId": "conv_456",
        "rounds": [
            {
                "round": 1,
                "outputs": [
                    {"agent": "planner", "content": "…", "position": example("8")},
                    {"agent": "critic", "content": "…"},
                ],
                "hostDecision": example("2.4")["metadata"]["decision"],
            },
            {"round": 2, "outputs": []},
        ],
        "finalReport": {"content": "# …", "plan": example("2.2")["metadata"]["plan"]},
    }
    bare = {"type": "multi_agent_session", "sessionId": "conv_456", "rounds": []}

    for each in (said, bare):
        assert json.dumps(again("multi_agent_message", each)) == json.dumps(each)
        assert CHECKS["multi_agent_message"].is_valid(each)
    assert "session_id" in refusal("multi_agent_message", bare | {"session_id": "conv_456"})


# ── what the design adds ──────────────────────────────────────────────────────────────────────────────────────────

ADDED: Final[dict[str, dict[str, Any]]] = {
    "2.2": {
        "metadata.position.uncertainties": ["没有场地"],
        "metadata.position.worst_case": "没有人来",
        "metadata.position.slots": {
            "decision": "online",
            "dates": [{"name": "doors", "value": "2026-01-15"}],
            "quantities": [{"name": "guests", "value": "50"}],
            "owners": [{"name": "", "value": "aya"}],
        },
        "metadata.position.because": ["need-2"],
        "metadata.plan.phases.0.tasks.0.task_id": "task-1",
        "metadata.plan.phases.0.tasks.0.owner": "aya",
        "metadata.plan.phases.0.tasks.0.starts": "2025-12-05",
        "metadata.plan.phases.0.tasks.0.depends_on": ["task-2"],
        "metadata.plan.phases.0.tasks.0.expected_output": "a list",
        "metadata.plan.phases.0.tasks.0.acceptance_criteria": ["it has 500 words"],
        "metadata.plan.phases.0.tasks.0.because": ["need-2"],
        "metadata.moves": [{"slot": "deadline", "task_id": "task-1", "why": "too late", "argument": "critic-1-2"}],
        "metadata.answers": [{"argument": "critic-1-2", "answer": "right"}],
    },
    "2.3": {
        "metadata.critique.risks.0.argument_id": "critic-1-1",
        "metadata.critique.suggestions.0.argument_id": "critic-1-2",
        "metadata.critique.moves": [{"slot": "decision", "argument": "need-2"}],
        "metadata.critique.answers": [{"argument": "planner-1-1", "answer": "too late"}],
        "metadata.critique.flaws": [{"argument": "planner-1-2", "flaw": "nobody has the time"}],
        "metadata.plan": example("2.2")["metadata"]["plan"],
    },
    "2.5": {
        "metadata.summary.open_disagreements": ["时间；一周的记录会说明"],
        "metadata.summary.dissent": ["模考太少"],
        "metadata.summary.todo": ["报名"],
        "metadata.summary.decision_record": {
            "decided": "3个月",
            "decided_by": ["host", "U0AYA"],
            "arguments": ["每天2小时"],
            "rejected": [{"option": "1个月", "reason": "时间不足"}],
            "assumptions": ["CET-4"],
            "dissent": ["太贵"],
            "cost": {"model_calls": 7, "input_tokens": 9000, "output_tokens": 4000, "cost_usd": 0.05},
        },
    },
    "4.1": {
        "reason": "similarity changed by less than 0.02",
        "errors": [
            example("7.1"),
            example("7.2"),
            example("7.3") | {"round": 2},
            example("7.1") | {"error": "agent_failed"},
            example("7.1") | {"error": "content_withheld", "action": "withhold_content"},
        ],
    },
}
MORE: Final = [
    pytest.param(section, at, value, id=f"{section} {at}")
    for section, more in ADDED.items()
    for at, value in more.items()
]


@pytest.mark.parametrize(("section", "at", "value"), MORE)
def test_what_is_added_is_written_while_it_says_something_and_left_out_while_it_is_empty(
    section: str, at: str, value: Any
) -> None:
    bare, name = example(section), SHAPES[section][0]
    more = with_(bare, at, value)

    assert again(name, more) == more
    assert CHECKS[name].is_valid(more)
    if not isinstance(value, dict):
        is_date = at.endswith("starts")
        assert again(name, with_(bare, at, None if is_date else type(value)())) == bare


def test_everything_added_at_once() -> None:
    for section, more in ADDED.items():
        said = example(section)
        for at, value in more.items():
            said = with_(said, at, value)
        assert again(SHAPES[section][0], said) == said


def test_a_position_by_itself_and_a_decision_without_an_analysis() -> None:
    position = example("2.3") | {"output_type": "position", "metadata": {"position": example("8")}}
    stopped = example("2.4")
    del stopped["metadata"]["analysis"]

    for said in (position, stopped):
        assert json.dumps(again("agent_output", said)) == json.dumps(said)
        assert CHECKS["agent_output"].is_valid(said)


# ── the schemas ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_schemas_that_are_written_down_say_what_the_code_says() -> None:
    made = schemas()

    assert {each.name.removesuffix(SUFFIX) for each in FOLDER.iterdir()} == {*made}
    for name, text in made.items():
        assert meta.is_valid(json.loads(text))
        assert path(name).read_text("utf-8") == text, "run: python -m tests.deliberation.schema_files"


@pytest.mark.parametrize("name", ENVELOPES)
def test_whatever_the_schema_allows_is_written_as_it_was_read(name: str) -> None:
    @settings(
        max_examples=examples(15),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
    @given(values(SCHEMAS[name]))
    def holds(value: Any) -> None:
        assert [each.message for each in CHECKS[name].iter_errors(value)] == []
        assert again(name, value) == value

    holds()
