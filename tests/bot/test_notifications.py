"""Everybody chooses in their App Home how they are told, and is told so from then on."""

import pytest

from bot.local_slack import Message
from bot.views.directory.buttons import NOTIFICATIONS
from bot.views.directory.notifications_form import FROM, TO, WHEN
from bot.workspace_settings import directory_key
from engine.kernel import Tenant
from engine.projections.audit import acts_by

from .conftest import Begin
from .driver import AYA, BO, EVE, NOON, Driver
from .home import clicks, opens, says, sends, top
from .roles import Role, dispatched

HOUR = 3_600_000


async def chooses(it: Driver, user: str, **said: object) -> None:
    await opens(it, user)
    await clicks(it, user, NOTIFICATIONS)
    await sends(it, user, await top(it, user), **said)


async def direct(it: Driver, user: str) -> list[Message]:
    person = it.demo.person(user)
    return await person.messages((await person.dm()).id)


async def test_whoever_has_no_twin_chooses_too_and_sees_what_holds(driver: Begin) -> None:
    it = await driver()
    page = says(await opens(it, EVE))
    assert "You hear from me when you are needed, and how it ended." in page
    assert "You have no quiet hours." in page

    await chooses(it, EVE, **{WHEN: "digest", FROM: "22:00", TO: "07:00"})

    page = says(await opens(it, EVE))
    assert "Decisions come together, at 09:00, 16:00; sooner where one cannot wait." in page
    assert "Quiet from 22:00 to 07:00; only what cannot wait comes then." in page
    assert "You have no quiet hours." in says(await opens(it, BO))
    workspace = it.demo.workspace
    tenant = Tenant(workspace.team_id, workspace.enterprise_id or "")
    [act] = await acts_by(it.demo.towow.store, tenant, EVE)
    assert (act.act, act.stream, act.changed) == ("choose_notifications", directory_key(tenant).stream, True)


async def test_the_form_shows_what_was_chosen_and_refuses_half_a_time(driver: Begin) -> None:
    it = await driver()
    await chooses(it, EVE, **{WHEN: "step", FROM: "22:00", TO: "07:00"})
    await clicks(it, EVE, NOTIFICATIONS)
    form = await top(it, EVE)
    shown = {each["block_id"]: each["element"] for each in form.blocks if each["type"] == "input"}
    assert shown[WHEN]["initial_option"]["value"] == "step"
    assert (shown[FROM]["initial_time"], shown[TO]["initial_time"]) == ("22:00", "07:00")

    outcome = await sends(it, EVE, form, **{TO: "22:00"})

    assert outcome.errors == {TO: "Quiet hours have a beginning and another end; or leave both out."}


async def test_a_part_waits_for_the_end_of_the_hours_that_somebody_chose(driver: Begin) -> None:
    """It is eight o'clock UTC; there is an hour for a vote, and more than half of it is left at twenty past."""
    it = await driver()
    await chooses(it, AYA, **{FROM: "07:00", TO: "08:20"})

    it = await it.asks()

    assert [await direct(it, each) for each in (AYA,)] == [[]]
    assert len(await direct(it, BO)) == 1
    while it.demo.clock.now() < NOON + HOUR / 3:
        await it.passes()
    assert len(await direct(it, AYA)) == 1


async def test_what_cannot_wait_comes_in_the_quiet_hours_too(driver: Begin) -> None:
    it = await driver()
    await chooses(it, AYA, **{FROM: "07:00", TO: "23:00"})

    it = await it.asks()

    assert len(await direct(it, AYA)) == 1


@pytest.mark.parametrize(
    "role",
    [
        Role("somebody of another company", EVE, home="T_PARTNER"),
        Role("another tenant under one of our ids", EVE, tenant="T_ELSEWHERE"),
    ],
    ids=lambda role: role.name,
)
async def test_nobody_else_chooses_for_one_of_us(driver: Begin, role: Role) -> None:
    """A form of ours, with what is filled in, signed by somebody from outside."""
    it = await driver()
    await opens(it, EVE)
    await clicks(it, EVE, NOTIFICATIONS)
    form = await top(it, EVE)
    values = {WHEN: {WHEN: {"type": "radio_buttons", "selected_option": {"value": "digest"}}}}
    shape = form.model_dump(mode="json") | {"state": {"values": values}}

    await dispatched(it, role, {"type": "view_submission", "view": shape, "response_urls": []})

    assert "You hear from me when you are needed, and how it ended." in says(await opens(it, EVE))
