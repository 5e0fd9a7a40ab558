"""An answer that is wrong is asked for once more; an example of the prompt is no answer."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.models import needed_prompts
from bot.registry import PROTOCOLS
from engine.errors import InvalidAnswer, Misconfigured, ModelUnavailable
from engine.llm.asker import checked_answer
from engine.llm.claude import ClaudeModel
from engine.llm.examples import examples_in, repeated_example
from engine.llm.port import Prompt, Question
from engine.llm.repairing import Repairing
from engine.offline import OfflineModel
from tests.anthropic_server import LocalAnthropic, Refuses, Says, Status, Truncated

from .prompt_cases import GOOD, case_for

EVERY = [
    pytest.param(prompt, example, id=f"{name}: {example}")
    for name, prompt in needed_prompts(PROTOCOLS).items()
    for example in examples_in(prompt.body)
]
BODY = """\
# Task

See "What was granted before". Say how long ("a 30-minute talk", “二十五张桌子加十二把椅子”), or "soon".

## What was granted before
"""


def test_what_is_quoted_is_an_example_unless_it_is_short_or_a_heading() -> None:
    assert examples_in(BODY) == ("a 30-minute talk", "二十五张桌子加十二把椅子")


@pytest.mark.parametrize(("prompt", "example"), EVERY)
def test_each_example_of_our_prompts_is_found_wherever_it_stands_alone(prompt: Prompt, example: str) -> None:
    given = dict.fromkeys(prompt.given, "Somebody wants something.")
    assert repeated_example(prompt.body, given, {"seats": [{"what": f"{example.upper()}."}]}) == example
    assert repeated_example(prompt.body, given, {"what": "I offer a room."}) == ""
    assert repeated_example(prompt.body, {"demand": {"said": [f"We need {example}!"]}}, {"what": example}) == ""


def test_an_example_inside_a_sentence_is_nobody_s_business() -> None:
    assert repeated_example(BODY, {}, {"role": "A 30-minute talk."}) == "a 30-minute talk"
    assert repeated_example(BODY, {}, {"role": "Gives a 30-minute talk on tea."}) == ""


PLAIN = case_for("aggregate")
EXAMPLE = "the room from 13:00 to 18:00"
BORROWED = {**GOOD["aggregate"], "rationale": f"{EXAMPLE.capitalize()}."}


async def test_an_answer_in_the_words_of_an_example_is_asked_for_again(
    server: LocalAnthropic, claude: ClaudeModel
) -> None:
    server.then(Says(BORROWED), Says(PLAIN.good))
    assert EXAMPLE not in (await claude.answer(PLAIN.question)).value.rationale
    assert f"'{EXAMPLE}' is an example" in server.requests[1].said(2)


async def test_an_example_becomes_no_fact_however_often_it_is_answered(
    server: LocalAnthropic, claude: ClaudeModel
) -> None:
    server.always(Says(BORROWED))
    with pytest.raises(InvalidAnswer, match="an example of the instructions"):
        await claude.answer(PLAIN.question)
    assert len(server.requests) == 2


ASKED = case_for("respond")
PROSE = "I would love to, but my week is full."


async def test_the_model_is_shown_its_own_answer_and_what_is_wrong_with_it(
    server: LocalAnthropic, claude: ClaudeModel
) -> None:
    server.then(Says('{"decision": "perhaps"}'), Says(ASKED.good))
    answer = await claude.answer(ASKED.question)
    assert answer.value.decision == "participate"
    first, second = server.requests
    assert second.refusal is None
    assert [each["role"] for each in second.body["messages"]] == ["user", "assistant", "user"]
    assert second.body["messages"][0] == first.body["messages"][0]
    assert second.said(1) == '{"decision": "perhaps"}'
    assert "decision: Input should be 'participate', 'conditional' or 'decline'" in second.said(2)
    assert json.dumps(first.body["output_config"]["format"]["schema"], separators=(",", ":")) in second.said(2)
    alike = {"messages": [], "stream": True}  # only whom others wait for is streamed
    assert {**second.body, **alike} == {**first.body, **alike}


@pytest.mark.parametrize("text", ["", " \n "], ids=["nothing", "blanks"])
async def test_no_words_at_all_are_shown_as_nothing(server: LocalAnthropic, claude: ClaudeModel, text: str) -> None:
    server.then(Says(text), Says(ASKED.good))
    await claude.answer(ASKED.question)
    assert server.requests[1].refusal is None
    assert server.requests[1].said(1) == "(nothing)"


async def test_it_is_repaired_once_and_no_more(server: LocalAnthropic, claude: ClaudeModel) -> None:
    server.always(Says(PROSE))
    with pytest.raises(InvalidAnswer, match="claude-haiku-5-5 answered negotiation/respond in no usable form"):
        await claude.answer(ASKED.question)
    assert len(server.requests) == 2


async def test_what_went_wrong_repeats_nothing_of_what_was_written(
    server: LocalAnthropic, claude: ClaudeModel, caplog: pytest.LogCaptureFixture
) -> None:
    server.always(Says('{"decision": "my private reason"}'))
    with caplog.at_level("INFO"), pytest.raises(InvalidAnswer) as invalid:
        await claude.answer(ASKED.question)
    assert "my private reason" not in str(invalid.value) + caplog.text


@pytest.mark.parametrize(
    "echo",
    [
        "Your answer cannot be used as it is.",
        "Note: Everything that was said above\nstill holds",
        "I was told: decision: Input should be 'participate', 'conditional' or 'decline'",
    ],
)
async def test_the_words_of_the_repair_never_become_a_person_s(
    server: LocalAnthropic, claude: ClaudeModel, echo: str
) -> None:
    server.then(Says('{"decision": "perhaps"}'), Says(contributing(f"A room. {echo}")))
    with pytest.raises(InvalidAnswer, match="in the words by which it was asked to put it right"):
        await claude.answer(ASKED.question)


async def test_what_people_say_in_short_words_of_ours_is_theirs(server: LocalAnthropic, claude: ClaudeModel) -> None:
    server.then(Says(PROSE), Says(contributing("Nothing before it, and nothing after it: one hour.")))
    assert (await claude.answer(ASKED.question)).value.decision == "participate"


def checked(question: Question[Any]) -> Question[Any]:
    """The question, whose answers must contribute a room."""
    return replace(question, check=lambda said: "" if "room" in said.contribution else "contribution names no room")


async def test_an_answer_that_does_not_pass_the_questions_check_is_asked_for_once_more(
    server: LocalAnthropic, claude: ClaudeModel, caplog: pytest.LogCaptureFixture
) -> None:
    server.then(Says(contributing("a talk")), Says(contributing("a room")))
    with caplog.at_level("INFO"):
        answer = await checked_answer(claude, checked(ASKED.question))
    assert answer.value.contribution == "a room"
    assert "contribution names no room" in server.requests[1].said(2)
    assert "names no room" not in caplog.text


@pytest.mark.parametrize(
    "step", [Says('{"decision": "participate", "contribution": "a walk"}'), Says(PROSE), Refuses(), Status(400)]
)
async def test_where_the_second_answer_is_no_better_one_of_the_two_is_taken(
    server: LocalAnthropic, claude: ClaudeModel, step: Says | Refuses | Status
) -> None:
    server.then(Says(contributing("a talk")), step)
    answer = await checked_answer(claude, checked(ASKED.question))
    assert answer.value.contribution in ("a talk", "a walk")
    assert len(server.requests) == 2


async def test_an_answer_that_had_to_be_repaired_is_not_checked_as_well(
    server: LocalAnthropic, claude: ClaudeModel
) -> None:
    server.then(Says(PROSE), Says(contributing("a talk")))
    assert (await checked_answer(claude, checked(ASKED.question))).value.contribution == "a talk"
    assert len(server.requests) == 2


async def test_rules_that_say_the_same_again_are_not_asked_again() -> None:
    decline = ASKED.question.returns.checked({"decision": "decline"})
    model = OfflineModel({"negotiation": {"respond": lambda **_: decline}})
    given = dict.fromkeys(ASKED.question.given)

    def never(_: Any) -> str:
        raise AssertionError("nothing is gained by checking it")

    answer = await checked_answer(model, replace(ASKED.question, given=given, check=never))
    assert answer.value == decline


def contributing(what: str) -> str:
    return json.dumps({"decision": "participate", "contribution": what})


@pytest.mark.parametrize(
    ("step", "why"),
    [
        pytest.param(Truncated('{"decision": "decl'), "max_tokens", id="half a JSON, cut off"),
        pytest.param(Truncated('{"decision": "decline"}'), "max_tokens", id="a whole JSON, cut off"),
        pytest.param(Refuses(), "refusal", id="a refusal"),
        pytest.param(Says("{}", stop_reason="pause_turn"), "pause_turn", id="a pause"),
        pytest.param(Says("{}", stop_reason="something_new"), "something_new", id="a reason of next year"),
    ],
)
async def test_an_answer_that_ended_early_is_neither_read_nor_repaired(
    server: LocalAnthropic, claude: ClaudeModel, step: Says | Refuses, why: str
) -> None:
    server.then(step)
    with pytest.raises(InvalidAnswer, match=f"early: {why}"):
        await claude.answer(ASKED.question)
    assert len(server.requests) == 1


async def test_a_repair_that_ends_early_ends_it(server: LocalAnthropic, claude: ClaudeModel) -> None:
    server.then(Says(PROSE), Truncated("{"))
    with pytest.raises(InvalidAnswer, match="early: max_tokens"):
        await claude.answer(ASKED.question)


async def test_a_repair_the_api_does_not_take_is_tried_again_like_any_call(
    server: LocalAnthropic, claude: ClaudeModel
) -> None:
    server.then(Says(PROSE), Status(529), Says(ASKED.good))
    assert (await claude.answer(ASKED.question)).value.decision == "participate"
    assert [len(each.body["messages"]) for each in server.requests] == [1, 3, 3]


async def test_a_repair_that_never_gets_through_says_that_claude_is_away(
    server: LocalAnthropic, claude: ClaudeModel
) -> None:
    server.then(Says(PROSE)).always(Status(500))
    with pytest.raises(ModelUnavailable):
        await claude.answer(ASKED.question)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param("Again, please. $schema", "`$fault` and `$schema` belong in it", id="without the fault"),
        pytest.param("$fault", "`$fault` and `$schema` belong in it", id="without the form"),
        pytest.param("$fault, $schema, $name", "no other name", id="with another name"),
        pytest.param("$fault $schema for $5", "a plain dollar sign", id="with a dollar"),
        pytest.param(None, "is not there", id="missing"),
    ],
)
def test_a_wording_that_cannot_be_filled_in_is_found_at_the_start(tmp_path: Path, text: str | None, fault: str) -> None:
    (tmp_path / "shared").mkdir()
    if text is not None:
        (tmp_path / "shared" / "repair.md").write_text(text)
    with pytest.raises(Misconfigured, match=re.escape(fault)):
        Repairing(tmp_path)
