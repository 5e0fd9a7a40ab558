"""What a question costs is measured of what the product sends."""

from msgspec.structs import replace

from benchmarks.over_the_wire import over_the_wire, written
from bot.models import offline_model
from bot.registry import PROTOCOLS
from engine.facts.language import Language
from engine.kernel import plain
from engine.llm.schema import answer_schema
from engine.negotiation.answers import Assignment, ProposalDraft
from tests.llm.prompt_cases import case_for
from tests.negotiation.prompts import PROMPTS


async def test_a_question_in_either_language_is_answered_by_what_thinks_and_asked_as_claude_is() -> None:
    languages: tuple[Language, ...] = ("en", "zh")
    for language in languages:
        question = replace(case_for("respond").question, language=language)
        async with over_the_wire(offline_model(PROTOCOLS), PROMPTS) as (model, calls):
            answer = await model.answer(question)
        assert answer.value == (await offline_model(PROTOCOLS).answer(question)).value
        assert [each.prompt for each in calls] == ["negotiation/respond"]


def test_what_may_be_left_out_is_not_paid_for_where_it_is_empty() -> None:
    seats = (Assignment(agent_id="user_agent_a", role="host", hours=4),)
    said = plain(ProposalDraft(summary="An evening", assignments=seats))
    sent = written(said, answer_schema(ProposalDraft))
    assert sent["assignments"] == [
        {"agent_id": "user_agent_a", "role": "host", "responsibility": "", "covers": [], "hours": 4}
    ]
    assert sent["risks"] == []
    assert ProposalDraft.checked(sent) == ProposalDraft.checked(said)
