"""After agreement: somebody cannot any more, and those who are needed agree to another time."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

import pytest
from msgspec.structs import replace

from bot.api.negotiation.demands import reader, told
from engine.errors import Duplicate, IllegalStep, NotAllowed
from engine.facts.asked import zone_of
from engine.facts.circumstances import When
from engine.facts.data import Datum, Days, Hours, Notice
from engine.kernel import Millis
from engine.negotiation.afterwards.conflicts import findings, is_news, standing
from engine.negotiation.afterwards.rescheduling import RESCHEDULING, open_now, voters
from engine.negotiation.answers import Assignment, Milestone, ProposalDraft, Timeline
from engine.negotiation.commands import AnswerTimes, FindTime, GiveUpSeat, KeepTime, RecordAvailability
from engine.negotiation.events import (
    ConflictEnded,
    ConflictFound,
    ProposalAmended,
    ReschedulingAnswered,
    ReschedulingBegun,
    ReschedulingEnded,
    SeatGivenUp,
)
from engine.negotiation.outstanding import outstanding
from engine.negotiation.plan.times import key_of
from engine.negotiation.public.build import Knows, Times, public
from engine.negotiation.state import Status
from engine.runtime.streams import without_private
from engine.times.availability import ReadCalendar
from engine.times.clocks import Span
from engine.times.feasible import PossibleTime
from tests.llm.prompt_cases import CHEN, LIN, ZHOU
from tests.negotiation.plan.test_times import BEIJING, WEEK, at, collected, people
from tests.negotiation.scenario import REQUESTER, Scenario

TUESDAY: Final = at("2027-02-02", "10:00", "11:00")
NOW: Final[Millis] = 1_800_000_000_000
"""Friday, January 15, 2027."""
AWAY: Final = Days(first="2027-02-02", last="2027-02-02", allowed=False)
Held = Mapping[str, tuple[Datum, ...]]


def settled(when: When = TUESDAY, *, cannot: tuple[str, ...] = (), **own: When) -> Scenario:
    """Three have agreed to a plan; Chen and Lin are linked, and whoever asked decides for Zhou."""
    scenario = collected()
    names = {"chen": CHEN, "lin": LIN, "zhou": ZHOU}
    seats = tuple(
        Assignment(agent_id=who, responsibility="comes", when=own.get(name, When())) for name, who in names.items()
    )
    steps = Timeline(start_date=when.first, milestones=(Milestone(name="They meet", day=when.first),))
    draft = ProposalDraft(summary="They meet", assignments=seats, when=when, timeline=steps)
    then = PossibleTime(when=when, can=2, cannot=cannot) if cannot else None
    scenario.proposed(draft, then=then)
    scenario.twins(dict.fromkeys(names.values(), "accept"))
    return scenario.stands(Status.FINALIZED)


def busy(scenario: Scenario, start: str, end: str, who: str = CHEN) -> dict[str, ReadCalendar]:
    zone = zone_of(BEIJING)
    begins, ends = (datetime.fromisoformat(each).replace(tzinfo=zone) for each in (start, end))
    return {who: ReadCalendar((Span(begins, ends),), int(datetime(2028, 1, 1, tzinfo=UTC).timestamp()))}


def looked(
    scenario: Scenario, held: Held | None = None, calendars: Mapping[str, ReadCalendar] | None = None, now: Millis = NOW
) -> Scenario:
    """Somebody's calendar has changed, or their days."""
    found = findings(scenario.state, people(held or {}), calendars or {}, now)
    before = scenario.state
    scenario.does(RecordAvailability, findings=found)
    assert is_news(before, found) is bool(scenario.last.events)
    return scenario


def away(scenario: Scenario) -> Scenario:
    return looked(scenario, {CHEN: (AWAY,)})


# ── it is found, once ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_day_away_that_is_said_afterwards_is_found_once_and_again_when_it_goes_and_comes() -> None:
    scenario = looked(settled()).then()
    away(scenario).then(ConflictFound)
    found = scenario.event(ConflictFound)
    assert (found.agent_id, found.number, found.when and found.when.first) == (CHEN, 1, "2027-02-02")
    away(scenario).then()
    looked(scenario).then(ConflictEnded)
    assert standing(scenario.state, CHEN) is None
    looked(scenario).then()
    assert away(scenario).then(ConflictFound).event(ConflictFound).number == 2


def test_a_calendar_that_is_busy_then_is_found_and_one_that_is_busy_beside_it_is_not() -> None:
    scenario = settled()
    looked(scenario, calendars=busy(scenario, "2027-02-02T09:00", "2027-02-02T10:00")).then()
    looked(scenario, calendars=busy(scenario, "2027-02-02T10:59", "2027-02-02T12:00")).then(ConflictFound)
    times = scenario.event(ConflictFound).found
    assert times is not None
    assert [(each.when.first, each.when.start, each.cannot) for each in times.times[:1]] == [
        ("2027-02-02", "09:00", ())
    ]
    assert all(key_of(each.when) != key_of(TUESDAY) for each in times.times)


def test_what_was_known_when_it_was_agreed_is_no_news() -> None:
    scenario = away(settled(cannot=(CHEN,))).then()
    looked(scenario).then(ConflictEnded)
    away(scenario).then(ConflictFound)


@pytest.mark.parametrize(
    ("when", "held", "now", "is_found"),
    [
        (TUESDAY, {CHEN: (Notice(days=60),)}, NOW, False),
        (TUESDAY, {CHEN: (AWAY,)}, NOW + 40 * 86_400_000, False),
        (at("2027-02-02", "", ""), {CHEN: (AWAY,)}, NOW, True),
        (at("2027-02-02", "", ""), {CHEN: (Hours(start="09:00", end="12:00"),)}, NOW, False),
        (replace(WEEK, start="", end=""), {CHEN: (AWAY,)}, NOW, False),
        (When(said="soon", exact="vague"), {CHEN: (AWAY,)}, NOW, False),
    ],
    ids=["notice", "it is over", "a whole day", "hours of a whole day", "a week", "soon"],
)
def test_only_what_certainly_keeps_somebody_from_coming_is_a_conflict(
    when: When, held: Held, now: Millis, is_found: bool
) -> None:
    scenario = looked(settled(when), held, now=now)
    assert bool(scenario.last.events) is is_found


def test_whoever_says_that_they_can_is_not_told_again_until_it_goes_and_comes() -> None:
    scenario = away(settled())
    scenario.does(KeepTime, by="U_LIN", agent_id=CHEN).is_refused(NotAllowed)
    scenario.does(KeepTime, by="U_CHEN", agent_id=CHEN).then(ConflictEnded)
    away(scenario).then()
    scenario.does(KeepTime, by="U_CHEN", agent_id=CHEN).is_refused(Duplicate)
    looked(scenario).then(ConflictEnded)
    away(scenario).then(ConflictFound)


# ── another time ──────────────────────────────────────────────────────────────────────────────────────────────────


def asking(scenario: Scenario, by: str = "U_CHEN") -> Scenario:
    return scenario.does(FindTime, by=by, agent_id=CHEN).then(ReschedulingBegun)


def says(scenario: Scenario, user: str, time: int | None) -> Scenario:
    """``time``: its place among those that are asked about; None for none of them."""
    times = scenario.state.reschedulings[-1].begun.times
    return scenario.does(AnswerTimes, by=user, round=1, key="" if time is None else key_of(times[time]))


def when_now(scenario: Scenario) -> When:
    assert scenario.state.final is not None
    return scenario.state.final.final_proposal.when


def test_the_first_time_to_which_everybody_says_yes_is_the_plans_from_then_on() -> None:
    scenario = asking(away(settled()))
    new = scenario.state.reschedulings[-1].begun.times[1]
    says(scenario, "U_CHEN", 0).then(ReschedulingAnswered)
    says(scenario, "U_CHEN", 1).then(ReschedulingAnswered)
    says(scenario, "U_LIN", 1).then(ReschedulingAnswered)
    assert when_now(scenario) == TUESDAY, "whoever asked has not said yes, for themselves and for Zhou"
    says(scenario, REQUESTER, 1).then(ReschedulingAnswered, ReschedulingEnded, ProposalAmended)
    scenario.stands(Status.FINALIZED)
    assert when_now(scenario) == new
    final = scenario.state.final
    assert final is not None
    assert (final.final_proposal.version, final.confirmed_participants) == (2, (CHEN, LIN, ZHOU))
    assert final.final_proposal.timeline == Timeline(
        start_date=new.first, milestones=(Milestone(name="They meet", day=new.first, date=new.first),)
    )
    assert standing(scenario.state, CHEN) is None
    assert f"{RESCHEDULING}/1" not in outstanding(scenario.state).alarms


def test_nobodys_silence_is_a_yes() -> None:
    scenario = asking(away(settled()), by=REQUESTER)
    says(scenario, REQUESTER, 0)
    says(scenario, "U_LIN", 0)
    scenario.now = scenario.state.reschedulings[-1].begun.until
    scenario.rings(f"{RESCHEDULING}/1").then(ReschedulingEnded)
    assert when_now(scenario) == TUESDAY
    assert standing(scenario.state, CHEN) is not None
    asking(scenario)
    assert scenario.state.reschedulings[-1].begun.number == 2


def test_nobody_is_asked_about_what_is_about_to_begin_and_no_longer_than_up_to_the_first_time() -> None:
    scenario = away(settled())
    first = scenario.event(ConflictFound).found
    assert first is not None
    begins = [datetime.fromisoformat(f"{each.when.first}T{each.when.start}+08:00") for each in first.times]
    scenario.now = round(min(begins).timestamp() * 1000) - 1_800_000
    asked = asking(scenario).state.reschedulings[-1].begun
    assert len(asked.times) == len(first.times) - 1
    assert asked.until == round(sorted(begins)[1].timestamp() * 1000)

    scenario = away(settled())
    scenario.now = round(max(begins).timestamp() * 1000)
    scenario.does(FindTime, by="U_CHEN", agent_id=CHEN).is_refused(IllegalStep)


def test_whoever_can_at_none_of_them_ends_it() -> None:
    scenario = asking(away(settled()))
    says(scenario, "U_LIN", None).then(ReschedulingAnswered, ReschedulingEnded)
    says(scenario, "U_CHEN", 0).is_refused(IllegalStep)
    assert when_now(scenario) == TUESDAY


def test_whoever_gives_their_part_up_is_not_waited_for() -> None:
    scenario = asking(away(settled()))
    for user in ("U_LIN", REQUESTER):
        says(scenario, user, 0)
    scenario.does(GiveUpSeat, by="U_CHEN", agent_id=CHEN)
    assert next(map(type, scenario.last.events)) is SeatGivenUp
    assert ReschedulingEnded in [*map(type, scenario.last.events)]
    assert when_now(scenario).first != TUESDAY.first
    final = scenario.state.final
    assert final is not None
    assert [each.agent_id for each in final.final_proposal.assignments] == [LIN, ZHOU]
    assert final.final_proposal.version == 3


def test_a_time_of_somebodys_own_is_between_them_and_whoever_asked() -> None:
    scenario = away(settled(at("2027-02-03", "10:00", "11:00"), chen=TUESDAY)).then(ConflictFound)
    asking(scenario)
    now = open_now(scenario.state)
    assert now is not None
    assert {*voters(scenario.state, now)} == {"", CHEN}
    says(scenario, "U_LIN", 0).is_refused(NotAllowed)
    says(scenario, "U_CHEN", 0)
    says(scenario, REQUESTER, 0).then(ReschedulingAnswered, ReschedulingEnded, ProposalAmended)
    final = scenario.state.final
    assert final is not None
    assert final.final_proposal.when.first == "2027-02-03"
    assert final.final_proposal.assignments[0].when == scenario.state.reschedulings[0].when


def test_what_may_not_be_is_refused() -> None:
    scenario = settled()
    scenario.does(FindTime, by="U_CHEN", agent_id=CHEN).is_refused(IllegalStep)
    away(scenario).does(FindTime, by="U_LIN", agent_id=CHEN).is_refused(NotAllowed)
    asking(scenario).does(FindTime, by=REQUESTER, agent_id=CHEN).is_refused(Duplicate)
    scenario.does(AnswerTimes, by="U_CHEN", round=1, key="2027-02-09T03:00").is_refused(IllegalStep)
    scenario.does(AnswerTimes, by="U_CHEN", round=2).is_refused(IllegalStep)
    scenario.does(AnswerTimes, by="U_EVE", round=1).is_refused(NotAllowed)
    says(scenario, "U_CHEN", 0)
    says(scenario, "U_CHEN", 0).is_refused(Duplicate)


def test_where_the_demands_days_have_no_time_the_days_around_are_looked_at() -> None:
    scenario = looked(settled(), {CHEN: (Days(first="2027-02-01", last="2027-02-05", allowed=False),)})
    found = scenario.event(ConflictFound).found
    assert found is not None
    begin = {(each.when.first, each.when.start) for each in found.times}
    assert begin >= {("2027-02-08", "10:00"), ("2027-02-09", "10:00"), ("2027-02-10", "10:00")}, "weekdays, as it was"


def test_where_no_time_fits_nobody_can_be_asked_for_one() -> None:
    scenario = looked(settled(), {CHEN: (Days(first="2027-01-01", last="2027-12-31", allowed=False),)})
    found = scenario.event(ConflictFound).found
    assert found is not None
    assert {each.blocking for each in found.nearest} == {(CHEN,)}
    scenario.does(FindTime, by="U_CHEN", agent_id=CHEN).is_refused(IllegalStep)


def test_what_is_found_holds_for_a_day_so_that_nobody_is_told_every_hour() -> None:
    near = at("2027-01-16", "10:00", "11:00")
    scenario = collected(replace(WEEK, first="2027-01-14", last="2027-01-20"))
    draft = ProposalDraft(summary="They meet", assignments=(Assignment(agent_id=CHEN),), when=near)
    scenario.proposed(draft)
    scenario.twin(CHEN, "accept").stands(Status.FINALIZED)
    held = {CHEN: (Days(first=near.first, last=near.last, allowed=False),)}
    looked(scenario, held).then(ConflictFound)
    for hours in range(1, 7):
        looked(scenario, held, now=NOW + hours * 3_600_000).then()


# ── over HTTP ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_programs_are_told_whom_it_is_about_and_whoever_asked_all() -> None:
    year = Days(first="2027-01-01", last="2027-12-31", allowed=False)
    state = looked(settled(), {CHEN: (year,), LIN: (year,)}).state
    asked = public(state, Times(), Knows(is_told_all=True, has_asked=True)).conflicts
    assert [(each.agent_id, each.nearest[0].blocking) for each in asked] == [(CHEN, (CHEN, LIN)), (LIN, (CHEN, LIN))]
    (lin,) = public(state, Times(), Knows(agent_ids=frozenset({LIN}))).conflicts
    assert (lin.agent_id, lin.nearest[0].blocking) == (LIN, (LIN,))
    assert public(state, Times(), Knows(is_told_all=True)).conflicts == ()


def test_an_event_tells_its_person_nothing_of_when_others_cannot() -> None:
    year = Days(first="2027-01-01", last="2027-12-31", allowed=False)
    scenario = looked(settled(), {CHEN: (year,), LIN: (year,)})
    chens, lins = (each for each in scenario.last.events if isinstance(each, ConflictFound))
    seen = {user: [told(each, reader(scenario.state, user)) for each in (chens, lins)] for user in ("U_LIN", REQUESTER)}
    assert seen[REQUESTER] == [chens, lins]
    assert seen["U_LIN"] == [without_private(chens), replace(lins, found=None)]


def test_programs_are_told_what_is_asked_and_how_many_have_answered() -> None:
    scenario = says(asking(away(settled())), "U_LIN", 0)
    (now,) = public(scenario.state, Times(), Knows()).reschedulings
    assert (now.round, now.is_open, now.answered, now.agent_ids, now.agreed) == (1, True, 1, (CHEN, LIN, ZHOU), None)
    assert [*now.times] == [key_of(each) for each in scenario.state.reschedulings[0].begun.times]
    for user in ("U_CHEN", REQUESTER):
        says(scenario, user, 0)
    (done,) = public(scenario.state, Times(), Knows()).reschedulings
    assert (done.is_open, done.agreed) == (False, scenario.state.reschedulings[0].begun.times[0])
