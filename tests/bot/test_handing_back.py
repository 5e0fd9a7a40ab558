"""Whoever has voted lets their twin speak for them again, with the button in their direct message."""

from slack_sdk.models.blocks import ActionsBlock, ButtonElement
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Message
from bot.views.negotiation.button_values import HAND_BACK, SeatButton
from engine.negotiation.answers import AdjustmentSummary, Assignment, ProposalDraft, RequestDeclined
from engine.negotiation.events import ProposalFeedback, SeatHandedBack
from engine.negotiation.state import Status
from engine.negotiation.terms import Source
from engine.projections.audit import acts

from .conftest import Given
from .driver import ACCEPT, AYA, BO, EVE, NEGOTIATE, Driver, shows, text_of
from .script import AGENT
from .test_direct import clicks, direct, part

UNCHANGED = ProposalDraft(
    summary="The same plan",
    assignments=tuple(
        Assignment(agent_id=AGENT + each, role=f"Role of {each}", responsibility=f"{each} helps")
        for each in ("aya", "bo")
    ),
    adjustment_summary=AdjustmentSummary(
        requests_declined=(RequestDeclined(agent_id=AGENT + "bo", request="Only until ten", reason="it is short"),)
    ),
)
"""Nothing that concerns Aya changes, so her vote would stand."""


def asked(it: Driver, name: str) -> int:
    return it.script.asked.count(f"feedback/{name}")


async def votes_of(it: Driver, name: str) -> list[tuple[int, Source, bool]]:
    cast = [each for each in await it.happened(ProposalFeedback) if each.agent_id == AGENT + name]
    return [(each.round, each.source, each.carried) for each in cast]


async def test_the_twin_s_vote_of_this_round_counts_again(given: Given) -> None:
    it = await given(twins={("aya", 1): "negotiate"})
    assert not shows(await part(it, AYA), HAND_BACK), "it is the twin's already"

    await clicks(it, AYA, ACCEPT)
    assert "✅ You accept" in text_of(await part(it, AYA))
    await clicks(it, AYA, HAND_BACK)

    card = await part(it, AYA)
    assert "💬 Your twin asks for a change" in text_of(card)
    assert not shows(card, HAND_BACK)
    assert shows(card, ACCEPT), "they may still decide for themselves"
    [handed] = await it.happened(SeatHandedBack)
    assert (handed.agent_id, handed.by, handed.round) == (AGENT + "aya", AYA, 1)
    assert asked(it, "aya") == 1, "it has said what it thinks of this version"
    trail = await acts(it.demo.towow.store, it.key.tenant, it.key.stream)
    assert [(each.act, each.by) for each in trail][-1] == ("hand_back", AYA)


async def test_the_twin_speaks_again_in_the_next_round(given: Given) -> None:
    it = await given(says={"adjust": UNCHANGED})
    await clicks(it, AYA, ACCEPT)
    await clicks(it, AYA, HAND_BACK)
    await it.says(BO, NEGOTIATE, "Only until ten")
    while (await it.state()).round == 1:
        await it.passes()

    assert asked(it, "aya") == 2
    assert (await votes_of(it, "aya"))[-1] == (2, Source.AGENT, False)


async def test_without_it_the_twin_stays_silent_and_the_vote_stands(given: Given) -> None:
    it = await given(says={"adjust": UNCHANGED})
    await clicks(it, AYA, ACCEPT)
    await it.says(BO, NEGOTIATE, "Only until ten")

    await it.stands(Status.NEGOTIATING, round=2)
    assert asked(it, "aya") == 1
    assert (await votes_of(it, "aya"))[-1] == (2, Source.HUMAN, True)


async def test_after_the_round_it_is_for_the_rounds_to_come(given: Given) -> None:
    it = await given(says={"adjust": UNCHANGED})
    await clicks(it, AYA, ACCEPT)
    await it.says(BO, NEGOTIATE, "Only until ten")
    await it.stands(Status.NEGOTIATING, round=2)
    card = await part(it, AYA)
    assert shows(card, HAND_BACK), "her vote stands, so this is where it can be handed back"

    await clicks(it, AYA, HAND_BACK, card)

    assert asked(it, "aya") == 2, "its vote is asked for at once"
    assert (await votes_of(it, "aya"))[-1] == (2, Source.AGENT, False)
    assert not any(shows(each, HAND_BACK) for each in await direct(it, AYA))


async def test_nobody_hands_back_somebody_else_s_seat(given: Given) -> None:
    it = await given()
    await clicks(it, AYA, ACCEPT)
    value = SeatButton(stream=it.key.stream, agent_id=AGENT + "aya").value()
    workspace = it.demo.workspace
    client = AsyncWebClient(workspace.bot_token, workspace.api_url)
    row = ActionsBlock(elements=[ButtonElement(text="Press", action_id=HAND_BACK, value=value)])
    forged = await client.chat_postMessage(channel=EVE, text="A card", blocks=[row])
    before = await it.events()

    await clicks(it, EVE, HAND_BACK, Message(channel=forged["channel"], ts=forged["ts"], user=workspace.bot_user_id))

    assert await it.events() == before
    [told] = [each for each in await direct(it, EVE) if each.visible_to]
    assert "nothing was changed" in told.text
    assert await it.refusals() == ["NotAllowed"]


async def test_a_button_that_should_be_gone_changes_nothing(given: Given) -> None:
    it = await given()
    await clicks(it, AYA, ACCEPT)
    await it.keeps_old_cards()
    stale = await part(it, AYA)
    await clicks(it, BO, ACCEPT)
    await it.stands(Status.FINALIZED)
    before = await it.events()

    await clicks(it, AYA, HAND_BACK, stale)

    assert await it.events() == before
    [told] = [each.text for each in await direct(it, AYA) if each.visible_to]
    assert told.startswith("That is not possible at this point, so nothing was changed. Look at the newest message")
