"""How an answer is found in what a model wrote."""

import re
import time

import pytest

from engine.errors import InvalidAnswer
from engine.kernel import encode
from engine.llm.reading import read_answer
from engine.negotiation.answers import OfferAnswer, ProposalDraft, Shortlist, Understanding

DECLINES = '{"decision": "decline", "reasoning": "A busy week", "confidence": 70}'


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(DECLINES, id="bare"),
        pytest.param(f"\n  {DECLINES}\n", id="with blanks around"),
        pytest.param(f"```json\n{DECLINES}\n```", id="fenced"),
        pytest.param(f"Here it is:\n```\n{DECLINES}\n```\nThat is all.", id="fenced, between sentences"),
        pytest.param(f"My answer is {DECLINES} and that is final.", id="within a sentence"),
        pytest.param(f"[{DECLINES}]", id="in a list"),
        pytest.param(f'{{"answer": {DECLINES}}}', id="in a wrapper"),
        pytest.param(f"For {{this}} and {{}} and {{1: 2}}: {DECLINES}", id="braces that are no JSON before it"),
        pytest.param(f'They sent {{"text": "hi"}}. {DECLINES}', id="JSON about something else before it"),
        pytest.param(f'The form is {{"decision": "participate"}}. {DECLINES}', id="less of an answer before it"),
        pytest.param(f'{DECLINES} Not {{"decision": "participate"}}!', id="less of an answer after it"),
        pytest.param(
            f"{DECLINES.replace('decline', 'participate')} On reflection: {DECLINES}", id="the second of two answers"
        ),
        pytest.param(DECLINES.replace("decline", " DECLINE "), id="in capitals, with blanks"),
        pytest.param(DECLINES.replace("70", "70.4"), id="with half a percent"),
        pytest.param(DECLINES[:-1] + ', "mood": "tired"}', id="with more than was asked"),
        pytest.param(DECLINES[:-1] + ', "conditions": null, "contribution": null}', id="with nulls"),
        pytest.param(DECLINES[:-1] + ', "conditions": [null]}', id="with a null in a list"),
    ],
)
def test_the_answer_is_found(text: str) -> None:
    answer = read_answer(text, OfferAnswer)
    assert answer == OfferAnswer.checked({"decision": "decline", "reasoning": "A busy week", "confidence": 70})


@pytest.mark.parametrize(
    "said",
    [
        pytest.param("use {name} and }{", id="braces"),
        pytest.param('say "no" {"decision": "participate"}', id="quotes and JSON"),
        pytest.param("back\\slash }", id="a backslash"),
        pytest.param("two\nlines", id="a line break"),
    ],
)
def test_what_is_in_a_string_is_only_text(said: str) -> None:
    text = encode(OfferAnswer.checked({"decision": "decline", "reasoning": said}))
    assert read_answer(f"So: {text}.", OfferAnswer).reasoning == said


def test_a_line_break_that_should_have_been_escaped_is_a_line_break() -> None:
    assert read_answer('{"decision": "decline", "reasoning": "one\ntwo"}', OfferAnswer).reasoning == "one\ntwo"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("", "There is no JSON object in it.", id="nothing"),
        pytest.param("I would rather not.", "There is no JSON object in it.", id="prose"),
        pytest.param('"decline"', "There is no JSON object in it.", id="a string"),
        pytest.param("{}", "no complete JSON object with the fields", id="an empty object"),
        pytest.param('{"answer": "no"}', "no complete JSON object with the fields", id="other fields"),
        pytest.param(DECLINES[:-20], "no complete JSON object with the fields", id="half of it"),
        pytest.param('{"decision": null}', "no complete JSON object with the fields", id="only null"),
        pytest.param('{"reasoning": "Hm"}', "decision: Field required", id="without what matters"),
        pytest.param('{"decision": "perhaps"}', "decision: Input should be 'participate', ", id="a fourth choice"),
        pytest.param('{"decision": ["decline"]}', "decision: Input should be", id="a list of choices"),
        pytest.param('{"decision": "decline", "confidence": 1e999}', "no complete", id="more than a number"),
        pytest.param('{"decision": "decline", "confidence": NaN}', "no complete", id="not a number"),
    ],
)
def test_anything_else_is_no_answer_and_it_is_said_why(text: str, told: str) -> None:
    with pytest.raises(InvalidAnswer, match=re.escape(told)):
        read_answer(text, OfferAnswer)


def test_an_answer_has_to_say_who_fits_even_if_that_is_nobody() -> None:
    with pytest.raises(InvalidAnswer):
        read_answer('{"analysis": "nobody"}', Shortlist)
    assert read_answer('{"definitely_related": []}', Shortlist) == Shortlist(definitely_related=())


def test_the_parts_of_a_broken_answer_are_no_answer() -> None:
    whole = '{"analysis": "x", "definitely_related": [{"agent_id": "a", "reason": "b"}, {"agent_id": "c"}'
    with pytest.raises(InvalidAnswer):
        read_answer(whole, Shortlist)


def test_what_is_told_quotes_nothing_of_what_was_written() -> None:
    with pytest.raises(InvalidAnswer) as invalid:
        read_answer('{"decision": "my secret", "conditions": "another secret"}', OfferAnswer)
    assert "secret" not in str(invalid.value)
    assert "decision" in str(invalid.value)
    assert "conditions" in str(invalid.value)


def test_of_many_faults_the_first_twenty_are_told() -> None:
    seats = ", ".join('{"role": "x"}' for _ in range(200))
    with pytest.raises(InvalidAnswer) as invalid:
        read_answer(f'{{"summary": "x", "assignments": [{seats}]}}', ProposalDraft)
    assert str(invalid.value).count("Field required") == 20
    assert re.search(r"; and \d+ more$", str(invalid.value))


def test_half_a_character_becomes_one_that_can_be_stored() -> None:
    answer = read_answer(r'{"surface_demand": "\ud83d\ude00 and \ude00", "context": {"date": "\ud83d"}}', Understanding)
    assert answer.surface_demand == "😀 and �"
    assert encode(answer).encode()


@pytest.mark.parametrize(
    "unit",
    ["{", "[", '{"a":', '{"a":[', '{"a":"', '{"decision":', '{"decision":"no","x":{'],
)
def test_nothing_keeps_the_reader_busy(unit: str) -> None:
    began = time.process_time()
    with pytest.raises(InvalidAnswer):
        read_answer(unit * 20_000, OfferAnswer)
    assert time.process_time() - began < 2
