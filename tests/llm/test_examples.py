"""What a prompt shows as an example is no fact: an answer with it is sent back, unless somebody has said it."""

import pytest

from bot.models import needed_prompts
from bot.registry import PROTOCOLS
from engine.errors import InvalidAnswer
from engine.llm.claude import ClaudeModel
from engine.llm.examples import examples_in, repeated_example
from engine.llm.port import Prompt
from tests.anthropic_server import LocalAnthropic, Says

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


ASKED = case_for("aggregate")
EXAMPLE = "the room from 13:00 to 18:00"
BORROWED = {**GOOD["aggregate"], "rationale": f"{EXAMPLE.capitalize()}."}


async def test_an_answer_in_the_words_of_an_example_is_asked_for_again(
    server: LocalAnthropic, claude: ClaudeModel
) -> None:
    server.then(Says(BORROWED), Says(ASKED.good))
    assert EXAMPLE not in (await claude.answer(ASKED.question)).value.rationale
    assert f"'{EXAMPLE}' is an example" in server.requests[1].said(2)


async def test_an_example_becomes_no_fact_however_often_it_is_answered(
    server: LocalAnthropic, claude: ClaudeModel
) -> None:
    server.always(Says(BORROWED))
    with pytest.raises(InvalidAnswer, match="an example of the instructions"):
        await claude.answer(ASKED.question)
    assert len(server.requests) == 2
