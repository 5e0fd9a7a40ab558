"""Answers that are nearly right: whatever a careless model writes is read as one of the answer's kind, or refused; and
what was read is recorded without a fault, gives nobody a part who has not offered one, and makes nobody's consent.
"""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidAnswer, ModelError
from engine.kernel import plain
from engine.llm.port import Answer, Returns
from engine.llm.reading import read_answer
from engine.negotiation.events import ProposalFeedback
from engine.negotiation.terms import Source
from tests.examples import examples

from .prompt_cases import ASKS, EACH, PromptCase, case_for

CANARY = "canary of a private reason"
WRONG: st.SearchStrategy[Any] = st.sampled_from(
    [
        None, True, 0, -1, 7.5, 10**30, float("nan"), float("inf"), "", " ", "none", "ACCEPT", "yes",
        "user_agent_nobody", "2020-01-01", "2027-02-30", "[TBD]", CANARY, "x" * 20_000, "字" * 9_000,
        "\u202egnirts", "\x00", [], {}, [[]],
        {"a": CANARY}, ["need_1", "need_1"], [None, 3, "a"], ["user_agent_chen_mo"] * 300,
    ]
)  # fmt: skip
Path = tuple[Any, ...]


def places(value: Any, at: Path = ()) -> list[Path]:
    """Every place in a JSON value, the whole of it left out."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path for key, each in pairs for path in ((*at, key), *places(each, (*at, key)))]


@st.composite
def nearly_right(draw: st.DrawFn, good: dict[str, Any]) -> str:
    """A model's text: the good answer with up to three things wrong in it, and whatever stands around it."""
    said = deepcopy(good)
    for _ in range(draw(st.integers(0, 3))):
        if not (found := places(said)):
            break
        *way, last = draw(st.sampled_from(found))
        holder: Any = said
        for step in way:
            holder = holder[step]
        match draw(st.sampled_from(["another value", "left out", "twice", "one more"])):
            case "another value":
                holder[last] = deepcopy(draw(WRONG))
            case "left out":
                del holder[last]
            case "twice" if isinstance(holder, list):
                holder.insert(0, deepcopy(holder[last]))
            case _ if isinstance(holder, dict):
                holder["a_field_that_nobody_knows"] = deepcopy(draw(WRONG))
    text = json.dumps(said, ensure_ascii=draw(st.booleans()))
    around = draw(
        st.sampled_from(
            ["{}", "```json\n{}\n```", "Here it is: {} Is that all right?", "{} {}", "[{}]", '{{"answer": {}}}', "{}}}"]
        )
    )
    whole = around.replace("{{", "\0").replace("}}", "\1").replace("{}", text).replace("\0", "{").replace("\1", "}")
    return whole[: draw(st.sampled_from([len(whole)] * 6 + [len(whole) // 2]))]


def read(text: str, returns: type[Returns]) -> tuple[Returns | None, str]:
    """The answer, or what is wrong."""
    try:
        return read_answer(text, returns), ""
    except InvalidAnswer as error:
        return None, str(error)


@cache
def case(prompt: str) -> PromptCase:
    return case_for(prompt)


@pytest.mark.parametrize("prompt", EACH)
@settings(max_examples=examples(25), deadline=None)
@given(data=st.data())
def test_it_is_read_and_recorded_or_refused(prompt: str, data: st.DataObject) -> None:
    asked = case(prompt)
    text = data.draw(nearly_right(json.loads(json.dumps(dict(asked.good)))))
    question = asked.question
    value, fault = read(text, question.returns)
    if value is None:
        assert CANARY not in fault
        return
    assert question.returns.checked(plain(value)) == value, "it is not read as it was written"
    if question.check is not None:
        assert isinstance(question.check(value), str)
    scenario = deepcopy(asked.scenario)
    try:
        command = ASKS.read(
            scenario.state, asked.ask, question.prompt, Answer(value, "m"), command_id="c-1", at=scenario.now
        )
    except ModelError:
        return
    before = scenario.state
    scenario.obeys(command)
    after = scenario.state
    offered = {each.agent_id for each in after.participants}
    for plan in after.proposals[len(before.proposals) :]:
        seats = [each.agent_id for each in plan.assignments]
        assert {*seats} <= offered
        assert len({*seats}) == len(seats)
    voted = [each for each in scenario.last.events if isinstance(each, ProposalFeedback)]
    assert all(each.source is Source.AGENT and each.agent_id == asked.ask.about for each in voted)
