"""*What I hold to…*: what was read of somebody's limits is shown to them, holds from their yes, and is theirs alone."""

import json
from typing import Any

import pytest

from bot.views.directory.buttons import HELD, HOLDS, LIMIT, LIMITS, TELL, LimitButton, Twin
from bot.views.directory.telling_form import LINE
from bot.workspace_settings import directory_key
from engine.directory.asks import LimitRead, ProfileRead
from engine.directory.profile import Profile
from engine.errors import ModelTimeout
from engine.facts.circumstances import People
from engine.facts.data import Days, Hours
from engine.projections.audit import acts

from .conftest import Given
from .driver import ADMIN, AYA, BO, Driver
from .home import opens, says, sends, shown, top
from .script import AGENT
from .test_forged import a_click, an_action
from .test_forged import sent as forged
from .test_home import clicks_home

AYAS = f"{AGENT}aya"
MONDAYS = "周一不行"
NOT_MONDAYS = Days(weekdays=("mon",), allowed=False)
READ = ProfileRead(limits=(LimitRead(number=1, data=NOT_MONDAYS),))


async def profile_of(it: Driver, agent_id: str = AYAS) -> Profile:
    found = (await it.demo.towow.services.settings.directory(it.demo.tenant)).entry(agent_id).profile
    assert found is not None
    return found


async def told(given: Given, *, reads: ProfileRead = READ, **circumstances: Any) -> Driver:
    """Aya has told her twin a line, and another demand has reached it since."""
    it = await given(says={"read_profile": reads}, **circumstances)
    await clicks_home(it, AYA, TELL)
    await sends(it, AYA, await top(it, AYA), **{LINE: MONDAYS})
    await it.asks("Another evening, please")
    return it


def button(data: Any = NOT_MONDAYS, *, key: str, agent_id: str = AYAS) -> str:
    return LimitButton(agent_id=agent_id, key=key, data=data).value()


async def clicked(it: Driver, user: str, action: str, value: str) -> int:
    """Send a click that no client of theirs would send, and return how it is acknowledged."""
    status, _ = await forged(it, await a_click(
        it,
        user={"id": user, "name": "x", "team_id": it.demo.workspace.team_id},
        actions=[an_action(value, action)],
    ))  # fmt: skip
    await it.settles()
    return status


async def opens_held(it: Driver, user: str = AYA) -> Any:
    await clicks_home(it, user, HELD)
    return await top(it, user)


async def test_what_was_read_is_shown_and_holds_from_its_owners_yes(given: Given) -> None:
    it = await told(given)
    page = says(await opens(it, AYA))
    assert f"○ “{MONDAYS}” · read as: not on Mondays · own part?" in page
    assert "1 of these was read as data, and waits for your yes." in page
    assert not [*(await profile_of(it)).data_limits]

    held = await opens_held(it)
    await it.demo.person(AYA).act(held, HOLDS)
    await it.settles()

    assert [each.data for each in (await profile_of(it)).data_limits] == [NOT_MONDAYS]
    assert f"✓ “{MONDAYS}” · held as: not on Mondays · own part" in says(await top(it, AYA))
    assert "held as: not on Mondays" in says(await shown(it, AYA))
    stream = directory_key(it.demo.tenant).stream
    found = await acts(it.demo.towow.services.store, it.demo.tenant, stream)
    [act] = [each for each in found if each.act == "confirm_limit"]
    assert (act.by, act.agent_id, act.choice, act.changed) == (AYA, AYAS, "on", True)


async def test_the_twin_is_asked_before_it_is_read_and_is_read_once_a_change(given: Given) -> None:
    it = await told(given)
    asked = it.script.asked
    assert asked.count("read_profile") == 1
    assert asked[-1] != "read_profile"

    await it.asks("A third evening, please")

    assert asked.count("read_profile") == 1
    assert it.script.given["respond/aya"]["profile"].limit_data[0].data == NOT_MONDAYS
    assert it.script.given["respond/bo"]["profile"].limit_data == ()


async def test_what_cannot_be_read_stays_in_words_and_is_tried_with_the_next_demand(given: Given) -> None:
    it = await given(fails={"read_profile": ModelTimeout("too slow")})
    await clicks_home(it, AYA, TELL)
    await sends(it, AYA, await top(it, AYA), **{LINE: MONDAYS})
    await it.asks("Another evening, please")
    assert f"○ “{MONDAYS}” · in words" in says(await opens(it, AYA))

    it.script.fails.clear()
    it.script.says["read_profile"] = READ
    await it.asks("A third evening, please")

    assert "read as: not on Mondays" in says(await opens(it, AYA))


async def test_its_owner_corrects_what_was_read_by_its_kind(given: Given) -> None:
    it = await told(given)
    held = await opens_held(it)
    await it.demo.person(AYA).act(held, LIMIT)
    form = await top(it, AYA)
    assert MONDAYS in says(form)

    empty = await sends(it, AYA, form, weekday=[])
    assert "Enter what holds" in empty.errors["weekday"]
    outcome = await sends(it, AYA, await top(it, AYA), weekday=["mon", "tue"], allowed="not", scope="whole")

    assert not outcome.errors
    [limit] = (await profile_of(it)).data_limits
    assert (limit.data, limit.scope) == (Days(weekdays=("mon", "tue"), allowed=False), "whole")
    assert "not on Mondays and Tuesdays · the whole" in says(await top(it, AYA))


async def test_a_line_that_is_only_in_words_can_be_made_data_of_any_kind(given: Given) -> None:
    it = await told(given, reads=ProfileRead())
    await it.demo.person(AYA).act(await opens_held(it), LIMIT)

    without = await sends(it, AYA, await top(it, AYA), how="data")
    assert "kind" in without.errors
    await sends(it, AYA, await top(it, AYA), how="data", kind="people")
    outcome = await sends(it, AYA, await top(it, AYA), most="20")

    assert not outcome.errors
    assert [each.data for each in (await profile_of(it)).data_limits] == [People(at_most=20)]


async def test_a_limit_is_taken_back(given: Given) -> None:
    it = await told(given)
    await it.demo.person(AYA).act(await opens_held(it), LIMIT)

    await sends(it, AYA, await top(it, AYA), how="off")

    profile = await profile_of(it)
    assert (profile.data_limits, profile.worded_limits) == ((), ())
    assert "(off)" in says(await shown(it, AYA))


@pytest.mark.parametrize("user", [BO, ADMIN])
@pytest.mark.parametrize("action", [HELD, HOLDS, LIMIT])
async def test_nobody_else_sees_or_says_it_not_even_an_admin(given: Given, user: str, action: str) -> None:
    it = await told(given)
    key = (await profile_of(it)).stated_limits[0].key
    value = Twin(agent_id=AYAS).value() if action == HELD else button(key=key)

    assert await clicked(it, user, action, value) == 200

    assert not (await profile_of(it)).data_limits
    assert await it.demo.person(user).modals() == []


async def test_a_form_that_somebody_else_sends_changes_nothing(given: Given) -> None:
    it = await told(given)
    await it.demo.person(AYA).act(await opens_held(it), LIMIT)
    form = await top(it, AYA)
    values = {"how": {"how": {"selected_option": {"value": "off"}}}, "scope": {"scope": {"selected_option": None}}}
    view = {"id": form.id, "hash": form.hash, "type": "modal", "callback_id": LIMIT, "blocks": form.blocks,
            "private_metadata": form.private_metadata, "state": {"values": values}}  # fmt: skip
    user = {"id": BO, "name": "bo", "team_id": it.demo.workspace.team_id}

    status, answer = await forged(it, {"type": "view_submission", "user": user, "view": view})

    assert (status, answer["response_action"]) == (200, "errors")
    assert "That is for the person it is about" in json.dumps(answer)
    assert (await profile_of(it)).limit_data[0].state == "read"


async def test_a_yes_is_to_what_was_shown_whatever_was_read_meanwhile(given: Given) -> None:
    it = await told(given)
    key = (await profile_of(it)).stated_limits[0].key
    evenings = Hours(start="18:00", allowed=False)

    await clicked(it, AYA, HOLDS, button(evenings, key=key))

    assert [each.data for each in (await profile_of(it)).data_limits] == [evenings]


async def test_a_click_on_a_line_that_was_changed_meanwhile_changes_nothing(given: Given) -> None:
    it = await told(given)
    key = (await profile_of(it)).stated_limits[0].key
    await clicks_home(it, AYA, "twin.profile")
    await sends(it, AYA, await top(it, AYA), told="只在线上")

    assert await clicked(it, AYA, HOLDS, button(key=key)) == 200

    assert not (await profile_of(it)).data_limits


async def test_where_rules_speak_home_says_what_protects_whoever_reads_it(given: Given) -> None:
    it = await given()
    await clicks_home(it, AYA, LIMITS)
    form = await top(it, AYA)
    assert "What stands here as data, code holds" in says(form)
    assert "refused" not in says(form)
    await sends(it, AYA, form, never="overnight")
    assert "Simple rules answer here" not in says(await opens(it, AYA)), "a model answers here"
