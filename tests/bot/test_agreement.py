"""From the demand to the plan, through the buttons."""

import pytest

from bot.local_slack import Team
from engine.negotiation.events import FeedbackEvaluated, ProposalFeedback, ProposalFinalized
from engine.negotiation.state import Status
from engine.negotiation.terms import Source
from engine.store.port import Store

from .conftest import Given
from .driver import ACCEPT, ALONE, AYA, BO, NEGOTIATE, QUIET, WITHDRAW, YOU, shows, text_of


@pytest.fixture
def store(every_store: Store) -> Store:
    return every_store


async def test_everybody_accepts_and_the_plan_is_in_the_thread_after_one_round(given: Given) -> None:
    it = await given(linked=["aya", "bo"], alone=["chen"], policy=ALONE)

    state = await it.stands(Status.FINALIZED, round=1)
    assert len(await it.happened(ProposalFinalized)) == 1
    assert state.final is not None
    assert state.final.confirmed_participants == ("user_agent_aya", "user_agent_bo", "user_agent_chen")
    said, root, offers, proposal, outcome = await it.thread()
    assert said.user == YOU
    assert "✅ Agreed" in text_of(root)
    assert "*Aya* agreed (twin) · Role of aya: aya helps" in text_of(root)
    assert "3 of 3 take part" in text_of(offers)
    assert "3 of 3 in favour" in text_of(proposal)
    assert not any(shows(each, ACCEPT) for each in await it.thread())
    assert "We have a plan" in text_of(outcome)
    assert "aya helps" in text_of(outcome)
    assert (await it.demo.towow.store.counts())["owed"] == 0
    assert await it.demo.towow.store.verify(it.key)


@pytest.mark.parametrize(
    ("twins", "clicks", "status"),
    [
        pytest.param({("aya", 1): "withdraw"}, {AYA: ACCEPT}, Status.FINALIZED, id="a yes instead of the twin's no"),
        pytest.param({}, {AYA: WITHDRAW, BO: WITHDRAW}, Status.FAILED, id="a no instead of the twins' yes"),
    ],
)
async def test_a_click_overrules_the_twin_and_turns_the_outcome(
    given: Given, twins: dict[tuple[str, int], str], clicks: dict[str, str], status: Status
) -> None:
    it = await given(twins=twins)
    await it.stands(Status.NEGOTIATING, round=1)

    for user in (AYA, BO):
        if clicks.get(user, ACCEPT) == ACCEPT:
            assert (await it.clicks(user, ACCEPT)).acked
        else:
            assert (await it.says(user, WITHDRAW, "I have no time")).acked

    await it.stands(status, round=1)
    votes = await it.happened(ProposalFeedback)
    assert [each.source for each in votes] == [Source.AGENT, Source.AGENT, Source.HUMAN, Source.HUMAN]
    assert [each.by for each in votes] == [None, None, AYA, BO]


async def test_the_last_click_before_the_round_closes_counts(given: Given) -> None:
    it = await given(twins={("bo", 1): "negotiate"})

    await it.clicks(AYA, ACCEPT)
    await it.says(AYA, NEGOTIATE, "Only until ten in the evening")
    assert "💬 *Aya* asks for a change – Only until ten in the evening" in text_of(await it.card())
    await it.clicks(AYA, ACCEPT)
    await it.clicks(BO, ACCEPT)

    state = await it.stands(Status.FINALIZED, round=1)
    assert state.final is not None
    assert state.final.confirmed_participants == ("user_agent_aya", "user_agent_bo")
    assert state.final.open_requests == ()
    assert len([each for each in await it.happened(ProposalFeedback) if each.by == AYA]) == 3


async def test_a_wish_leads_to_a_second_round_that_says_what_became_of_it(given: Given) -> None:
    it = await given()

    await it.says(AYA, NEGOTIATE, "Only until ten in the evening")
    await it.clicks(BO, ACCEPT)

    await it.stands(Status.NEGOTIATING, round=2)
    *_, first, second = await it.thread()
    assert "A new version follows" in text_of(first)
    assert not shows(first, ACCEPT)
    assert "*Aya*: Only until ten in the evening – it is short already" in text_of(second)
    assert shows(second, ACCEPT)


async def test_people_who_say_nothing_leave_it_to_their_twins(given: Given) -> None:
    it = await given()
    await it.stands(Status.NEGOTIATING, round=1)

    await it.time_is_up()

    state = await it.stands(Status.FINALIZED, round=1)
    assert state.final is not None
    assert state.final.confirmed_participants == ("user_agent_aya", "user_agent_bo")
    assert {each.source for each in await it.happened(ProposalFeedback)} == {Source.AGENT}
    assert it.demo.clock.now() == state.rounds[-1].window.people_until


async def test_an_alarm_rings_once_however_often_it_is_looked_for(given: Given) -> None:
    it = await given()
    due = (await it.state()).rounds[-1].window.deadline

    await it.demo.skip_to(due)
    for _ in range(3):
        await it.demo.skip_to(due)
    await it.demo.settle(QUIET)

    await it.stands(Status.FINALIZED, round=1)
    assert len(await it.happened(FeedbackEvaluated)) == 1
    assert (await it.demo.towow.store.counts())["alarms"] == 0


async def test_a_round_waits_as_long_as_the_requester_may_speak_for_others(given: Given) -> None:
    it = await given(linked=["aya"], alone=["chen"])
    await it.clicks(AYA, ACCEPT)
    state = await it.stands(Status.NEGOTIATING, round=1)
    assert state.current is not None
    assert state.current.window.deadline == it.demo.clock.now() + 30_000

    it.demo.clock.jump(state.current.window.deadline - 1)
    await it.demo.towow.runtime.sweep()
    await it.says(YOU, NEGOTIATE, "Chen can do that only with a beamer")

    assert (await it.votes())["chen"] == "accept"
    await it.stands(Status.NEGOTIATING, round=2)
    assert "1 of 2 in favour · 1 asks for a change" in text_of((await it.thread())[-2])


async def test_in_an_organisation_it_is_the_same(given: Given) -> None:
    it = await given(team=Team(enterprise_id="E_ORG", enterprise_name="Org"))

    await it.clicks(AYA, ACCEPT)
    await it.says(BO, WITHDRAW, "I am away")
    await it.stops(YOU)

    assert it.key.tenant.enterprise_id == "E_ORG"
    assert {each.by for each in await it.happened(ProposalFeedback) if each.by} == {AYA, BO}
    await it.stands(Status.CANCELLED)
