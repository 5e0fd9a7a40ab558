"""What admins do in the App Home: settings, people; and that nobody else does."""

from typing import Any

import pytest
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.models.blocks import ActionsBlock, ButtonElement
from slack_sdk.web.async_client import AsyncWebClient

from bot.demo.negotiation.ask import post
from bot.local_slack import Channel, User
from bot.registry import PROTOCOLS
from bot.slack.bolt import bolt_app
from bot.views.directory.buttons import (
    ADD,
    DISABLE,
    ENABLE,
    IMPORT,
    LIMITS,
    PAUSE,
    PEOPLE,
    PROFILE,
    RESET,
    SETTINGS,
    Twin,
)
from bot.views.negotiation.button_values import STOP
from bot.workspace_settings import directory_key
from engine.directory.state import Directory
from engine.errors import ModelUnavailable
from engine.kernel import Tenant
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome
from tests.profiles.profile_files import VALID

from .conftest import Begin, Given
from .driver import ADMIN, AYA, BO, EVE, YOU, Driver
from .home import clicks, opens, says, sends, shown, top
from .script import AGENT
from .test_home import SUMMARY, agent_ids, clicks_home, finds

NOT_YOURS = "That is for the person it is about, or for an admin, so nothing was changed. Ask one of them."


async def directory(it: Driver) -> Directory:
    workspace = it.demo.workspace
    state, _ = await it.demo.towow.runtime.read(directory_key(Tenant(workspace.team_id, workspace.enterprise_id or "")))
    assert isinstance(state, Directory)
    return state


# ── settings ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_next_demand_is_decided_as_was_set_and_the_open_one_as_it_began(given: Given) -> None:
    it = await given()
    before = (await it.state()).policy
    form = await clicks_home(it, ADMIN, SETTINGS)

    outcome = await sends(it, ADMIN, form, policy="balanced", human="5", feedback="0.5")

    assert not outcome.errors
    assert (await it.state()).policy == before
    again = await it.asks()
    policy = (await again.state()).policy
    assert (policy.name, policy.human_window, policy.feedback_timeout) == ("balanced", 300, 30)
    page = says(await shown(it, ADMIN))
    assert "How much agreement is enough: 80% accept, 5 rounds at most; fails if what is essential is lost" in page
    assert "People may overrule their twins for 5 min" in page


async def test_what_is_left_out_is_as_it_was_started(given: Given) -> None:
    it = await given()
    await sends(it, ADMIN, await clicks_home(it, ADMIN, SETTINGS), policy="story05", human="5")
    form = await clicks_home(it, ADMIN, SETTINGS)

    await sends(it, ADMIN, form, policy="as_started", human=None)

    again = await it.asks()
    assert (await again.state()).policy == (await it.state()).policy


async def test_an_admin_says_that_nothing_stands_in_for_a_model_that_cannot_be_reached(given: Given) -> None:
    it = await given()
    ends = "What if no model can be reached? The negotiation ends, and says why"
    assert ends not in says(await opens(it, ADMIN))
    await sends(it, ADMIN, await clicks_home(it, ADMIN, SETTINGS), model="nothing")
    it.script.fails["filter"] = ModelUnavailable("no route")

    again = await it.asks()

    await again.stands(Status.FAILED)
    assert (await again.state()).outcome is Outcome.MODEL_UNAVAILABLE
    assert not (await it.state()).policy.require_model
    assert ends in says(await shown(it, ADMIN))
    for chosen, required in (("rules", False), ("as_started", None)):
        await sends(it, ADMIN, await clicks_home(it, ADMIN, SETTINGS), model=chosen)
        assert (await directory(it)).settings.require_model is required


async def test_whether_votes_are_blind_holds_from_the_next_demand_on(given: Given) -> None:
    it = await given()
    form = await clicks_home(it, ADMIN, SETTINGS)

    outcome = await sends(it, ADMIN, form, blind="after_the_round")

    assert not outcome.errors
    assert not (await it.state()).policy.blind_votes
    again = await it.asks()
    assert (await again.state()).policy == (await it.state()).policy.model_copy(update={"blind_votes": True})
    assert "When does everybody see what was voted? Once the round is over; until then, who has voted" in says(
        await shown(it, ADMIN)
    )

    await sends(it, ADMIN, await clicks_home(it, ADMIN, SETTINGS), blind="at_once", policy="story05")

    assert not (await (await it.asks()).state()).policy.blind_votes
    assert "see what was voted" not in says(await shown(it, ADMIN))


@pytest.mark.parametrize("minutes", ["99999999", "-1"])
async def test_a_time_that_makes_no_sense_is_said_beside_its_field(given: Given, minutes: str) -> None:
    it = await given()
    form = await clicks_home(it, ADMIN, SETTINGS)

    outcome = await sends(it, ADMIN, form, response=minutes)

    assert "response" in outcome.errors


async def test_demands_begin_only_where_admins_say(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.put_channel(Channel(id="C_ELSE", name="elsewhere", members=[YOU, ADMIN]))
    await sends(it, ADMIN, await clicks_home(it, ADMIN, SETTINGS), channels=["C_ELSE"])

    posted = await post(it.demo, "I need a venue for 50 people in Berlin")
    assert posted is None
    assert any("let demands begin in <#C_ELSE>, or by direct message" in each for each in await it.told(YOU))

    you = it.demo.person(YOU)
    await you.say("C_ELSE", f"<@{it.demo.workspace.bot_user_id}> I need a venue for 50 people in Berlin")
    await it.settles()
    assert await it.begun() == 1
    await you.say((await you.dm()).id, "I need a venue for 30 people in Rome")
    await it.settles()
    assert await it.begun() == 2


async def test_whom_an_admin_names_is_one_from_then_on(given: Given) -> None:
    it = await given()
    await sends(it, ADMIN, await clicks_home(it, ADMIN, SETTINGS), admins=[EVE])

    assert "For admins" in says(await opens(it, EVE))
    await it.clicks(EVE, STOP, card=(await it.thread())[1])

    await it.stands(Status.CANCELLED)


async def test_only_colleagues_become_admins(given: Given) -> None:
    it = await given()
    workspace = it.demo.workspace
    await workspace.admin.put_user(User(id="U_FAR", name="far", real_name="Far", team_id="T_PARTNER"))
    for nobody in (workspace.bot_user_id, "U_FAR"):
        form = await clicks_home(it, ADMIN, SETTINGS)
        outcome = await sends(it, ADMIN, form, admins=[nobody])
        assert "Only colleagues of this workspace can be admins" in outcome.errors["admins"]
        await it.demo.person(ADMIN).close(form)

    assert (await directory(it)).settings.admins == ()


async def test_settings_that_changed_meanwhile_are_not_overwritten(given: Given) -> None:
    it = await given()
    await sends(it, ADMIN, await clicks_home(it, ADMIN, SETTINGS), admins=[EVE])
    old = await clicks_home(it, EVE, SETTINGS)
    await sends(it, ADMIN, await clicks_home(it, ADMIN, SETTINGS), human="7")

    outcome = await sends(it, EVE, old, human="8")

    assert "Somebody has changed this since you opened the form." in outcome.errors["policy"]
    assert (await directory(it)).settings.human_window == 420


async def test_the_page_says_how_it_goes(given: Given) -> None:
    it = await given()

    page = says(await opens(it, ADMIN))

    assert "2 with a twin · 2 linked to somebody here · 0 paused · 0 taken out" in page
    assert "Open negotiations: 1" in page
    assert f"Admins: <@{ADMIN}>" in page


# ── people ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_who_is_taken_out_is_not_asked_until_they_are_back(given: Given) -> None:
    it = await given()
    card = await finds(it, "aya")

    await clicks(it, ADMIN, DISABLE, card)
    assert "⛔ Taken out by an admin" in says(await top(it, ADMIN))
    await it.asks()
    assert await agent_ids(it) == ["bo"]

    await clicks(it, ADMIN, ENABLE, await top(it, ADMIN))
    await it.asks()
    assert await agent_ids(it) == ["aya", "bo"]


async def test_what_is_recorded_is_acknowledged_before_it_is_shown(given: Given) -> None:
    it = await given()
    card = await finds(it, "aya")
    held = await it.demo.workspace.admin.fault("views.update", "hold")

    outcome = await it.demo.person(ADMIN).act(card, DISABLE)

    assert outcome.acked
    assert not (await directory(it)).entry(f"{AGENT}aya").is_asked
    await held.release()
    await it.settles()
    assert "⛔ Taken out by an admin" in says(await top(it, ADMIN))


async def test_a_profile_of_somebody_else_is_changed_linked_and_reset(given: Given) -> None:
    it = await given(alone=["chen"])
    await clicks(it, ADMIN, PROFILE, await finds(it, "chen"))

    await sends(it, ADMIN, await top(it, ADMIN), place="Oslo", whose=EVE)

    card = await top(it, ADMIN)
    assert "Oslo" in says(card)
    assert f"<@{EVE}>" in says(card)
    assert "Oslo" in says(await opens(it, EVE))
    await clicks(it, ADMIN, RESET, card)
    assert "Berlin" in says(await top(it, ADMIN))
    assert "You have none" in says(await opens(it, EVE))


async def test_nobody_gets_two_twins_and_no_bot_gets_one(given: Given) -> None:
    it = await given(alone=["chen"])
    await clicks(it, ADMIN, PROFILE, await finds(it, "chen"))

    for whose in (AYA, it.demo.workspace.bot_user_id):
        outcome = await sends(it, ADMIN, await top(it, ADMIN), whose=whose)
        assert "everybody has one twin at most" in outcome.errors["name"]


async def test_somebody_is_added_for_whom_whoever_asks_answers(given: Given) -> None:
    it = await given()
    form = await clicks_home(it, ADMIN, ADD)

    said = {"called": "the_barn", "name": "The barn", "summary": SUMMARY, "place": "Ulm", "abilities": "venue: A barn"}
    refused = await sends(it, ADMIN, form, **{**said, "called": "The Barn!"}, when="always", languages="German")
    assert "Small letters, digits and underscores" in refused.errors["called"]
    await sends(it, ADMIN, await top(it, ADMIN), **said, when="always", languages="German")

    await it.asks()
    assert await agent_ids(it) == ["aya", "bo", "the_barn"]
    await clicks(it, ADMIN, RESET, await finds(it, "the_barn"))
    assert "There is no such profile any more" in says(await top(it, ADMIN))
    await it.asks()
    assert await agent_ids(it) == ["aya", "bo"]


async def test_a_file_is_brought_in_and_its_faults_are_told_by_line(given: Given) -> None:
    it = await given()
    form = await clicks_home(it, ADMIN, IMPORT)

    faulty = await sends(it, ADMIN, form, sheet=VALID.replace("location", "lcoation").replace("[venue,", "["))
    assert "did you mean `location`?" in faulty.errors["sheet"]
    assert faulty.errors["sheet"].count("\n") >= 2
    await sends(it, ADMIN, await top(it, ADMIN), sheet=VALID)

    assert "A workshop for 20 people" in says(await top(it, ADMIN))
    await it.asks()
    assert await agent_ids(it) == ["aya", "bo"]
    assert it.script.given["respond/bo"]["profile"].slack_user is None


# ── everybody else ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("user", [BO, EVE, YOU], ids=["somebody else with a twin", "a stranger", "the requester"])
async def test_a_forged_button_changes_nothing(given: Given, user: str) -> None:
    it = await given()
    await opens(it, user)
    before, stands = await directory(it), await shown(it, user)

    acts = (SETTINGS, PEOPLE, ADD, IMPORT, PROFILE, LIMITS, PAUSE, DISABLE, ENABLE, RESET)
    for number, action in enumerate(acts, start=1):
        await forged(it, user, action)

        assert await directory(it) == before
        assert await shown(it, user) == stands
        assert await it.demo.person(user).modals() == []
        told = await it.demo.person(user).messages((await it.demo.person(user).dm()).id)
        assert sum(NOT_YOURS in each.text for each in told) == number


@pytest.mark.parametrize("action", [SETTINGS, PEOPLE, IMPORT, PROFILE, LIMITS])
async def test_a_form_counts_only_from_whoever_may_still_fill_it_in(given: Given, action: str) -> None:
    """Eve is an admin as she opens it, and none as she sends it."""
    it = await given()
    await sends(it, ADMIN, await clicks_home(it, ADMIN, SETTINGS), admins=[EVE])
    if action in (PROFILE, LIMITS):
        await opens(it, EVE)
        await clicks(it, EVE, PEOPLE)
        await sends(it, EVE, await top(it, EVE), who=f"{AGENT}aya")
        await clicks(it, EVE, action, await top(it, EVE))
    else:
        await clicks_home(it, EVE, action)
    form = await top(it, EVE)
    await sends(it, ADMIN, await clicks_home(it, ADMIN, SETTINGS), admins=[])
    before = await directory(it)

    said: dict[str, Any] = {PEOPLE: {"who": f"{AGENT}aya"}, IMPORT: {"sheet": VALID}}.get(action, {})
    outcome = await sends(it, EVE, form, **said)

    assert [*outcome.errors.values()] == [NOT_YOURS]
    assert await directory(it) == before


async def test_nothing_is_shown_to_people_of_another_workspace_under_an_admins_id(given: Given) -> None:
    it = await given()
    workspace = it.demo.workspace
    event = {"type": "app_home_opened", "user": ADMIN, "channel": "D1", "tab": "home", "event_ts": "1.1"}
    app = bolt_app(AsyncWebClient(workspace.bot_token, workspace.api_url), it.demo.towow.services, PROTOCOLS)
    for team in ("T_ELSEWHERE", workspace.team_id):
        assert await it.demo.person(ADMIN).home() is None
        body = {"type": "event_callback", "event_id": f"Ev{team}", "team_id": team, "event": event}
        await app.async_dispatch(AsyncBoltRequest(body=body, mode="socket_mode"))
        await it.settles()

    assert "For admins" in says(await shown(it, ADMIN))


@pytest.mark.parametrize("action", [PROFILE, "twin.make", PAUSE, SETTINGS])
async def test_people_from_outside_have_no_twin_and_no_say(given: Given, action: str) -> None:
    it = await given()
    workspace = it.demo.workspace
    users = {each.id: each for each in await it.demo.person(YOU).users()}
    for user in (AYA, ADMIN):
        await workspace.admin.put_user(users[user].model_copy(update={"team_id": "T_PARTNER"}))
        before = await directory(it)

        await forged(it, user, action)

        assert await directory(it) == before
        assert await it.demo.person(user).modals() == []


async def forged(it: Driver, user: str, action: str) -> None:
    """Click on a forged button about aya's twin in somebody's direct messages."""
    workspace = it.demo.workspace
    row = ActionsBlock(
        elements=[ButtonElement(text="Do it", action_id=action, value=Twin(agent_id=f"{AGENT}aya").value())]
    )
    client = AsyncWebClient(workspace.bot_token, workspace.api_url)
    card: Any = await client.chat_postMessage(channel=user, text="A card", blocks=[row])
    await it.demo.person(user).click(card["channel"], card["ts"], action)
    await it.settles()
