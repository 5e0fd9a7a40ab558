"""When the model cannot answer: the step is labelled where people see it, nobody has agreed because of it, and the
negotiation ends sensibly."""

import pytest

from engine.errors import BudgetSpent, InvalidAnswer, ModelError, ModelTimeout, ModelUnavailable
from engine.negotiation.answers import Covering, OfferAnswer, OfferDecision
from engine.negotiation.events import FeedbackEvaluated, ProposalFeedback, StepDegraded
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome, Source

from .conftest import Given
from .driver import ACCEPT, ALONE, AYA, BO, NEGOTIATE, YOU, Driver, text_of
from .test_direct import direct

ERRORS = [
    pytest.param(ModelUnavailable("no route"), "E003", id="unavailable"),
    pytest.param(ModelTimeout("after 10 s"), "E004", id="too slow"),
    pytest.param(InvalidAnswer("not JSON"), "E013", id="nonsense"),
    pytest.param(BudgetSpent("no money"), "E014", id="too dear"),
]
ERROR = ModelUnavailable("no route")


async def labels(it: Driver) -> list[tuple[str, str]]:
    """Return (prompt, why) of what stood in for a model. The thread says so as well, in nobody's words but ours."""
    root = await it.root()
    whys = {each.why for each in (await it.state()).degraded}
    assert ("⚠️ The model was out of reach for: " in root) is bool(whys - {"E013", "E014"})
    assert ("⚠️ What the model answered could not be read for: " in root) is ("E013" in whys)
    assert ("⚠️ The budget for models was spent before: " in root) is ("E014" in whys)
    assert "nobody’s consent was assumed from it" in root
    everything = "\n".join(map(text_of, await it.thread()))
    assert not any(secret in everything for secret in ("no route", "after 10 s", "not JSON", "no money", "Traceback"))
    return [(each.prompt, each.why) for each in await it.happened(StepDegraded)]


COVERING = OfferAnswer(
    decision=OfferDecision.PARTICIPATE,
    contribution="helps",
    covers=(Covering(need_id="need_1"),),
)
"""What rules make of a demand that no model has read is one need, the whole text; these twins claim it."""


@pytest.mark.parametrize(("error", "code"), ERRORS)
@pytest.mark.parametrize(
    ("prompt", "step"),
    [
        pytest.param("understand", "reading the demand", id="understand"),
        pytest.param("filter", "choosing whom to ask", id="filter"),
        pytest.param("aggregate", "weaving the proposal", id="aggregate"),
    ],
)
async def test_rules_stand_in_until_the_twins_vote(
    given: Given, prompt: str, step: str, error: ModelError, code: str
) -> None:
    says = {"respond": COVERING} if prompt == "understand" else {}
    it = await given(alone=["chen"], policy=ALONE, fails={prompt: error}, says=says)

    state = await it.stands(Status.FINALIZED, round=1)
    assert await labels(it) == [(prompt, code)]
    assert step in await it.root()
    assert state.final is not None
    assert [each.responsibility for each in state.final.final_proposal.assignments] == [
        "aya helps", "bo helps", "chen helps",
    ]  # fmt: skip
    assert all(each.source is Source.AGENT for each in await it.happened(ProposalFeedback))


@pytest.mark.parametrize(
    ("prompt", "step"),
    [("understand", "reading the demand"), ("filter", "choosing whom to ask"), ("aggregate", "weaving the proposal")],
)
async def test_where_a_model_is_required_people_are_told_why_it_ends_and_what_would_help(
    given: Given, prompt: str, step: str
) -> None:
    it = await given(policy=ALONE.model_copy(update={"require_model": True}), fails={prompt: ERROR})

    state = await it.stands(Status.FAILED)
    assert (state.outcome, state.proposals, state.compromise) == (Outcome.MODEL_UNAVAILABLE, (), None)
    assert await labels(it) == [(prompt, "E003")]
    assert f"out of reach for: {step}. Nothing stood in" in await it.root()
    told = text_of((await it.thread())[-1])
    assert "No model could be reached, and nothing else may answer in its place here." in told
    assert "Take it up again in a while; for new demands, an admin can let simple rules stand in" in told
    assert "compromise" not in it.script.asked


async def test_a_twin_that_cannot_answer_has_not_offered(given: Given) -> None:
    it = await given(policy=ALONE, fails={"respond/bo": ModelTimeout("after 10 s")})

    await it.stands(Status.FINALIZED, round=1)
    assert await labels(it) == [("respond", "E004")]
    assert "the answers of 1 twin" in await it.root()
    assert "1 of 2 take part" in text_of((await it.thread())[2])


async def test_without_any_offer_it_fails_and_says_that_nobody_refused(given: Given) -> None:
    it = await given(policy=ALONE, fails={"respond": ModelUnavailable("no route")})

    state = await it.stands(Status.FAILED)
    assert state.outcome is Outcome.MODEL_UNAVAILABLE
    assert len(await labels(it)) == 2
    told = text_of((await it.thread())[-1])
    assert "The twins could not answer, and nobody else said yes." in told
    assert "Nobody refused" in told
    assert "take part" not in told


async def test_people_whose_twins_cannot_answer_are_asked_themselves(given: Given) -> None:
    it = await given(fails={"respond": ModelUnavailable("no route")})

    await it.stands(Status.COLLECTING)
    assert "Waiting for people whose twins could not answer" in await it.root()
    for user in (AYA, BO):
        [asked] = await direct(it, user)
        assert "your twin could not answer. Do you take part?" in text_of(asked)


@pytest.mark.parametrize(("error", "code"), ERRORS)
async def test_a_twin_that_cannot_vote_leaves_it_to_its_human(given: Given, error: ModelError, code: str) -> None:
    it = await given(fails={"feedback/aya": error})

    assert await it.votes() == {"aya": None, "bo": "accept"}
    assert await labels(it) == [("feedback", code)]
    assert "⏳ *Aya*: the twin could not answer; it is theirs to decide" in text_of(await it.card())
    await it.clicks(AYA, ACCEPT)
    await it.clicks(BO, ACCEPT)
    state = await it.stands(Status.FINALIZED, round=1)
    assert state.final is not None
    assert state.final.confirmed_participants == ("user_agent_aya", "user_agent_bo")


async def test_a_human_who_was_asked_and_let_the_time_pass_is_never_confirmed(given: Given) -> None:
    it = await given(fails={"feedback/aya": ModelUnavailable("no route")})

    await it.time_is_up()

    state = await it.stands(Status.FINALIZED, round=1)
    assert state.final is not None
    assert state.final.confirmed_participants == ("user_agent_bo",)
    assert state.final.optional_participants == ("user_agent_aya",)
    assert "▫️ *Aya* has not agreed" in await it.root()


async def test_a_seat_that_nobody_could_speak_for_is_silent(given: Given) -> None:
    it = await given(linked=[], alone=["chen", "dee", "eli", "fay"], policy=ALONE, fails={"feedback/chen": ERROR})

    [tally] = [each for each in await it.happened(FeedbackEvaluated) if each.round == 1]
    assert (tally.accepts, tally.silent, tally.total) == (3, 1, 4)
    assert "3 of 4 in favour · 1 without an answer" in text_of((await it.thread())[3])


async def test_no_twin_s_vote_at_all_is_asked_for_again_and_never_becomes_a_plan(given: Given) -> None:
    it = await given(linked=[], alone=["chen", "dee"], policy=ALONE, fails={"feedback": ERROR})

    state = await it.stands(Status.FAILED, round=5)
    assert state.outcome is Outcome.NO_FEEDBACK
    assert len(state.proposals) == 1
    assert await it.happened(ProposalFeedback) == []
    assert await labels(it) == [("feedback", "E003")] * 10


async def test_the_requester_is_asked_for_an_unlinked_twin_that_cannot_vote(given: Given) -> None:
    it = await given(linked=[], alone=["chen"], fails={"feedback": ERROR})

    await it.clicks(YOU, ACCEPT)

    await it.stands(Status.FINALIZED, round=1)


async def test_when_no_new_version_can_be_made_the_last_one_stands_with_its_requests(given: Given) -> None:
    it = await given(fails={"adjust": ERROR, "feedback/aya": ERROR})
    await it.says(AYA, NEGOTIATE, "Only until ten")
    await it.clicks(BO, ACCEPT)

    state = await it.stands(Status.NEGOTIATING, round=2)
    assert len(state.proposals) == 1
    assert await labels(it) == [("feedback", "E003"), ("adjust", "E003")]
    assert "adjusting the proposal" in await it.root()
    assert "The same proposal once more; nothing in it has changed." in text_of(await it.card())
    assert [each.request for each in state.open_requests()] == ["Only until ten"]


async def test_without_any_model_at_all_it_ends_and_nobody_has_agreed(given: Given) -> None:
    prompts = ("understand", "filter", "respond", "aggregate", "feedback", "adjust", "compromise")
    it = await given(alone=["chen"], fails=dict.fromkeys(prompts, ERROR))

    state = await (await it.goes_on()).stands(Status.FAILED)
    assert state.final is None
    assert await it.happened(ProposalFeedback) == []
    assert "What would help" in text_of((await it.thread())[-1])
