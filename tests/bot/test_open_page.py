"""*Open page*: whoever reads the thread gets a link of their own, in private, and nobody from elsewhere gets one."""

import json
from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest

from bot.demo.page import only_pages
from bot.local_slack import Message, View
from bot.views.kit.story.buttons import FOLLOW_LINK, OPEN_PAGE

from .conftest import Given
from .driver import AYA, EVE, YOU, Driver, shows
from .roles import Role, arrives, clicks, everybody, forges


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


async def test_without_pages_there_is_no_button(given: Given) -> None:
    it = await given()

    for user in (YOU, AYA):
        assert OPEN_PAGE not in json.dumps([each.blocks for each in await it.everything(user)])
