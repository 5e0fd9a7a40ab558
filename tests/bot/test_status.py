"""/towow status: where somebody can still vote, and how what they asked for stands; for them alone."""

import pytest

from bot.demo.demo import CHANNEL
from bot.local_slack import User
from engine.kernel import Tenant
from engine.negotiation.state import Status
from engine.projections.inbox import demands_of, open_votes_of

from .conftest import Begin, Given
from .driver import ACCEPT, ALONE, AYA, BO, DEMAND, EVE, QUIET, YOU, Driver, nothing_changed
from .test_direct_demands import told, writes

NO_VOTES = "Nobody is waiting for you."
NO_DEMANDS = "None so far. Tell me what you need."


async def status(it: Driver, user: str = YOU, text: str = "status") -> str:
    outcome = await it.demo.person(user).slash(CHANNEL, "/towow", text)
    assert outcome.acked
    assert outcome.message is not None
    assert outcome.message.visible_to == user
    return outcome.message.text


async def on_record(it: Driver, user: str) -> tuple[int, list[Status]]:
    """Return how many open votes there are, and how the demands stand."""
    store, tenant = it.demo.towow.store, Tenant(it.demo.workspace.team_id)
    votes = await open_votes_of(store, tenant, user)
    return sum(len(each.agent_ids) for each in votes), [each.status for each in await demands_of(store, tenant, user)]


async def test_whoever_has_nothing_is_told_so(driver: Begin) -> None:
    it = await driver()

    said = await status(it, EVE)

    assert NO_VOTES in said
    assert NO_DEMANDS in said


async def test_everybody_is_told_their_own_votes_and_demands(given: Given) -> None:
    it = await given(alone=("chen",))

    yours, ayas = await status(it), await status(it, AYA)

    assert f"• “{DEMAND}”: round 1, open until <!date^" in yours
    assert f"for *Chen* · <#{CHANNEL}>" in yours
    assert f"• “{DEMAND}”: Round 1 of 5: the votes are coming in · <#{CHANNEL}>" in yours
    assert ayas.count("open until") == 1
    assert "for *" not in ayas
    assert NO_DEMANDS in ayas
    assert await on_record(it, YOU) == (1, [Status.NEGOTIATING])
    assert await on_record(it, AYA) == (1, [])


async def test_a_vote_that_was_given_is_open_no_more(given: Given) -> None:
    it = await given()

    await it.clicks(AYA, ACCEPT)

    assert NO_VOTES in await status(it, AYA)
    assert NO_VOTES not in await status(it, BO)
    assert [await on_record(it, each) for each in (AYA, BO)] == [(0, []), (1, [])]


@pytest.mark.parametrize("ending", ["time", "stop"])
async def test_nothing_is_open_once_it_is_over(given: Given, ending: str) -> None:
    it = await given()

    await (it.goes_on() if ending == "time" else it.stops(YOU))

    assert [NO_VOTES in await status(it, each) for each in (YOU, AYA, BO)] == [True] * 3
    assert ("✅ Agreed" if ending == "time" else "Stopped by") in await status(it)
    assert await on_record(it, AYA) == (0, [])


async def test_a_long_list_is_cut_and_says_so(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    for number in range(12):
        await it.demo.person().slash(CHANNEL, "/towow", f"A venue for the day number {number}")
        await it.demo.settle(QUIET)

    said = await status(it)

    assert said.count("✅ Agreed") == 10
    assert "below" not in said
    assert "…and 2 older ones" in said


async def test_what_was_asked_in_a_demand_has_no_power_there(given: Given) -> None:
    it = await given("<b> <!channel> a *venue* & <https://a.example|b> `now`\nfor 50")

    said = await status(it)

    assert "<!channel>" not in said
    assert "`" not in said
    assert "@channel" not in said
    assert "&lt;b&gt; @\u2060channel a *venue* &amp; b (https://a.example)" in said


@pytest.mark.parametrize("text", ["status", "Status?", "状态", "my votes"])
async def test_it_is_asked_for_in_several_ways(given: Given, text: str) -> None:
    it = await given()

    said = await status(it, AYA, text)

    assert ("你还可以投的票" in said) == (text == "状态") or "Your open votes" in said
    assert await it.begun() == 1


async def test_a_mention_or_a_direct_message_may_ask_for_it(given: Given) -> None:
    it = await given()

    async with nothing_changed(it, by=YOU, told="*Your demands*"):
        await it.demo.person().say(CHANNEL, "<@U_TOWOW> status")
        await it.demo.settle(QUIET)
    await writes(it, "status", user=AYA)

    [said] = await told(it, AYA)
    assert f"“{DEMAND}”: round 1" in said


async def test_whoever_is_of_another_company_is_told_nothing(given: Given) -> None:
    it = await given()
    await it.demo.workspace.admin.put_user(User(id=AYA, name="guest", real_name="A Guest", team_id="T_PARTNER"))

    said = await status(it, AYA)

    assert said.startswith("I only take demands from people of this workspace")


async def test_where_nothing_can_be_read_it_says_so(given: Given) -> None:
    it = await given()
    await it.demo.towow.store.close()

    assert "Something went wrong on our side" in await status(it)
