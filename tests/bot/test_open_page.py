"""*Open page*: whoever reads the thread gets a link of their own, in private, and nobody from elsewhere gets one."""

import json
from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest

from bot.api.story.story import HOLDS
from bot.demo.demo import CHANNEL
from bot.demo.page import only_pages
from bot.local_slack import Message, View
from bot.views.kit.story.buttons import FOLLOW_LINK, OPEN_PAGE
from bot.views.negotiation.button_values import STOP

from .conftest import Given
from .driver import AYA, EVE, YOU, Driver, presses, shows, text_of
from .roles import Role, arrives, clicks, everybody, forges
from .test_delegates import direct


async def with_pages(given: Given) -> Driver:
    return await given(linked=("aya", "bo"), alone=("chen",), api=only_pages())


def link_in(modals: Sequence[View]) -> str:
    """Return the address that the newest modal leads to; empty where there is none."""
    found = [
        each["url"]
        for modal in modals
        for block in modal.blocks
        for each in block.get("elements", ())
        if each.get("action_id") == FOLLOW_LINK
    ]
    return found[-1] if found else ""


async def card_with_it(it: Driver) -> Message:
    return next(each for each in await it.thread() if shows(each, OPEN_PAGE))


@pytest.mark.parametrize("user", [YOU, AYA, EVE], ids=["whoever asked", "a participant", "whoever reads along"])
async def test_whoever_reads_the_thread_gets_a_link_of_their_own(given: Given, user: str) -> None:
    it = await with_pages(given)
    before = await it.events()

    await it.clicks(user, OPEN_PAGE, card=await card_with_it(it))
    link = link_in(await it.demo.person(user).modals())

    assert parse_qs(urlsplit(link).query)["for"] == [user]
    async with aiohttp.ClientSession() as session, session.get(link) as response:
        assert response.status == 200
        page = await response.text()
    assert "venue for 50 people in Berlin" in page
    assert f'<span class="who">{user.removeprefix("U_").title()}</span>' in page or user != YOU
    assert await it.events() == before
    assert not [each for each in await it.thread() if link in str(each.blocks)]


@everybody
async def test_the_page_is_for_people_of_this_workspace(given: Given, role: Role) -> None:
    it = await with_pages(given)
    await arrives(it, role)
    card = await card_with_it(it)

    await clicks(it, role, card, OPEN_PAGE)

    opened = link_in(await it.demo.person(role.user).modals())
    assert bool(opened) == (not role.home and not role.tenant)


async def test_whoever_does_not_see_the_thread_gets_none_of_a_story_without_a_part_in_it(given: Given) -> None:
    it = await with_pages(given)
    card = await card_with_it(it)

    elsewhere = card.model_copy(update={"channel": "C_ELSEWHERE"})

    await forges(it, Role("a stranger", EVE), elsewhere, OPEN_PAGE)

    assert (await it.demo.workspace.admin.calls())["views.open"] == 0


async def test_home_leads_to_the_page_of_each_demand_of_theirs(given: Given) -> None:
    it = await with_pages(given)
    you = it.demo.person(YOU)
    await you.open_home()
    home = await you.until_home(lambda view: OPEN_PAGE in str(view.blocks))

    await you.act(home, OPEN_PAGE)

    assert await page_of(link_in(await you.modals())) == 200


async def test_how_it_ended_leads_to_the_page_in_the_thread_and_in_private(given: Given) -> None:
    it = await with_pages(given)
    await it.clicks(YOU, STOP, card=next(each for each in await it.thread() if shows(each, STOP)))
    stopped = next(each for each in await it.thread() if "stopped it" in text_of(each))
    [told] = [each for each in await direct(it, AYA) if "was stopped" in text_of(each)]
    for user, card in ((YOU, stopped), (AYA, told)):
        await presses(it.demo.person(user), card, OPEN_PAGE)
        assert await page_of(link_in(await it.demo.person(user).modals())) == 200


async def page_of(link: str) -> int:
    async with aiohttp.ClientSession() as session, session.get(link) as response:
        return response.status


async def opened_by(it: Driver, *users: str) -> list[str]:
    """Return the link of each, which works."""
    links = []
    for user in users:
        await it.clicks(user, OPEN_PAGE, card=await card_with_it(it))
        links.append(link_in(await it.demo.person(user).modals()))
    assert [await page_of(each) for each in links] == [200] * len(users)
    return links


def forgets_what_slack_said(it: Driver) -> None:
    it.demo.clock.jump(it.demo.clock.now() + HOLDS)


async def test_whoever_has_left_the_company_opens_no_page_any_more(given: Given) -> None:
    it = await with_pages(given)
    links = await opened_by(it, YOU, AYA, EVE)
    for each in (AYA, EVE):
        await it.demo.workspace.admin.deactivate(each)
    forgets_what_slack_said(it)
    assert [await page_of(each) for each in links] == [200, 404, 404]


async def test_whoever_has_left_a_private_channel_reads_only_what_they_take_part_in(given: Given) -> None:
    it = await with_pages(given)
    links = await opened_by(it, AYA, EVE)
    admin = it.demo.workspace.admin
    [channel] = [each for each in await it.demo.person(YOU).channels() if each.id == CHANNEL]
    await admin.put_channel(channel.model_copy(update={"is_private": True}))
    forgets_what_slack_said(it)
    assert [await page_of(each) for each in links] == [200, 200]

    for each in (AYA, EVE):
        await admin.leave(CHANNEL, each)
    forgets_what_slack_said(it)
    assert [await page_of(each) for each in links] == [200, 404]

    await admin.join(CHANNEL, EVE)
    forgets_what_slack_said(it)
    assert [await page_of(each) for each in links] == [200, 200]


async def test_while_slack_does_not_answer_what_it_said_last_holds(given: Given) -> None:
    it = await with_pages(given)
    links = await opened_by(it, AYA, EVE)
    await it.demo.workspace.admin.deactivate(EVE)
    forgets_what_slack_said(it)
    assert [await page_of(each) for each in links] == [200, 404]
    await it.demo.workspace.admin.fault("users.info", "error", times=4)
    forgets_what_slack_said(it)
    assert [await page_of(each) for each in links] == [200, 404]


async def test_without_pages_there_is_no_button(given: Given) -> None:
    it = await given()

    for user in (YOU, AYA):
        assert OPEN_PAGE not in json.dumps([each.blocks for each in await it.everything(user)])
