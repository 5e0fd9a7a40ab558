"""The cases by which a model is tried that reads limits: each can be failed, and a right answer passes."""

from typing import Any

from bot.demo.directory.evals import PART
from bot.demo.evals.part import Table
from bot.demo.evals.questions.cases import PromptCase
from bot.models import needed_prompts
from bot.protocol_row import policies
from bot.registry import PROTOCOLS
from engine.directory.asks import ProfileRead
from engine.llm.port import Answer, Question
from tests.profiles.people import shipped

MONDAYS = {"number": 1, "data": {"kind": "days", "weekdays": ["mon"], "allowed": False}, "scope": "own"}


class Says:
    def __init__(self, *limits: Any) -> None:
        self.answered = Answer(ProfileRead.checked({"limits": limits}), "script")

    async def answer(self, question: Question[Any]) -> Answer[Any]:
        return self.answered


async def failed(model: Says) -> set[str]:
    table = Table(model, needed_prompts(PROTOCOLS), shipped(), policies(PROTOCOLS)["balanced"])
    outcomes = [await PART.play(each, table) for each in PART.load(None) if isinstance(each, PromptCase)]
    return {each.case.id.partition("/")[2] for each in outcomes if not each.passed}


async def test_whoever_reads_nothing_passes_where_nothing_is_data_alone() -> None:
    everything = {each.id.partition("/")[2] for each in PART.load(None)}
    none = {f"{language}-{name}" for language in ("en", "zh") for name in ("topic", "only-in-a-case")}

    assert await failed(Says()) == everything - none


async def test_a_right_answer_passes_and_one_about_a_line_that_is_not_there_does_not() -> None:
    right = await failed(Says(MONDAYS))
    assert not right & {"en-mondays", "zh-mondays"}
    assert {"en-topic", "zh-online"} <= right
    assert "en-mondays" in await failed(Says(MONDAYS, {**MONDAYS, "number": 2}))
