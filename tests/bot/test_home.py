"""The App Home: one's twin, where one can still vote, what one has asked for; and what is done from there."""

from typing import Any

import pytest

from bot.demo.demo import CHANNEL
from bot.local_slack import View
from bot.views.directory.buttons import ASK, LIMITS, MAKE, PAUSE, PEOPLE, PROFILE, RESET, RESUME, SETTINGS
from bot.views.negotiation.button_values import ACCEPT, CORRECT, NEGOTIATE, WHY
from bot.views.negotiation.demand.demand_form import WHAT, WHERE
from bot.views.negotiation.offers.offer_form import CONTRIBUTION
from bot.views.negotiation.voting.wish_fields import CHANGE
from engine.negotiation.voting.kinds import FeedbackType

from . import home
from .conftest import Begin, Given
from .driver import ADMIN, AYA, BO, DEMAND, EVE, YOU, Driver, presses
from .home import buttons, clicks, opens, says, sends, shown, top
from .script import AGENT
from .test_delegates import part

GOOD = {"abilities": "venue: A room for 60 people", "languages": "English", "summary": "I help. " * 30}
SUMMARY = "I know every roof terrace in the city and who has the key to it. " * 4


async def agent_ids(it: Driver) -> list[str]:
    """Return whose twins the model could choose from, the last time that it was asked."""
    return [each.agent_id.removeprefix(AGENT) for each in it.script.given["filter"]["profiles"]]


# ── what it shows ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_whoever_has_a_twin_sees_it_and_what_waits_for_them(given: Given) -> None:
    it = await given()

    page = says(await opens(it, AYA))

    assert "Aya" in page
    assert "A room for 60 people" in page
    assert "🟢 The twin answers." in page
    assert f"“{DEMAND}”: round 1, open until" in page
    assert "None so far. Tell me what you need." in page


async def test_whoever_asked_sees_their_demands(given: Given) -> None:
    it = await given()

    page = says(await opens(it, YOU))

    assert "You have none, so nobody is asked in your name." in page
    assert f"“{DEMAND}”: Round 1 of 5: the votes are coming in" in page


async def test_what_is_listed_leads_to_its_thread(given: Given) -> None:
    it = await given()

    assert it.posted is not None
    asked, url = it.posted.message.ts, it.demo.workspace.url
    address = f"{url}/archives/{CHANNEL}/p{asked.replace('.', '')}"
    for user in (YOU, AYA):
        assert f"<#{CHANNEL}> · <{address}|Thread>" in says(await opens(it, user))


async def test_only_admins_see_what_is_for_admins(given: Given) -> None:
    it = await given()

    assert "For admins" in says(await opens(it, ADMIN))
    for user in (YOU, AYA, EVE):
        page = await opens(it, user)
        assert "For admins" not in says(page)
        assert SETTINGS not in buttons(page)


async def test_it_speaks_the_language_of_whoever_reads_it(given: Given) -> None:
    it = await given(locales={AYA: "zh-CN", BO: "en-US"})

    assert "你的数字分身" in says(await opens(it, AYA))
    assert "Your digital twin" in says(await opens(it, BO))


async def test_an_open_page_follows_what_happens(given: Given) -> None:
    it = await given()
    await opens(it, AYA)
    await opens(it, YOU)

    await it.clicks(AYA, ACCEPT)

    assert "Nobody is waiting for you." in says(await shown(it, AYA))
    await it.stops(YOU)
    assert "Stopped" in says(await shown(it, YOU))


async def test_nobody_is_shown_anything_who_has_not_looked(given: Given) -> None:
    it = await given()
    await it.clicks(AYA, ACCEPT)

    assert await it.demo.person(AYA).home() is None


@pytest.mark.parametrize(
    "fault",
    [{"do": "status", "status": 429, "retry_after": 5}, {"do": "status", "status": 500}, {"do": "drop_after"}],
    ids=["too many calls", "trouble", "the reply is lost"],
)
async def test_a_page_that_could_not_be_published_is_published_after_all(given: Given, fault: dict[str, Any]) -> None:
    it = await given()
    await it.demo.workspace.admin.fault("views.publish", **fault)

    await it.demo.person(AYA).open_home()
    await it.settles()
    if "retry_after" in fault:
        await it.passes()

    assert "Your digital twin" in says(await shown(it, AYA))


# ── one's own twin ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_profile_is_changed_and_the_next_demand_knows(given: Given) -> None:
    it = await given()
    form = (await clicks_home(it, AYA, PROFILE)).blocks
    assert any(block["block_id"] == "summary" and block["element"]["initial_value"] for block in form)

    outcome = await sends(
        it, AYA, await top(it, AYA), summary=SUMMARY, abilities="terrace: A roof for 40\nvenue: A cellar", place="Oslo"
    )

    assert not outcome.errors
    assert "A roof for 40" in says(await shown(it, AYA))
    await it.asks()
    asked = it.script.given["respond/aya"]["profile"]
    assert (asked.location, asked.tags, asked.profile_summary) == ("Oslo", ("terrace", "venue"), SUMMARY.strip())
    assert asked.slack_user == AYA


@pytest.mark.parametrize(
    ("field", "said", "told"),
    [
        ("abilities", "venue", "At least one line needs a colon"),
        ("abilities", " : nothing", "At least one line needs a colon"),
        ("languages", " , ", "A few words are enough"),
        ("summary", "too short".ljust(250), "200 to 500 characters are needed; these are 9."),
    ],
)
async def test_what_makes_no_profile_is_said_beside_its_field(given: Given, field: str, said: str, told: str) -> None:
    it = await given()
    await clicks_home(it, AYA, PROFILE)

    outcome = await sends(it, AYA, await top(it, AYA), **{field: said})

    assert told in outcome.errors[field]
    assert "A room for 60 people" in says(await shown(it, AYA))
    mended = await sends(it, AYA, await top(it, AYA), **{"place": "Rome", field: GOOD[field]})
    assert not mended.errors
    assert "Rome" in says(await shown(it, AYA))


async def test_what_the_twin_must_never_agree_to_is_asked_with_it(given: Given) -> None:
    it = await given()
    await clicks_home(it, AYA, LIMITS)

    refused = await sends(it, AYA, await top(it, AYA), fewest="50", most="10")
    assert "less than the fewest" in refused.errors["most"]
    await sends(it, AYA, await top(it, AYA), fewest="10", most="50", never="overnight\n\npolitics", paid=["paid_only"])

    page = says(await shown(it, AYA))
    assert "✓ 10 to 50 people · the whole" in page
    assert "○ never: “politics” · in words" in page
    await it.asks()
    limits = it.script.given["respond/aya"]["profile"].limits
    assert (limits.min_attendees, limits.never, limits.paid_only) == (10, ("overnight", "politics"), True)


async def test_a_paused_twin_is_not_asked_until_it_answers_again(given: Given) -> None:
    it = await given()
    await opens(it, AYA)

    await clicks(it, AYA, PAUSE)
    assert "⏸️ Paused: the twin answers nothing." in says(await shown(it, AYA))
    await it.asks()
    assert await agent_ids(it) == ["bo"]

    await clicks(it, AYA, RESUME)
    await it.asks()
    assert await agent_ids(it) == ["aya", "bo"]


async def test_a_twin_that_is_paused_under_way_casts_no_vote_and_its_person_decides(driver: Begin) -> None:
    it = await (await driver(held=["aggregate"])).asks()
    await opens_without_model(it, AYA)
    await it.demo.person(AYA).act(await shown(it, AYA), PAUSE)
    it.script.held.pop("aggregate").set()
    await it.settles()

    seat = (await it.state()).rounds[-1].seats[f"{AGENT}aya"]
    assert seat.twin is None
    assert seat.twin_degraded
    await it.clicks(AYA, ACCEPT)
    assert (await it.votes())["aya"] is FeedbackType.ACCEPT


async def test_it_can_be_paused_where_one_reads_why_one_was_asked(given: Given) -> None:
    it = await given()
    card = await part(it, AYA)
    await presses(it.demo.person(AYA), card, WHY)
    await it.settles()

    await clicks(it, AYA, PAUSE, await top(it, AYA))

    assert "Your twin is paused" in says(await top(it, AYA))
    await it.asks()
    assert await agent_ids(it) == ["bo"]


async def test_whoever_has_none_can_make_one_and_remove_it(given: Given) -> None:
    it = await given()
    await clicks_home(it, EVE, MAKE)

    await sends(
        it,
        EVE,
        await top(it, EVE),
        name="Eve",
        summary=SUMMARY,
        place="Berlin",
        abilities="venue: A barn",
        when="always",
        languages="English, 中文",
    )
    assert "A barn" in says(await shown(it, EVE))
    await it.asks()
    made = next(each for each in it.script.given["filter"]["profiles"] if each.user_name == "Eve")
    assert (made.agent_id, made.languages) == (f"{AGENT}u_eve", ("English", "中文"))

    await clicks(it, EVE, RESET)
    assert "You have none" in says(await shown(it, EVE))
    await it.asks()
    assert await agent_ids(it) == ["aya", "bo"]


async def test_what_an_admin_wrote_meanwhile_is_not_overwritten(given: Given) -> None:
    it = await given()
    form = await clicks_home(it, AYA, PROFILE)
    await finds(it, "aya")
    await clicks(it, ADMIN, PROFILE, await top(it, ADMIN))
    await sends(it, ADMIN, await top(it, ADMIN), place="Rome")

    outdated = await sends(it, AYA, form, place="Oslo")

    assert "Somebody has changed this since you opened the form." in outdated.errors["name"]
    assert "Rome" in says(await shown(it, AYA))


# ── what waits for one ────────────────────────────────────────────────────────────────────────────────────────────


async def test_one_votes_from_there(given: Given) -> None:
    it = await given()
    await opens(it, AYA)

    await clicks(it, AYA, ACCEPT)

    state = await it.state()
    vote = state.rounds[-1].seats[f"{AGENT}aya"].human
    assert vote is not None
    assert (vote.by, vote.feedback_type) == (AYA, FeedbackType.ACCEPT)


async def test_one_asks_for_a_change_from_there(given: Given) -> None:
    it = await given()
    await opens(it, AYA)
    form = await clicks(it, AYA, NEGOTIATE)
    assert form.modal is not None

    await sends(it, AYA, form.modal, **{CHANGE: "An hour later"})

    vote = (await it.state()).rounds[-1].seats[f"{AGENT}aya"].human
    assert vote is not None
    assert vote.adjustment_request == "An hour later"


async def test_a_click_that_comes_too_late_is_told_in_a_modal_and_changes_nothing(given: Given) -> None:
    it = await given()
    old = await opens(it, AYA)
    await it.demo.workspace.admin.fault("views.publish", "error", times=None)
    await it.stops(YOU)
    before = await it.events()
    person = it.demo.person(AYA)

    await person.act(old, ACCEPT)
    await it.settles()

    assert await it.events() == before
    assert "nothing was changed" in says(await top(it, AYA))


async def test_what_no_modal_can_say_any_more_comes_by_direct_message(given: Given) -> None:
    it = await given()
    old = await opens(it, AYA)
    await it.demo.workspace.admin.fault("views.publish", "error", times=None)
    await it.stops(YOU)
    person = it.demo.person(AYA)
    before = {each.ts for each in await person.messages((await person.dm()).id)}
    await it.demo.workspace.admin.fault("views.open", "error", error="expired_trigger_id")

    await person.act(old, ACCEPT)
    await it.settles()

    [told] = [each for each in await person.messages((await person.dm()).id) if each.ts not in before]
    assert "nothing was changed" in told.text


@pytest.mark.parametrize("by_direct_message", [False, True])
async def test_one_answers_in_place_of_ones_twin_from_there(driver: Begin, by_direct_message: bool) -> None:
    """Also where the demand's thread is in somebody else's direct messages."""
    it = await driver(held=["aggregate"])
    you = it.demo.person(YOU)
    bot = it.demo.workspace.bot_user_id
    where, what = ((await you.dm()).id, DEMAND) if by_direct_message else (CHANNEL, f"<@{bot}> {DEMAND}")
    await you.say(where, what)
    await it.script.thinking.wait()
    aya = it.demo.person(AYA)
    await aya.open_home()
    page = await aya.until_home(lambda view: CORRECT in buttons(view))
    assert "Takes part – aya helps" in says(page)

    form = (await aya.act(page, CORRECT)).modal
    assert form is not None
    await aya.submit(form, home.filled(form, {CONTRIBUTION: "Two rooms"}))

    assert "Two rooms" in says(await aya.until_home(lambda view: "Two rooms" in says(view)))
    it.script.held.pop("aggregate").set()
    await it.demo.settle()
    assert CORRECT not in buttons(await shown(it, AYA))
    assert ACCEPT in buttons(await shown(it, AYA))


async def test_one_asks_for_something_from_there(given: Given) -> None:
    it = await given()
    await opens(it, EVE)
    await clicks(it, EVE, ASK)

    await sends(it, EVE, await top(it, EVE), **{WHAT: "A piano for an evening", WHERE: CHANNEL})

    assert "A piano for an evening" in says(await shown(it, EVE))
    assert await it.begun() == 2


async def clicks_home(it: Driver, user: str, action: str) -> View:
    """Open the form behind a button of the page."""
    await opens(it, user)
    await home.clicks(it, user, action)
    return await top(it, user)


async def finds(it: Driver, name: str) -> View:
    """Open what an admin sees of somebody."""
    await sends(it, ADMIN, await clicks_home(it, ADMIN, PEOPLE), who=f"{AGENT}{name}")
    return await top(it, ADMIN)


async def opens_without_model(it: Driver, user: str) -> None:
    """Settle while the model holds an answer back."""
    await it.demo.person(user).open_home()
    await it.demo.person(user).until_home()
