"""*Show all*: what a message has no room for is read in a modal, page by page, and reading changes nothing."""

import html
from typing import Any

import pytest
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Message, Outcome, View
from bot.registry import PROTOCOLS
from bot.slack.bolt import bolt_app
from bot.views.kit.button_values import NEXT, PREVIOUS, SHOW_ALL, Page
from engine.negotiation.answers import Assignment, Milestone, ProposalDraft, Timeline

from .conftest import Begin, Given
from .driver import ACCEPT, AYA, BO, DEMAND, EVE, NEGOTIATE, QUIET, YOU, Driver, nothing_changed, shows, text_of
from .roles import NOT_FOUND, Role, clicks, dispatched, everybody, forms
from .script import AGENT
from .test_clicks import posted_button

WISH = "Only until ten & not <later> " + " ".join(f"reason{number}" for number in range(150))
"""A text as long as a form takes, and longer than a line among the votes."""
STEPS = tuple(f"Step {number}: " + f"{number:03} " * 1_900 for number in range(60))
PLAN = ProposalDraft(
    summary="A long evening",
    assignments=(Assignment(agent_id=f"{AGENT}aya", role="Host"), Assignment(agent_id=f"{AGENT}bo", role="Cook")),
    timeline=Timeline(milestones=tuple(Milestone(name=each) for each in STEPS)),
)


def read(outcome: Outcome) -> str:
    """Return what stands in the modal, without which page it is."""
    assert outcome.modal is not None, outcome
    shown = [block for block in outcome.modal.blocks if block["type"] != "actions"]
    return html.unescape(text_of(Message(channel="", ts="", user="", blocks=shown[1:] if can_turn(outcome) else shown)))


async def turns(it: Driver, user: str, shown: Outcome, action: str) -> Outcome:
    assert shown.modal is not None
    outcome = await it.demo.person(user).act(shown.modal, action)
    await it.demo.settle(QUIET)
    return outcome


def can_turn(shown: Outcome) -> list[str]:
    assert shown.modal is not None
    rows = [block["elements"] for block in shown.modal.blocks if block["type"] == "actions"]
    return [each["action_id"] for row in rows for each in row]


async def long_plan(driver: Begin, **circumstances: Any) -> Driver:
    empty = await driver(**circumstances)
    empty.script.says["aggregate"] = PLAN
    return await empty.asks()


async def quietly(it: Driver, before: object) -> bool:
    """Check that all is as before, and that nobody was told anything."""
    told = (await it.whispers()).values()
    return before == (await it.events(), await it.thread(), await it.refusals()) and not any(told)


async def test_a_short_card_shows_all_there_is(given: Given) -> None:
    it = await given()
    [said, root, offers, card] = await it.thread()
    assert [shows(each, SHOW_ALL) for each in (said, root, offers, card)] == [False, False, True, True]


async def test_a_long_wish_is_read_to_its_end_by_somebody_who_only_reads_along(given: Given) -> None:
    it = await given()
    await it.says(AYA, NEGOTIATE, WISH)
    assert "reason149" not in text_of(await it.card())
    before = (await it.events(), await it.thread(), await it.refusals())

    shown = await it.clicks(EVE, SHOW_ALL)

    assert shown.acked
    assert WISH in read(shown)
    assert can_turn(shown) == []
    assert await quietly(it, before)


async def test_a_long_demand_is_read_to_its_end(given: Given) -> None:
    demand = f"{DEMAND}: " + " ".join(f"wish{number}" for number in range(400))
    it = await given(demand)
    root = (await it.thread())[1]
    assert "wish399" not in text_of(root)

    shown = read(await it.clicks(YOU, SHOW_ALL, card=root))

    assert demand in " ".join(shown.split())


async def test_a_long_plan_is_turned_over_page_by_page_forth_and_back(driver: Begin) -> None:
    it = await long_plan(driver)
    before = (await it.events(), await it.thread(), await it.refusals())

    shown = [await it.clicks(AYA, SHOW_ALL)]
    while NEXT in can_turn(shown[-1]):
        shown.append(await turns(it, AYA, shown[-1], NEXT))
        assert shown[-1].acked

    whole = " ".join(" ".join(read(each) for each in shown).split())
    assert [step for step in STEPS if step.strip() not in whole] == []
    assert len(shown) >= 3
    assert [can_turn(each) for each in (shown[0], shown[1], shown[-1])] == [[NEXT], [PREVIOUS, NEXT], [PREVIOUS]]
    assert len({each.modal.id for each in shown if each.modal}) == 1
    assert read(await turns(it, AYA, shown[-1], PREVIOUS)) == read(shown[-2])
    assert await quietly(it, before)


async def test_what_is_shown_is_how_things_stand_now(driver: Begin) -> None:
    it = await long_plan(driver)
    await it.keeps_old_cards()
    card = await it.card()
    await it.clicks(BO, ACCEPT)
    assert "*Bo* accepts (twin)" in text_of((await it.thread())[-1])

    last = shown = await it.clicks(AYA, SHOW_ALL, card=card)
    while NEXT in can_turn(last):
        last = await turns(it, AYA, last, NEXT)

    assert "*Bo* accepts\n" in read(last)
    assert shown.modal is not None
    assert last.modal is not None
    assert shown.modal.id == last.modal.id


@everybody
async def test_whoever_sees_the_card_sees_all_of_it_and_another_tenant_finds_nothing(driver: Begin, role: Role) -> None:
    it = await long_plan(driver)
    card = await it.card()

    if role.tenant:
        async with nothing_changed(it, by=role.user, told=NOT_FOUND):
            await clicks(it, role, card, SHOW_ALL)
        assert await forms(it) == []
    else:
        before = (await it.events(), await it.thread(), await it.refusals())
        await clicks(it, role, card, SHOW_ALL)
        [form] = await forms(it)
        assert form.user == role.user
        assert await quietly(it, before)


async def test_another_tenant_turns_no_page(driver: Begin) -> None:
    it = await long_plan(driver)
    shown = await it.clicks(AYA, SHOW_ALL)
    before = (await it.events(), await it.thread(), await it.refusals())
    assert shown.modal is not None

    await dispatched(it, Role("another tenant", AYA, tenant="T_ELSEWHERE"), turning(shown.modal))

    [form] = await forms(it)
    assert read(Outcome(modal=form)) == NOT_FOUND
    assert await quietly(it, before)


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(Page(stream="collab-aaaaaaaa", post="root"), id="of a negotiation that is gone"),
        pytest.param(None, id="of a round that never was"),
    ],
)
async def test_a_post_that_is_not_there_is_not_found(given: Given, page: Page | None) -> None:
    it = await given()
    card = await posted_button(it, SHOW_ALL, (page or Page(stream=it.key.stream, post="round-9")).value())

    async with nothing_changed(it, by=AYA, told=NOT_FOUND):
        assert (await it.clicks(AYA, SHOW_ALL, card=card)).acked
    assert await forms(it) == []


async def test_nobody_reads_what_was_sent_to_somebody_else(given: Given) -> None:
    it = await given()
    theirs = Page(stream=it.key.stream, post=f"part-1/{AGENT}aya")
    card = await posted_button(it, SHOW_ALL, theirs.value())

    async with nothing_changed(it, by=BO, told=NOT_FOUND):
        await it.clicks(BO, SHOW_ALL, card=card)
    assert await forms(it) == []
    assert "Role of aya" in read(await it.clicks(AYA, SHOW_ALL, card=card))


@pytest.mark.parametrize("value", ["from another ToWow", '{"stream":"s","post":"root","number":"x"}', "{}"])
async def test_a_button_that_nobody_understands_opens_nothing(given: Given, value: str) -> None:
    it = await given()
    card = await posted_button(it, SHOW_ALL, value)
    await it.expects_no_ack()

    async with nothing_changed(it, by=AYA, told="Something went wrong on our side."):
        assert not (await it.clicks(AYA, SHOW_ALL, card=card)).acked
    assert await forms(it) == []


async def test_a_page_that_nobody_understands_leaves_the_one_that_is_open(driver: Begin) -> None:
    it = await long_plan(driver)
    shown = await it.clicks(AYA, SHOW_ALL)
    assert shown.modal is not None
    workspace = it.demo.workspace
    app = bolt_app(AsyncWebClient(workspace.bot_token, workspace.api_url), it.demo.towow.services, PROTOCOLS)
    who = {"team": {"id": workspace.team_id}, "user": {"id": AYA}, "trigger_id": "1.1"}

    response = await app.async_dispatch(
        AsyncBoltRequest(body=who | turning(shown.modal, value="nonsense"), mode="socket_mode")
    )

    assert response.status == 400
    assert await forms(it) == [shown.modal]


@pytest.mark.parametrize("why", ["hash_conflict", "not_found"])
async def test_a_page_that_was_turned_or_closed_meanwhile_is_left_alone(driver: Begin, why: str) -> None:
    it = await long_plan(driver)
    shown = await it.clicks(AYA, SHOW_ALL)
    await it.demo.workspace.admin.fault("views.update", "error", error=why)

    outcome = await turns(it, AYA, shown, NEXT)

    assert outcome.acked
    assert outcome.modal == shown.modal


async def test_a_page_that_slack_refuses_otherwise_is_not_acknowledged(driver: Begin) -> None:
    it = await long_plan(driver)
    shown = await it.clicks(AYA, SHOW_ALL)
    await it.demo.workspace.admin.fault("views.update", "error", error="internal_error")
    assert shown.modal is not None
    await it.expects_no_ack()

    assert not (await it.demo.person(AYA).act(shown.modal, NEXT)).acked


def turning(modal: View, **more: str) -> dict[str, Any]:
    """Return a click on *Next*, as Slack sends it."""
    [row] = [block["elements"] for block in modal.blocks if block["type"] == "actions"]
    button = next(each for each in row if each["action_id"] == NEXT)
    return {
        "type": "block_actions",
        "container": {"type": "view", "view_id": modal.id},
        "view": modal.model_dump(mode="json"),
        "actions": [button | {"action_ts": "1.1"} | more],
    }
