"""What Claude is asked in a deliberation, and that nobody's profile or user id is among it."""

from collections.abc import AsyncIterator
from typing import Any, Final

import pytest

from engine.deliberation import given
from engine.deliberation.asks import DeliberationAsks
from engine.deliberation.commands import AskCritic
from engine.deliberation.given import Given
from engine.directory.profile import Condition, Leave, Limits, Profile, Profiles, TwinTerms, Words
from engine.kernel import Ask
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import MemoryLedger
from engine.llm.port import Question
from tests.anthropic_server import KEY, LocalAnthropic, Says
from tests.llm.leaping_clock import LeapingClock
from tests.negotiation.test_prompt_privacy import types_in
from tests.profiles.people import person

from .good_answers import GOOD
from .prompts import PROMPTS
from .scenario import ANN, PLANNER, REQUESTER, Scenario, in_round, opened, planned

EACH: Final = tuple(GOOD)
CANARY: Final = "canaryzq"


def profiles() -> Profiles:
    """Ann and somebody else, with a word that stands nowhere else in every private field."""
    words = Words(en=CANARY)
    private = {
        "limits": Limits(busy=words, never=(CANARY,), locations=("Beijing", CANARY)),
        "preferences": TwinTerms(
            conditions=(Condition(text=words),), leaves_if=(Leave(plan_says=(CANARY,), because=words),)
        ),
        "profile_summary": CANARY,
    }
    people = [person(name).model_copy(update={**private, "slack_user": ANN}) for name in ("ann", "eve")]
    return Profiles({each.agent_id: each for each in people})


def at(prompt: str) -> tuple[Scenario, Ask]:
    """A deliberation at the moment of the question."""
    match prompt:
        case "plan":
            return opened(), Ask(name="planner-1", scope="any", prompt=prompt, about="planner")
        case "draft":
            return opened(), Ask(name="critic-1", scope="any", prompt=prompt, about="critic")
        case "revise":
            return in_round(2), Ask(name="planner-2", scope="any", prompt=prompt, about="planner")
        case "criticise":
            criticising = in_round(2).objects().says(PLANNER, planned())
            return criticising, Ask(name="critic-2", scope="any", prompt=prompt, about="critic")
        case "host":
            return in_round(2), Ask(name="host-1", scope="any", prompt=prompt, about="1")
        case "close":
            closing = in_round(2).objects().chooses(PLANNER, REQUESTER, why="It is cheaper")
            return closing, Ask(name="close-critic", scope="any", prompt=prompt, about="critic")
        case "report":
            return in_round(2).round(0.95).closes(), Ask(name="report-1", scope="any", prompt=prompt, about="1")
    asked = in_round(2).does(AskCritic, by=ANN, text="Why not later?")
    return asked, Ask(name="question-1", scope="any", prompt=prompt, about="question-1")


def question(prompt: str) -> Question[Any]:
    scenario, ask = at(prompt)
    return DeliberationAsks(PROMPTS, profiles()).compose(scenario.state, ask)


@pytest.fixture
async def server() -> AsyncIterator[LocalAnthropic]:
    async with LocalAnthropic() as server:
        yield server


@pytest.fixture
async def claude(server: LocalAnthropic) -> AsyncIterator[ClaudeModel]:
    claude = ClaudeModel(KEY, PROMPTS.values(), MemoryLedger(), LeapingClock(), base_url=server.url)
    yield claude
    await claude.close()


@pytest.mark.parametrize("prompt", EACH)
async def test_each_prompt_is_asked_as_its_header_says_and_the_api_takes_it(
    server: LocalAnthropic, claude: ClaudeModel, prompt: str
) -> None:
    server.then(Says({**GOOD[prompt]}))
    answer = await claude.answer(question(prompt))
    header = PROMPTS[f"deliberation/{prompt}"]
    (asked,) = server.requests
    assert asked.refusal is None
    assert (asked.body["model"], asked.body["max_tokens"]) == (header.model, header.max_tokens)
    assert asked.body["output_config"]["effort"] == header.effort
    assert answer.value == header.returns.checked(GOOD[prompt])


@pytest.mark.parametrize("prompt", EACH)
async def test_an_answer_that_keeps_to_the_schema_can_be_read(
    server: LocalAnthropic, claude: ClaudeModel, prompt: str
) -> None:
    await claude.answer(question(prompt))
    assert len(server.requests) == 1


@pytest.mark.parametrize("prompt", EACH)
def test_a_prompt_holds_nothing_of_anybodys_profile_and_no_user_id(prompt: str) -> None:
    asked = question(prompt)
    text = asked.prompt.render(asked.given, "0123456789abcdef")
    assert CANARY not in text
    assert ANN not in text
    assert REQUESTER not in text


def test_no_question_has_room_for_a_profile() -> None:
    questions = [each for each in vars(given).values() if isinstance(each, type) and issubclass(each, Given)]
    assert len(questions) == len(EACH)  # the first positions share one, and there is the class of all
    assert not [each.__name__ for each in questions if Profile in types_in(each)]


@pytest.mark.parametrize("prompt", ["revise", "criticise"])
def test_the_rules_and_the_brief_are_a_block_of_their_own(prompt: str) -> None:
    common, own = question(prompt).prompt.render_parts(question(prompt).given, "0123456789abcdef")
    assert "Fifty people meet" in common
    assert "My plan." not in common
    assert "My plan." in own
