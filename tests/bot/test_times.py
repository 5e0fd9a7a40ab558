"""Two people say when they can; a plan's time is looked at, another one is asked for, and agreed."""

from typing import Final

from bot.views.directory.buttons import AWAY, PROFILE
from bot.views.negotiation.button_values import CANNOT, OTHER_TIMES, TAKE_TIME
from engine.directory.state import Entry
from engine.facts.circumstances import When
from engine.facts.data import Datum, Days, Effort, Hours
from engine.negotiation.answers import Assignment, Circumstances, ProposalDraft, Understanding
from engine.negotiation.events import TimesFound
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status

from . import home
from .conftest import Begin, Given
from .driver import ACCEPT, AYA, BO, DEMAND, EVE, NEGOTIATE, YOU, Driver, presses, shows, text_of
from .home import opens, says, sends, top
from .script import AGENT
from .test_direct import direct
from .test_home import clicks_home

ZONE: Final = "Europe/Berlin"
FRIDAY: Final = "2099-05-01"
WINDOW: Final = When(first=FRIDAY, last="2099-05-04", start="09:00", end="18:00", time_zone=ZONE, exact="span")


async def entry(it: Driver, name: str) -> Entry:
    """What the directory has of somebody."""
    return (await it.demo.towow.services.settings.directory(it.demo.tenant)).entry(f"{AGENT}{name}")


async def held(it: Driver, name: str) -> list[Datum | None]:
    profile = (await entry(it, name)).profile
    assert profile is not None
    return [each.data for each in profile.data_limits]


def at(start: str, end: str) -> When:
    return When(first=FRIDAY, last=FRIDAY, start=start, end=end, time_zone=ZONE, exact="day")


def plan(when: When) -> ProposalDraft:
    seats = tuple(Assignment(agent_id=f"{AGENT}{each}", responsibility=f"{each} comes") for each in ("aya", "bo"))
    return ProposalDraft(summary="They meet", assignments=seats, when=when)


async def they_meet(driver: Begin) -> Driver:
    """Aya works in the mornings, Bo is there all day; the plan says Friday at three."""
    it = await driver()
    await clicks_home(it, AYA, PROFILE)
    morning = {"opens": "09:00", "closes": "12:00", "zone": ZONE}
    assert not (await sends(it, AYA, await top(it, AYA), workdays=["mon", "fri"], weekly="10", **morning)).errors
    await clicks_home(it, BO, PROFILE)
    assert not (await sends(it, BO, await top(it, BO), opens="09:00", closes="18:00", zone=ZONE)).errors
    it.script.says["understand"] = Understanding(
        surface_demand=DEMAND, confidence="high", language="en", context=Circumstances(when=WINDOW, minutes=60)
    )
    it.script.says["aggregate"] = plan(at("15:00", "16:00"))
    return await it.asks()


async def test_when_somebody_works_is_said_in_the_form_and_held_as_their_limits(driver: Begin) -> None:
    it = await they_meet(driver)
    assert await held(it, "aya") == [
        Days(weekdays=("mon", "fri")),
        Hours(start="09:00", end="12:00", time_zone=ZONE),
        Effort(hours=10, per="week"),
    ]
    before = (await entry(it, "aya")).revision
    assert not (await sends(it, AYA, await clicks_home(it, AYA, PROFILE))).errors
    assert (await entry(it, "aya")).revision == before, "what was sent as it was shown changes nothing"


async def test_half_an_hour_and_a_zone_that_is_none_are_told_beside_their_fields(driver: Begin) -> None:
    it = await driver()
    shown = await clicks_home(it, AYA, PROFILE)
    assert [*(await sends(it, AYA, shown, opens="09:00")).errors] == ["closes"]
    wrong = await sends(it, AYA, await top(it, AYA), opens="09:00", closes="12:00", zone="Berlin")
    assert [*wrong.errors] == ["zone"]


async def test_another_time_is_asked_for_and_agreed(driver: Begin) -> None:
    it = await they_meet(driver)
    card = await it.card()
    assert "1 of 2 can, as far as it is known" in text_of(card)
    assert "You cannot then" in text_of((await direct(it, AYA))[-1])

    times = (await it.clicks(YOU, OTHER_TIMES)).modal
    assert times is not None
    assert "all 2 can" in says(times)
    eve = (await it.clicks(EVE, OTHER_TIMES)).modal
    assert eve is not None
    assert TAKE_TIME not in home.buttons(eve)

    it.script.says["adjust"] = plan(at("09:00", "10:00"))
    await home.clicks(it, YOU, TAKE_TIME, times)
    await it.clicks(AYA, ACCEPT)
    await it.clicks(BO, ACCEPT)
    state = await it.stands(Status.NEGOTIATING, round=2)
    (wish,) = it.script.given["adjust"]["understood"]
    assert wish.data == Hours(start="09:00", end="10:00", time_zone=ZONE)
    assert "all 2 can, as far as it is known" in text_of(await it.card())
    assert "read_request" not in it.script.asked
    assert state.proposals[-1].when.start == "09:00"


async def test_who_cannot_is_named_to_whoever_asked_alone(driver: Begin) -> None:
    it = await they_meet(driver)
    await sends(it, BO, await clicks_home(it, BO, PROFILE), opens="13:00", closes="18:00", zone=ZONE)
    it.script.says["adjust"] = plan(at("16:00", "17:00"))
    await it.says(BO, NEGOTIATE, "An hour later")
    await it.clicks(AYA, ACCEPT)
    await it.stands(Status.NEGOTIATING, round=2)

    (_, found) = await it.happened(TimesFound)
    assert found.found is not None
    told = {}
    for user in (YOU, BO, EVE):
        modal = (await it.clicks(user, OTHER_TIMES)).modal
        assert modal is not None
        told[user] = says(modal)
    assert "Cannot then: *Aya*" in told[YOU] or "Cannot then: *Bo*" in told[YOU]
    assert "*Aya*" not in told[BO] + told[EVE]
    assert "You can then." in told[BO]
    assert "You c" not in told[EVE]


async def test_nothing_is_looked_for_where_nobody_has_said_when_they_can(given: Given) -> None:
    it = await given()
    assert not await it.happened(TimesFound)
    assert not shows(await it.card(), OTHER_TIMES)


# ── away ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_two_clicks_in_home_say_that_somebody_is_away(given: Given) -> None:
    it = await given()
    form = await clicks_home(it, AYA, AWAY)
    assert not (await sends(it, AYA, form, first="2099-06-01", last="2099-06-03")).errors
    assert "June" in says(await opens(it, AYA))
    assert await held(it, "aya") == [Days(first="2099-06-01", last="2099-06-03", allowed=False)]


async def says_cannot(it: Driver, **days: str) -> None:
    """Bo says it on his card."""
    card = (await direct(it, BO))[-1]
    form = (await presses(it.demo.person(BO), card, CANNOT)).modal
    assert form is not None
    assert [each["block_id"] for each in form.blocks if each["type"] == "input"] == ["first", "last"]
    assert FRIDAY in str(form.blocks), "it begins with the day of the plan"
    assert not (await sends(it, BO, form, **days)).errors


async def test_a_card_asks_for_nothing_but_the_days_and_that_is_a_vote_for_another_time(driver: Begin) -> None:
    it = await they_meet(driver)
    await says_cannot(it)
    away = Days(first=FRIDAY, last=FRIDAY, allowed=False)
    assert away in await held(it, "bo")
    seat = (await it.state()).rounds[-1].seats[f"{AGENT}bo"]
    assert seat.human is not None
    assert (seat.human.feedback_type, seat.human.change, seat.human.by) == ("negotiate", away, BO)
    assert seat.human.adjustment_request == "not on Friday, May 1, 2099"
    assert "read_request" not in it.script.asked

    it.script.says["adjust"] = plan(at("15:00", "16:00"))
    await it.clicks(AYA, ACCEPT)
    await it.stands(Status.NEGOTIATING, round=2)
    assert all(each.when.first != FRIDAY or each.can < 2 for each in it.script.given["adjust"]["times"])


async def test_before_there_is_a_plan_the_days_are_kept_alone(given: Given) -> None:
    it = await given(policy=Policy(first_window=600, human_window=3600, override_window=600))
    card = next(each for each in reversed(await direct(it, BO)) if shows(each, CANNOT))
    form = (await presses(it.demo.person(BO), card, CANNOT)).modal
    assert form is not None
    assert not (await sends(it, BO, form, first=FRIDAY)).errors
    assert await held(it, "bo") == [Days(first=FRIDAY, last=FRIDAY, allowed=False)]


async def test_other_days_than_the_plans_are_kept_and_no_vote(driver: Begin) -> None:
    it = await they_meet(driver)
    await says_cannot(it, first="2099-06-01", last="2099-06-02")
    assert Days(first="2099-06-01", last="2099-06-02", allowed=False) in await held(it, "bo")
    assert (await it.state()).rounds[-1].seats[f"{AGENT}bo"].human is None


async def test_days_in_the_wrong_order_are_told_beside_the_field(given: Given) -> None:
    it = await given()
    form = await clicks_home(it, AYA, AWAY)
    assert [*(await sends(it, AYA, form, first="2099-06-03", last="2099-06-01")).errors] == ["last"]
    assert [*(await sends(it, AYA, await top(it, AYA), first="", last="")).errors] == ["first"]
    assert await held(it, "aya") == []
