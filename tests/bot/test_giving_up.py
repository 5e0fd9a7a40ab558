"""Somebody who agreed cannot keep it: the plan says so, whoever asked hears of it, and others are looked for."""

from typing import Literal

import pytest

from bot.local_slack import Message, View
from bot.views.negotiation.button_values import GIVE_UP
from engine.negotiation.events import SeatGivenUp
from engine.negotiation.state import Status
from engine.projections.audit import acts

from . import home
from .conftest import Given
from .driver import AYA, BO, YOU, Driver, presses, shows, text_of
from .roles import LINKED, NOT_FOUND, UNLINKED, Role, arrives, everybody, forges, forms, on_record, sends
from .test_delegates import direct

ILL = "I am ill, sorry"
NOT_YOUR_PART = "That is somebody else’s part"


async def ending(it: Driver, user: str) -> Message:
    return (await direct(it, user))[-1]


async def form(it: Driver, user: str) -> View:
    card = await ending(it, user)
    opened = (await presses(it.demo.person(user), card, GIVE_UP)).modal
    assert opened is not None
    return opened


async def agreed(given: Given) -> Driver:
    it = await (await given()).goes_on()
    await it.stands(Status.FINALIZED)
    return it


async def test_whoever_cannot_any_more_leaves_the_plan_and_whoever_asked_hears_of_it(given: Given) -> None:
    it = await agreed(given)
    sent = await it.demo.person(AYA).submit(await form(it, AYA), {"reason": {"reason": ILL}})
    assert sent.errors == {}
    await it.settles()

    [left] = await it.happened(SeatGivenUp)
    assert (left.by, left.reason) == (AYA, ILL)
    said = next(text for each in await it.thread() if "cannot take part" in (text := text_of(each)))
    assert f"👋 <@{YOU}>, *Aya* cannot take part any more." in said
    assert f"Reason: {ILL}" in said
    assert "❌ Missing: Role of aya" in said
    assert "*Aya* agreed" not in await it.root()
    assert "Missing: Role of aya" in await it.root()
    card = await ending(it, AYA)
    assert "You said that you cannot any more" in text_of(card)
    assert not shows(card, GIVE_UP)
    act = (await acts(it.demo.towow.store, it.key.tenant, it.key.stream))[-1]
    assert (act.act, act.by, act.changed) == ("give_up", AYA, True)


async def test_home_lists_what_one_has_promised_until_it_is_given_up(given: Given) -> None:
    it = await agreed(given)
    page = await home.opens(it, AYA)
    assert "Your commitments" in home.says(page)
    assert "Role of aya" in home.says(page)
    assert "Role of bo" not in home.says(page)
    opened = (await home.clicks(it, AYA, GIVE_UP)).modal
    assert opened is not None
    await it.demo.person(AYA).submit(opened, {})
    await it.settles()
    assert "Your commitments" not in home.says(await home.opens(it, AYA))
    assert "Role of bo" in home.says(await home.opens(it, BO))


async def test_home_lists_for_whoever_asked_what_nobody_here_has_promised(given: Given) -> None:
    it = await given(linked=("aya",), alone=("bo",))
    await it.goes_on()
    assert "for *Bo*" in home.says(await home.opens(it, YOU))


@everybody
@pytest.mark.parametrize("when", ["click", "form"])
async def test_only_the_hand_of_the_seat_gives_it_up(given: Given, role: Role, when: str) -> None:
    it = await given(linked=LINKED, alone=UNLINKED)
    if role.delegate:
        await arrives(it, role)
    await it.goes_on()
    card, opened = await ending(it, AYA), await form(it, AYA)
    if not role.delegate:
        await arrives(it, role)
    before = await it.events()
    may = role.votes_for == "aya"

    if when == "form":
        answer = await sends(it, role, opened, {"reason": ILL})
        if may:
            assert answer == {}
            await sends(it, role, opened, {"reason": "twice"})
            assert [(each.by, each.reason) for each in await it.happened(SeatGivenUp)] == [(role.user, ILL)]
            return
        assert (NOT_FOUND if role.tenant else NOT_YOUR_PART) in answer["errors"]["reason"]
        assert await on_record(it) == ([] if role.tenant else ["NotAllowed"])
    elif not may:
        await forges(it, role, card, GIVE_UP)
        assert {each.user for each in await forms(it)} == {AYA}
    assert await it.events() == before


@pytest.mark.parametrize(
    ("demand", "button"), [("We need a room", "I cannot any more…"), ("我们需要一个房间", "我没法参加了…")]
)
async def test_it_is_said_in_the_language_of_its_reader(
    given: Given, demand: str, button: Literal["I cannot any more…", "我没法参加了…"]
) -> None:
    it = await given(demand)
    await it.goes_on()
    assert button in str((await ending(it, AYA)).blocks)
