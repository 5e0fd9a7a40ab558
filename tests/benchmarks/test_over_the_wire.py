"""What a question costs is measured of what the product sends."""

from msgspec.structs import replace

from benchmarks.over_the_wire import over_the_wire
from bot.models import offline_model
from engine.facts.language import Language
from tests.llm.prompt_cases import case_for
from tests.negotiation.prompts import PROMPTS


async def test_a_question_in_either_language_is_answered_by_what_thinks_and_asked_as_claude_is() -> None:
    languages: tuple[Language, ...] = ("en", "zh")
    for language in languages:
        question = replace(case_for("respond").question, language=language)
        async with over_the_wire(offline_model(), PROMPTS) as (model, calls):
            answer = await model.answer(question)
        assert answer.value == (await offline_model().answer(question)).value
        assert [each.prompt for each in calls] == ["negotiation/respond"]
