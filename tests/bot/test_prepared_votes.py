"""Whose twin only prepares reads the draft in their own messages, and gives it with one click."""

from slack_sdk.models.blocks import ActionsBlock, ButtonElement
from slack_sdk.web.async_client import AsyncWebClient

from bot.demo.demo import CHANNEL
from bot.local_slack import Message
from bot.views.directory.buttons import ASK, PREPARES, PROFILE, VOTES
from bot.views.negotiation.button_values import EDIT, NEGOTIATE, VOTE_PREPARED, VoteButton
from bot.views.negotiation.demand.demand_form import OWN_VOTES, WHAT, WHERE
from engine.negotiation.answers import FeedbackAnswer
from engine.negotiation.events import DemandSubmitted, ProposalFeedback, VotePrepared
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType
from engine.projections.audit import acts

from . import home
from .conftest import Begin, Given
from .driver import ACCEPT, AYA, BO, DEMAND, PATIENT, YOU, Driver, shows, text_of
from .script import AGENT
from .test_direct import clicks, direct, part

PREPARING: Policy = PATIENT.model_copy(update={"prepares": True})
DOWNSTAIRS = FeedbackAnswer(
    feedback_type=FeedbackType.NEGOTIATE, reasoning="the lift is broken", adjustment_request="On the ground floor"
)


async def hands(it: Driver) -> list[tuple[str, Source, str | None]]:
    return [(each.agent_id.removeprefix(AGENT), each.source, each.by) for each in await it.happened(ProposalFeedback)]


# ── the draft ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_from_being_asked_to_pressing(given: Given) -> None:
    it = await given(policy=PREPARING)
    assert [each.agent_id for each in await it.happened(VotePrepared)] == [AGENT + "aya", AGENT + "bo"]
    assert await hands(it) == []
    card = await part(it, AYA)
    assert "📝 Your twin would accept" in text_of(card)
    assert "⏳ waits for *Aya*" in text_of(await it.card())
    assert "would" not in text_of(await it.card())

    await clicks(it, AYA, VOTE_PREPARED, card)

    assert await hands(it) == [("aya", Source.HUMAN, AYA)]
    assert "✅ You accept" in text_of(await part(it, AYA))
    assert not shows(await part(it, AYA), VOTE_PREPARED)
    await clicks(it, BO, VOTE_PREPARED, await part(it, BO))
    state = await it.stands(Status.FINALIZED)
    assert state.final is not None
    assert len(state.final.confirmed_participants) == 2
    trail = await acts(it.demo.towow.store, it.key.tenant, it.key.stream)
    assert ("vote_as_prepared", AYA, "accept") in [(each.act, each.by, each.choice) for each in trail]


async def test_who_says_nothing_is_silent(given: Given) -> None:
    it = await given(policy=PREPARING)
    await clicks(it, AYA, VOTE_PREPARED, await part(it, AYA))

    await it.time_is_up()

    closed = (await it.state()).rounds[0]
    assert closed.tally is not None
    assert (closed.tally.accepts, closed.tally.silent) == (1, 1)
    assert closed.seats[AGENT + "bo"].assumed is None


async def test_the_form_begins_with_what_the_twin_would_ask_for(given: Given) -> None:
    it = await given(policy=PREPARING, says={"feedback": DOWNSTAIRS})

    outcome = await clicks(it, AYA, NEGOTIATE, await part(it, AYA))

    assert outcome.modal is not None
    fields = {each["block_id"]: each["element"] for each in outcome.modal.blocks if "element" in each}
    assert fields["change"]["initial_value"] == "On the ground floor"
    assert fields["why"]["initial_value"] == "the lift is broken"


async def test_whoever_asked_gives_what_a_twin_of_nobodys_has_prepared(given: Given) -> None:
    it = await given(policy=PREPARING, linked=("aya",), alone=("chen",))
    [told] = [each for each in await direct(it, YOU) if shows(each, VOTE_PREPARED)]
    assert "the twin would accept" in text_of(told)

    await clicks(it, YOU, VOTE_PREPARED, told)

    assert await hands(it) == [("chen", Source.HUMAN, YOU)]


async def test_nobody_else_gives_it(given: Given) -> None:
    it = await given(policy=PREPARING)
    digest = (await it.state()).rounds[0].digest
    value = VoteButton(stream=it.key.stream, round=1, digest=digest, agent_id=f"{AGENT}aya").value()
    row = ActionsBlock(elements=[ButtonElement(text="Press", action_id=VOTE_PREPARED, value=value)])
    workspace = it.demo.workspace
    client = AsyncWebClient(workspace.bot_token, workspace.api_url)
    forged = await client.chat_postMessage(channel=BO, text="A card", blocks=[row])
    before = await it.events()

    card = Message(channel=forged["channel"], ts=forged["ts"], user=workspace.bot_user_id)
    await clicks(it, BO, VOTE_PREPARED, card)

    assert await it.events() == before
    assert await it.refusals() == ["NotAllowed"]


# ── how far a twin goes ───────────────────────────────────────────────────────────────────────────────────────────────


async def overrules(it: Driver, number: int) -> None:
    """Ask for a change where the twin has accepted, in a round that is over then."""
    await it.says(AYA, NEGOTIATE, f"Later, please: {number}")
    await it.clicks(BO, ACCEPT)
    assert (await it.state()).rounds[0].tally is not None


async def test_after_three_times_in_a_row_one_press_in_home_lets_it_only_prepare(given: Given) -> None:
    it = await given()
    for number in range(3):
        assert PREPARES not in home.buttons(await home.opens(it, AYA))
        await overrules(it, number)
        it = await it.asks(f"{DEMAND}, once more: {number}")

    page = await home.opens(it, AYA)
    assert "You have overruled 3 of its last 3 votes." in home.says(page)
    assert "You have overruled your twin 3 times in a row." in home.says(page)
    await home.clicks(it, AYA, PREPARES, page)

    page = await home.shown(it, AYA)
    assert "✍️ In new demands it prepares your votes, and you give them" in home.says(page)
    it = await it.asks(f"{DEMAND}, at last")
    assert {each.agent_id for each in await it.happened(VotePrepared)} == {AGENT + "aya"}
    await home.clicks(it, AYA, VOTES, page)
    assert "🗳️ It votes for you, unless you do." in home.says(await home.shown(it, AYA))


async def test_of_bo_who_let_it_vote_nothing_is_offered(given: Given) -> None:
    it = await given()
    await overrules(it, 1)

    page = home.says(await home.opens(it, BO))

    assert "You have overruled 0 of its last 1 vote." in page
    assert "in a row" not in page


async def test_somebody_chooses_it_in_their_profile(given: Given) -> None:
    it = await given()
    await home.opens(it, AYA)

    form = await home.clicks(it, AYA, PROFILE)
    assert form.modal is not None
    await home.sends(it, AYA, form.modal, reach="prepares")

    assert "✍️ In new demands it prepares your votes, and you give them" in home.says(await home.shown(it, AYA))


async def test_whoever_asks_ticks_that_they_want_peoples_own_votes_only(driver: Begin) -> None:
    it = await driver()
    await home.opens(it, YOU)
    await home.clicks(it, YOU, ASK)

    said = {WHAT: DEMAND, WHERE: CHANNEL, OWN_VOTES: (OWN_VOTES,)}
    await home.sends(it, YOU, await home.top(it, YOU), **said)

    [begun] = await it.negotiations()
    assert begun.own_votes
    assert all(seat.prepares for seat in begun.rounds[-1].seats.values())


async def test_it_can_be_ticked_until_there_is_a_proposal(given: Given) -> None:
    it = await given(held=("respond",))
    for picked, stands in (((OWN_VOTES,), True), ((), False)):
        form = await it.clicks(YOU, EDIT, card=(await it.thread())[1])
        assert form.modal is not None
        await home.sends(it, YOU, form.modal, own_votes=picked)
        assert (await it.state()).own_votes is stands
    assert (await it.happened(DemandSubmitted))[0].own_votes is False
