"""When those can who take part: computed from what they hold to, told to models as counts, kept beside a version."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.directory.profile import Limits, Profile, Profiles, StatedLimit
from engine.errors import IllegalStep, NotAllowed
from engine.facts.asked import zone_of
from engine.facts.circumstances import People, When
from engine.facts.data import WEEKDAYS, Datum, Days, Hours
from engine.kernel import Ask
from engine.llm.encoder import NotKnownYet, only_known
from engine.llm.port import Answer
from engine.llm.threads import without_blocking
from engine.negotiation.answers import Assignment, Circumstances, Need, ProposalDraft, StatedCondition, TimeGiven
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import RecordProposal, TakeTime
from engine.negotiation.events import ChangeRequested, ClashesFound, ProposalFeedback, RequestUnderstood, TimesFound
from engine.negotiation.offers.limits import broken_limits
from engine.negotiation.plan.marks import MarkKind, marks_of
from engine.negotiation.plan.times import MANY, found_times, key_of
from engine.negotiation.secrecy import is_of_others
from engine.negotiation.terms import Clash
from engine.negotiation.voting.wish_asks import wishes_as_data
from engine.times.availability import ReadCalendar
from engine.times.clocks import Span
from engine.times.feasible import MOST_TIMES, PossibleTime
from tests.llm.prompt_cases import CHEN, LIN, PROFILES, ZHOU
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario

BEIJING: Final = "Asia/Shanghai"
WEEK: Final = When(first="2027-02-01", last="2027-02-05", start="09:00", end="18:00", time_zone=BEIJING, exact="span")
"""Monday to Friday."""
VENUE: Final = Need(need_id="need_1", what="a venue")
MORNINGS: Final = Hours(start="09:00", end="12:00", time_zone=BEIJING)
AFTERNOONS: Final = Hours(start="13:00", end="18:00", time_zone=BEIJING)
NOT_MONDAYS: Final = Days(weekdays=("mon",), allowed=False)


def people(held: Mapping[str, tuple[Datum, ...]]) -> Profiles:
    return Profiles({who: holding(PROFILES[who], *held.get(who, ())) for who in (CHEN, LIN, ZHOU)})


def holding(profile: Profile, *data: Datum) -> Profile:
    limits = Limits(data=tuple(StatedLimit(data=each) for each in data))
    return profile.model_copy(update={"limits": limits, "limit_data": ()})


def collected(when: When = WEEK, minutes: int = 60) -> Scenario:
    context = Circumstances(when=when, minutes=minutes)
    scenario = Scenario(linked={CHEN: "U_CHEN", LIN: "U_LIN"}).demand().understood(context=context, needs=(VENUE,))
    scenario.shortlisted(CHEN, LIN, ZHOU).offers(CHEN, covers=("need_1",)).offers(LIN)
    return scenario.offers(ZHOU)


def asked(scenario: Scenario, profiles: Profiles, prompt: str = "aggregate") -> Mapping[str, Any]:
    ask = Ask(name=prompt, scope="any", prompt=prompt)
    return NegotiationAsks(PROMPTS, profiles).compose(scenario.state, ask).given


def answered(scenario: Scenario, profiles: Profiles, draft: ProposalDraft, prompt: str = "aggregate") -> RecordProposal:
    ask = Ask(name=prompt, scope="any", prompt=prompt)
    answer = Answer(value=draft, model="m")
    read = NegotiationAsks(PROMPTS, profiles).read(
        scenario.state, ask, PROMPTS[f"negotiation/{prompt}"], answer, command_id="c-1", at=scenario.now
    )
    assert isinstance(read, RecordProposal)
    return read


def plan(when: When = WEEK, **core: bool) -> ProposalDraft:
    seats = tuple(
        Assignment(agent_id=who, role="part", responsibility="does it", core=core.get(name, False))
        for name, who in (("chen", CHEN), ("lin", LIN), ("zhou", ZHOU))
    )
    return ProposalDraft(summary="A meetup", assignments=seats, when=when)


def at(day: str, start: str, end: str) -> When:
    return When(first=day, last=day, start=start, end=end, time_zone=BEIJING, exact="day")


BUSY: Final = {CHEN: (NOT_MONDAYS, MORNINGS), LIN: (Days(weekdays=WEEKDAYS[:3]),), ZHOU: (AFTERNOONS,)}


def test_times_are_those_of_whoever_has_to_be_there_with_most_of_the_others() -> None:
    times = asked(collected(), people(BUSY))["times"]
    assert [(each.when.first, each.when.start, each.can, each.of, each.fits) for each in times] == [
        ("2027-02-02", "09:00", 2, 3, True),
        ("2027-02-02", "10:00", 2, 3, True),
        ("2027-02-02", "11:00", 2, 3, True),
        ("2027-02-03", "09:00", 2, 3, True),
        ("2027-02-03", "10:00", 2, 3, True),
    ]


def test_makers_of_plans_are_not_told_who_cannot() -> None:
    assert all(who not in str(asked(collected(), people(BUSY))["times"]) for who in (CHEN, LIN, ZHOU))


@pytest.mark.parametrize(
    ("when", "minutes", "held"),
    [
        (WEEK, 60, {}),
        (When(said="soon", exact="vague"), 60, BUSY),
        (When(first="2027-02-01", last="2027-02-05", exact="span"), 0, BUSY),
    ],
    ids=["nobody has said when they can", "nobody has said which days", "nobody has said how long it takes"],
)
def test_nothing_is_guessed(when: When, minutes: int, held: Mapping[str, tuple[Datum, ...]]) -> None:
    scenario, profiles = collected(when, minutes), people(held)
    assert asked(scenario, profiles)["times"] == ()
    command = answered(scenario, profiles, plan(when))
    assert (command.times, command.then) == (None, None)
    scenario.proposed(plan(when), times=command.times, then=command.then)
    assert not [each for each in scenario.last.events if isinstance(each, TimesFound)]


def test_a_plan_at_a_time_at_which_somebody_cannot_is_marked_with_how_many_can() -> None:
    scenario, profiles = collected(), people(BUSY)
    tuesday = plan(at("2027-02-02", "14:00", "15:00"))
    command = answered(scenario, profiles, tuesday)
    assert command.then == PossibleTime(when=tuesday.when, can=2, cannot=(CHEN,))

    scenario.proposed(tuesday, times=command.times, then=command.then)

    (mark,) = [each for each in marks_of(scenario.state, scenario.state.proposals[-1]) if each.about == "attendance"]
    assert (mark.kind, mark.agent_id) == (MarkKind.BROKEN, "")
    assert CHEN not in str(mark)


def test_a_plan_at_a_time_at_which_all_can_is_checked() -> None:
    scenario, profiles = collected(), people({CHEN: (MORNINGS,)})
    draft = plan(at("2027-02-02", "09:00", "10:00"))
    command = answered(scenario, profiles, draft)
    scenario.proposed(draft, times=command.times, then=command.then)
    (mark,) = [each for each in marks_of(scenario.state, scenario.state.proposals[-1]) if each.about == "attendance"]
    assert mark.kind is MarkKind.CHECKED


def test_where_no_time_fits_those_are_found_who_stand_in_the_way_of_the_nearest() -> None:
    held = {CHEN: (MORNINGS,), LIN: (AFTERNOONS,)}
    scenario, profiles = collected(), people(held)
    draft = plan(at("2027-02-02", "09:00", "10:00"), chen=True, lin=True)
    scenario.proposed(draft, times=answered(scenario, profiles, draft).times)
    scenario.twins({CHEN: "accept", LIN: "negotiate", ZHOU: "accept"})

    times = asked(scenario, profiles, "adjust")["times"]
    assert [(each.when.start, each.fits) for each in times] == [("09:00", False), ("13:00", False), ("09:00", False)]
    found = answered(scenario, profiles, draft, "adjust").times
    assert found is not None
    assert [each.blocking for each in found.nearest] == [(LIN,), (CHEN,), (LIN,)]


def test_a_version_that_stands_unchanged_keeps_what_is_known_of_its_time() -> None:
    scenario, profiles = collected(), people(BUSY)
    draft = plan(at("2027-02-02", "09:00", "10:00"))
    command = answered(scenario, profiles, draft)
    scenario.proposed(draft, times=command.times, then=command.then)
    known = scenario.state.times
    scenario.twins({CHEN: "accept", LIN: "negotiate", ZHOU: "accept"})
    scenario.proposed(None, times=command.times)
    assert len(scenario.state.proposals) == 1
    assert scenario.state.times is known


def test_hours_without_a_zone_are_meant_where_it_takes_place_as_everywhere_else() -> None:
    london = When(
        first="2027-02-01", last="2027-02-01", start="08:00", end="12:00", time_zone="Europe/London", exact="day"
    )
    scenario, profiles = collected(london), people({CHEN: (Hours(start="09:00", end="10:00"),)})  # he is in Beijing
    assert [each.when.start for each in asked(scenario, profiles)["times"]] == ["09:00"]
    draft = plan(replace(london, start="09:00", end="10:00"))
    then = answered(scenario, profiles, draft).then
    assert then is not None
    assert not then.cannot
    assert broken_limits(scenario.state, profiles[CHEN], draft) == ()


def test_whoever_has_no_profile_is_one_of_whom_nothing_is_known() -> None:
    scenario, profiles = collected(), Profiles({CHEN: people(BUSY)[CHEN]})
    found = answered(scenario, profiles, plan()).times
    assert found is not None
    assert (found.known, found.unsaid) == (1, 2)


def test_who_is_needed_at_another_time_of_their_own_does_not_count() -> None:
    scenario, profiles = collected(), people({CHEN: (AFTERNOONS,), LIN: (MORNINGS,)})
    draft = plan(at("2027-02-02", "09:00", "10:00"))
    aside = Assignment(agent_id=CHEN, role="part", when=at("2027-02-01", "14:00", "15:00"))
    split = ProposalDraft(summary="s", assignments=(aside, *draft.assignments[1:]), when=draft.when)
    command = answered(scenario, profiles, split)
    assert command.then == PossibleTime(when=draft.when, can=1)


# ── asking for one of them ────────────────────────────────────────────────────────────────────────────────────────


def voting() -> Scenario:
    scenario, profiles = collected(), people(BUSY)
    draft = plan(at("2027-02-01", "14:00", "15:00"))
    command = answered(scenario, profiles, draft)
    return scenario.proposed(draft, times=command.times, then=command.then)


def takes(scenario: Scenario, by: str, agent_id: str, key: str = "") -> Scenario:
    opened, found = scenario.state.rounds[-1], scenario.state.times[1].found
    assert found is not None
    about = {"round": opened.number, "digest": opened.digest, "key": key or key_of(found.times[1].when)}
    return scenario.does(TakeTime, by=by, agent_id=agent_id, **about)


def test_a_vote_for_a_time_is_a_wish_as_data() -> None:
    scenario = takes(voting(), "U_LIN", LIN)
    vote = scenario.event(ProposalFeedback)
    assert (vote.feedback_type, vote.change) == ("negotiate", Days(first="2027-02-02", last="2027-02-02"))
    assert vote.adjustment_request == f"2027-02-02 10:00–11:00 ({BEIJING})"
    assert scenario.state.unread == {}  # no model is asked what it means


def test_whoever_asked_takes_a_time_at_a_click() -> None:
    scenario = takes(voting(), REQUESTER, "")
    assert scenario.event(ChangeRequested).by == REQUESTER
    assert scenario.event(RequestUnderstood).data == Days(first="2027-02-02", last="2027-02-02")
    assert scenario.state.unread == {}
    scenario.twins({CHEN: "accept", LIN: "accept", ZHOU: "accept"})
    wanted = Days(first="2027-02-02", last="2027-02-02")
    assert [(each.agent_id, each.data) for each in wishes_as_data(scenario.state)] == [(REQUESTER, wanted)]


def test_on_the_same_day_it_is_the_hours_that_are_asked_for() -> None:
    scenario, profiles = collected(), people(BUSY)
    draft = plan(at("2027-02-02", "14:00", "15:00"))
    command = answered(scenario, profiles, draft)
    scenario.proposed(draft, times=command.times, then=command.then)
    vote = takes(scenario, "U_LIN", LIN).event(ProposalFeedback)
    assert vote.change == Hours(start="10:00", end="11:00", time_zone=BEIJING)


def test_only_a_time_that_was_found_can_be_asked_for_and_only_by_those_who_take_part() -> None:
    assert isinstance(takes(voting(), "U_LIN", LIN, "2027-02-06T03:00").refused, IllegalStep)
    assert isinstance(takes(voting(), "U_LIN", "").refused, NotAllowed)
    assert isinstance(takes(voting(), "U_LIN", CHEN).refused, NotAllowed)


def test_who_cannot_is_told_to_whoever_asked_alone() -> None:
    event = voting().event(TimesFound)
    assert is_of_others(event, "U_LIN", [LIN])


# ── calendars ─────────────────────────────────────────────────────────────────────────────────────────────────────

LINKED: Final = {CHEN: "U_CHEN", LIN: "U_LIN", ZHOU: "U_ZHOU"}


def on_monday(first: int, last: int) -> Span:
    """Hours of the first day, on the clocks of Beijing."""
    return Span(*(datetime(2027, 2, 1, each, tzinfo=zone_of(BEIJING)).astimezone(UTC) for each in (first, last)))


class Kept:
    """Calendars as the bot keeps them."""

    def __init__(self, **known: ReadCalendar) -> None:
        self.known, self.asked = known, [[""]][:0]

    async def __call__(self, users: Collection[str]) -> Mapping[str, ReadCalendar]:
        self.asked.append(sorted(users))
        return {user: each for user, each in self.known.items() if user in users}


async def looked_up(
    scenario: Scenario, calendars: Kept | None, prompt: str = "aggregate", at: int = 0
) -> Sequence[TimeGiven]:
    linked = {who: each.model_copy(update={"slack_user": LINKED[who]}) for who, each in people({}).items()}
    asks, ask = NegotiationAsks(PROMPTS, Profiles(linked)), Ask(name=prompt, scope="any", prompt=prompt)
    found = (await asks.looked_up(scenario.state, ask, calendars, at)).compose(scenario.state, ask).given
    times: Sequence[TimeGiven] = found.get("times", ())
    return times


FAR: Final = 4_000_000_000
MORNING: Final = When(first="2027-02-01", last="2027-02-01", start="09:00", end="12:00", time_zone=BEIJING, exact="day")


async def test_what_a_calendar_says_counts_and_whoever_has_one_is_free_where_nothing_is_in_it() -> None:
    kept = Kept(U_CHEN=ReadCalendar((on_monday(9, 10), on_monday(11, 12)), FAR), U_LIN=ReadCalendar((), FAR))
    (time,) = await looked_up(collected(MORNING), kept)
    assert (time.when.start, time.can, time.of, time.fits) == ("10:00", 2, 2, True)
    assert kept.asked == [["U_CHEN", "U_LIN", "U_ZHOU"]]


async def test_of_what_a_calendar_does_not_reach_nothing_is_known() -> None:
    monday = int(on_monday(12, 13).start.timestamp())
    for until, known in ((monday, 1), (monday - 1, 0)):
        times = await looked_up(collected(MORNING), Kept(U_LIN=ReadCalendar((), until)))
        assert [each.of for each in times] == [1] * 3 if known else not times


async def test_of_many_people_it_is_reckoned_in_a_thread() -> None:
    agents = [f"p{number}" for number in range(MANY + 1)]
    crowd = Profiles({each: holding(PROFILES[CHEN], MORNINGS).model_copy(update={"agent_id": each}) for each in agents})
    scenario = Scenario(policy=ALONE.model_copy(update={"max_candidates": len(agents)})).demand()
    scenario.understood(context=Circumstances(when=WEEK, minutes=60)).shortlisted(*agents)
    for each in agents:
        scenario.offers(each)
    with pytest.raises(NotKnownYet):
        only_known(lambda: asked(scenario, crowd))
    assert len((await without_blocking(lambda: asked(scenario, crowd)))["times"]) == MOST_TIMES


async def test_calendars_are_looked_at_for_a_version_alone() -> None:
    kept = Kept(U_CHEN=ReadCalendar((), FAR))
    assert await looked_up(Scenario().demand(), kept, "understand") == ()
    assert kept.asked == []


# ── offers, rooms, and what is over ───────────────────────────────────────────────────────────────────────────────


async def test_no_time_is_given_that_is_over_when_a_version_is_asked_for() -> None:
    tuesday_noon = round(datetime(2027, 2, 2, 12, tzinfo=zone_of(BEIJING)).timestamp() * 1000)
    kept = Kept(U_CHEN=ReadCalendar((), FAR))
    times = await looked_up(collected(), kept, at=tuesday_noon)
    assert [(each.when.first, each.when.start) for each in times][:2] == [
        ("2027-02-02", "12:00"),
        ("2027-02-02", "16:00"),
    ]
    assert await looked_up(collected(MORNING), kept, at=tuesday_noon) == ()
    assert await looked_up(collected(), None, at=tuesday_noon) == (), "nothing is known of anybody"


def test_the_days_hours_and_notice_of_an_offer_count() -> None:
    context = Circumstances(when=WEEK, minutes=60)
    scenario = Scenario(linked={CHEN: "U_CHEN"}).demand().understood(context=context, needs=(VENUE,))
    scenario.shortlisted(CHEN, LIN, ZHOU)
    conditions = (
        StatedCondition(text="only on Thursdays", data=Days(weekdays=("thu",))),
        StatedCondition(text="until noon", data=Hours(end="12:00", time_zone=BEIJING), scope="whole"),
        StatedCondition(text="not more than ten people", data=People(at_most=10)),
    )
    scenario.offers(CHEN, "conditional", covers=("need_1",), conditions=conditions).offers(LIN, notice=400)
    scenario.offers(ZHOU, earliest="2027-02-05")
    times = asked(scenario, people({}))["times"]
    assert [(each.when.first, each.when.start, each.can, each.of, each.fits) for each in times][:1] == [
        ("2027-02-04", "09:00", 1, 2, True)
    ]
    assert {each.when.first for each in times} == {"2027-02-04"}


def test_a_room_that_another_plan_takes_is_not_free_for_this_one() -> None:
    scenario = collected().proposed(replace(plan(at("2027-02-01", "09:00", "10:00")), room="Blue room"))
    clash = Clash(
        room="Blue room",
        channel_id="another",
        first="2027-02-01",
        last="2027-02-01",
        start="09:00",
        end="10:00",
        other_start="08:00",
        other_end="17:00",
        is_certain=True,
    )
    scenario.state = replace(scenario.state, clashes=ClashesFound(demand_id="d", channel_id="c", clashes=(clash,)))
    scenario.twins({CHEN: "negotiate", LIN: "accept", ZHOU: "accept"})
    times = found_times(scenario.state, people({CHEN: (Days(weekdays=("mon",)),)}), {})
    assert times is not None
    assert (times.times or times.nearest)[0].when.start == "17:00"
