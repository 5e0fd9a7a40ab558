"""Whatever a model answers for somebody's twin, a limit of theirs that is data is held against it."""

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.directory.profile import HeldLimit, Profile, Profiles
from engine.facts.circumstances import Money, People, When
from engine.facts.data import Days, Effort, Hours, Notice, Place
from engine.kernel import Ask, payload
from engine.kernel.encoding import parted
from engine.llm.port import Answer
from engine.negotiation.answers import (
    Assignment,
    Circumstances,
    LimitAnswer,
    LimitVerdict,
    OfferAnswer,
    OfferDecision,
)
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import RecordOffer
from engine.negotiation.events import OfferSubmitted
from engine.negotiation.offers.limits import broken_limits, is_free, is_near
from engine.negotiation.plan.marks import limit_marks_of, marks_of
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import HeldFinding, Proposal
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import ALONE, Scenario
from tests.profiles.people import person

BO, CY = "user_agent_bo", "user_agent_cy"
NOTHING, OPEN = Circumstances(), When()
YES = OfferAnswer(decision=OfferDecision.PARTICIPATE, contribution="A room of my own")
SUNDAY = When(first="2027-03-14", last="2027-03-14", start="19:00", end="22:00", exact="day")
MONDAY = When(first="2027-03-15", last="2027-03-15", start="10:00", end="12:00", exact="day")


def confirmed(data: Any, scope: Any = "own", words: str = "as I said") -> HeldLimit:
    return HeldLimit(words=words, source="from_now_on", data=data, scope=scope, state="on")


def somebody(limits: dict[str, Any], *data: HeldLimit) -> Profile:
    return person(limits=limits).model_copy(update={"agent_id": BO, "limit_data": data})


def asked(context: Circumstances) -> Scenario:
    scenario = Scenario(policy=ALONE).demand("A party").understood(surface_demand="A party", context=context)
    return scenario.shortlisted(BO, CY)


def offer(profile: Profile, context: Circumstances, said: OfferAnswer = YES) -> RecordOffer:
    asks = NegotiationAsks(PROMPTS, Profiles({BO: profile}))
    ask = Ask(name=f"offer/{BO}", scope="offers", prompt="respond", about=BO)
    state = asked(context).state
    command = asks.read(state, ask, PROMPTS["negotiation/respond"], Answer(said, "any"), command_id="c", at=1)
    assert isinstance(command, RecordOffer)
    return command


BROKEN: Final = [
    pytest.param(somebody({"busy": "写论文"}), Circumstances(), id="busy"),
    pytest.param(somebody({"max_attendees": 60}), Circumstances(expected_attendees=200), id="too many"),
    pytest.param(somebody({"max_attendees": 60}), Circumstances(people=People(at_least=61)), id="at least too many"),
    pytest.param(somebody({"min_attendees": 80}), Circumstances(people=People(at_most=50)), id="too few"),
    pytest.param(somebody({"paid_only": True}), Circumstances(money=Money(none=True)), id="no money"),
    pytest.param(
        somebody({}, confirmed(Days(weekdays=("sun",), allowed=False), "whole")), Circumstances(when=SUNDAY), id="a day"
    ),
]


@pytest.mark.parametrize(("profile", "context"), BROKEN)
def test_an_offer_that_breaks_a_limit_is_a_decline_without_a_word_of_it(
    profile: Profile, context: Circumstances
) -> None:
    command = offer(profile, context)

    assert command.answer.decision is OfferDecision.DECLINE
    assert (command.answer.contribution, command.answer.decline_reason, command.claims) == ("", "", ())
    assert command.broken_limit is not None


@pytest.mark.parametrize(
    ("profile", "context"),
    [
        pytest.param(somebody({"max_attendees": 60}), Circumstances(expected_attendees=60), id="just as many"),
        pytest.param(somebody({"max_attendees": 60}), Circumstances(), id="nobody knows how many"),
        pytest.param(somebody({"paid_only": True}), Circumstances(), id="nobody spoke of money"),
        pytest.param(somebody({"locations": ["北京"]}), Circumstances(place=Place(city="London")), id="elsewhere"),
        pytest.param(
            somebody({}, confirmed(Days(weekdays=("sun",), allowed=False))), Circumstances(when=SUNDAY), id="own part"
        ),
        pytest.param(somebody({"never": ["party"]}), Circumstances(), id="words are not data"),
    ],
)
def test_any_other_offer_stays_as_it_is(profile: Profile, context: Circumstances) -> None:
    command = offer(profile, context)
    assert (command.answer.decision, command.broken_limit) in [
        (OfferDecision.PARTICIPATE, None),
        (OfferDecision.DECLINE, None),  # a twin that has not answered for each limit in words
    ]
    assert command.answer.contribution == YES.contribution


def test_a_decline_stays_in_the_twins_own_words() -> None:
    no = OfferAnswer(decision=OfferDecision.DECLINE, decline_reason="Not my thing")
    command = offer(somebody({"max_attendees": 60}), Circumstances(expected_attendees=200), no)

    assert (command.answer.decline_reason, command.broken_limit) == ("Not my thing", None)


def test_the_limit_that_is_broken_is_told_to_nobody_else() -> None:
    scenario = asked(Circumstances(expected_attendees=200))
    limit = HeldFinding(words="no crowds", source="from_now_on", wanted=People(at_most=60), found=People(at_least=200))
    decline = OfferAnswer(decision=OfferDecision.DECLINE)
    scenario.does(RecordOffer, agent_id=BO, answer=decline, broken_limit=limit)

    assert limit_marks_of(scenario.state, BO) == (limit,)
    assert limit_marks_of(scenario.state, CY) == ()
    assert "no crowds" not in str(public_payload(scenario.event(OfferSubmitted)))
    assert "60" not in str(public_payload(scenario.event(OfferSubmitted)))


def public_payload(event: OfferSubmitted) -> Any:
    return payload(parted(event)[0])


@given(
    broken=st.sampled_from([each.values for each in BROKEN]),
    decision=st.sampled_from([OfferDecision.PARTICIPATE, OfferDecision.CONDITIONAL]),
    words=st.text(max_size=20),
)
def test_no_offer_of_any_model_breaks_a_limit(broken: Any, decision: OfferDecision, words: str) -> None:
    kept = LimitAnswer(number=1, verdict=LimitVerdict.KEPT)
    said = OfferAnswer(decision=decision, contribution=words, reasoning=words, limits=(kept,))
    profile, context = broken
    assert offer(profile, context, said).answer.decision is OfferDecision.DECLINE


# ── who can be asked ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("profile", "context"), BROKEN)
def test_whom_the_demand_is_not_for_is_not_asked(profile: Profile, context: Circumstances) -> None:
    demand = asked(context).state.understanding
    assert demand is not None
    assert is_free(profile, demand) is (profile.limits.paid_only)


@pytest.mark.parametrize(
    ("context", "near"),
    [
        (Circumstances(place=Place(city="Beijing")), True),
        (Circumstances(place=Place(city="London")), False),
        (Circumstances(place=Place(online=True)), True),
        (Circumstances(location="London"), False),
        (Circumstances(location="somewhere by the sea"), True),
        (Circumstances(), True),
    ],
)
def test_who_is_near_is_told_by_the_names_of_cities(context: Circumstances, near: bool) -> None:
    demand = asked(context).state.understanding
    assert demand is not None
    assert is_near(somebody({"locations": ["北京"]}), demand) is near


# ── a version ─────────────────────────────────────────────────────────────────────────────────────────────────────


def version(
    context: Circumstances = NOTHING, *, own: When = OPEN, attends: bool = False, **plan: Any
) -> tuple[Negotiation, Proposal]:
    seats = (Assignment(agent_id=BO, role="host", when=own, attends=attends, hours=6), Assignment(agent_id=CY))
    scenario = asked(context).offers(BO).offers(CY).drafted(BO, CY, assignments=seats, **plan)
    assert scenario.state.proposal is not None
    return scenario.state, scenario.state.proposal


NOT_SUNDAYS = confirmed(Days(weekdays=("sun",), allowed=False))


@pytest.mark.parametrize(
    ("own", "attends", "is_broken"),
    [
        pytest.param(When(), False, False, id="not needed when the whole takes place"),
        pytest.param(When(), True, True, id="needed when the whole takes place"),
        pytest.param(MONDAY, False, False, id="their own day"),
        pytest.param(MONDAY, True, False, id="their own day before the plan's"),
        pytest.param(SUNDAY, False, True, id="their own day is a Sunday"),
    ],
)
def test_a_limit_is_held_against_ones_own_part(own: When, attends: bool, is_broken: bool) -> None:
    state, plan = version(own=own, attends=attends, when=SUNDAY)
    assert bool(broken_limits(state, somebody({}, NOT_SUNDAYS), plan)) is is_broken


@pytest.mark.parametrize(
    ("limit", "found"),
    [
        (confirmed(Hours(end="18:00")), Hours(start="19:00", end="22:00")),
        (confirmed(Effort(hours=4)), Effort(hours=6)),
        (confirmed(People(at_most=20), "whole"), People(at_least=50, at_most=50)),
        (confirmed(Place(city="Berlin")), Place(city="London")),
    ],
)
def test_what_a_version_breaks_is_told_with_both_data(limit: HeldLimit, found: Any) -> None:
    context = Circumstances(expected_attendees=50, place=Place(city="London"))
    state, plan = version(context, attends=True, when=SUNDAY)
    [broken] = broken_limits(state, somebody({}, limit), plan)

    assert (broken.words, broken.wanted, broken.found) == ("as I said", limit.data, found)


@pytest.mark.parametrize(("days", "is_broken"), [(7, False), (58, False), (59, True)])
def test_how_long_ahead_somebody_is_asked_counts_from_the_day_of_asking(days: int, is_broken: bool) -> None:
    state, plan = version(own=OPEN, attends=True, when=SUNDAY)
    assert bool(broken_limits(state, somebody({}, confirmed(Notice(days=days))), plan)) is is_broken
    assert not broken_limits(state, somebody({}, confirmed(Notice(days=days))), replace(plan, when=OPEN))


@pytest.mark.parametrize("state_of", ["read", "off"])
def test_what_its_owner_has_not_confirmed_is_not_held_as_data(state_of: Any) -> None:
    state, plan = version(attends=True, when=SUNDAY)
    limit = NOT_SUNDAYS.model_copy(update={"state": state_of})
    assert broken_limits(state, somebody({}, limit), plan) == ()


def test_no_mark_of_a_version_tells_of_a_limit() -> None:
    state, plan = version(attends=True, when=SUNDAY)
    assert not [each for each in marks_of(state, plan) if isinstance(each.wanted, Days)]
