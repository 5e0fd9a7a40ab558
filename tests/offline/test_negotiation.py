"""The stand-in of a negotiation: it quotes, compares data, and says nothing that it was not given."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.directory.asks import Line
from engine.directory.profile import HeldLimit, Profile
from engine.facts.circumstances import People, When
from engine.facts.data import Days
from engine.files.profiles import load_company
from engine.negotiation.answers import (
    ConditionAnswer,
    LimitVerdict,
    OfferDecision,
    OfferMade,
    ProposalDraft,
    RequestAddressed,
    RequestDeclined,
    Shortlist,
    Understanding,
    VoteMade,
)
from engine.negotiation.given import EligibleProfile
from engine.negotiation.offers.limit_answers import NumberedLimit
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.twins_view import OwnAnswers, SharedPlan
from engine.offline.directory.answerers import read_profile
from engine.offline.negotiation.adjustments import revise_proposal
from engine.offline.negotiation.afterwards import find_gaps, judge_recursion
from engine.offline.negotiation.feedback import give_feedback, read_request, verify
from engine.offline.negotiation.offers import make_offer
from engine.offline.negotiation.proposals import draft_proposal
from engine.offline.negotiation.shortlist import choose_people
from engine.offline.negotiation.understanding import understand
from engine.offline.phrasing import phrase, phrases
from tests.offline.demands import MEETUP, OTHERS, PROTOTYPE
from tests.profiles.people import person, shipped

TODAY: Final = {"date": "2026-11-27", "weekday": "Friday", "time_zone": "Asia/Shanghai"}
EVENT: Final = "We need a venue and a photographer in Beijing for 40 people on December 12 from 18:00 to 21:00."
WORDS: Final = [*EVENT.split(), *"需要场地和嘉宾，。下周六"]


def understood(text: str) -> Understanding:
    return understand(text, TODAY)


@cache
def eligible() -> tuple[EligibleProfile, ...]:
    return tuple(
        EligibleProfile(on_site=True, **{name: getattr(each.public, name) for name in each.public.__struct_fields__})
        for each in load_company().values()
    )


def asked(demand: str) -> Shortlist:
    return choose_people(understood(demand), eligible(), 10)


def offer_of(profile: Profile, demand: str = EVENT) -> OfferMade:
    said = make_offer(understood(demand), profile, TODAY)
    return OfferMade(
        agent_id=profile.agent_id,
        display_name=profile.user_name,
        decision=said.decision,
        contribution=said.contribution,
        conditions=tuple(each.text for each in said.conditions),
        covers=tuple(each.need_id for each in said.covers),
    )


def plan(*names: str, demand: str = EVENT) -> ProposalDraft:
    people = [shipped()[f"user_agent_{name}"] for name in names]
    return draft_proposal(understood(demand), [offer_of(each, demand) for each in people], TODAY)


# ── understanding ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_demand_comes_apart_into_its_needs_and_its_data() -> None:
    said = understood(EVENT)
    assert [(each.what, each.essential) for each in said.needs] == [("a venue", True), ("a photographer", True)]
    when = said.context.when
    assert (when.first, when.start, when.end, when.time_zone) == ("2026-12-12", "18:00", "21:00", "Asia/Shanghai")
    assert (said.context.expected_attendees, said.context.place.city, said.language) == (40, "Beijing", "en")


@pytest.mark.parametrize("text", ["Which town should we evacuate to?", "要不要把产品迁到新的云上？"])
def test_a_question_of_judgement_is_answered_with_how_to_have_a_model(text: str) -> None:
    said = understood(text)
    assert (said.kind, said.needs) == ("question", ())
    assert "ANTHROPIC_BASE_URL" in said.reply
    assert asked(text) == Shortlist(analysis=said.reply, definitely_related=())


@pytest.mark.parametrize("text", ["来週の金曜日に会場が必要です", "Wir brauchen einen Fotografen für Freitag"])
def test_of_another_language_only_the_frame_is_written(text: str) -> None:
    said = understood(text)
    assert [each.what for each in said.needs] == [text]
    assert said.context.when == When()


def test_what_cannot_be_made_out_is_asked() -> None:
    assert understood("🎉🎉🎉").question
    for text in ("hello", "What can you do?", "what can you do for us?", "Who are you?", "你能做什么？", "你是谁"):
        assert (understood(text).kind, understood(text).needs) == ("other", ())
    assert understood("What can you bake for 40 people?").kind == "demand"


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=300), st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)))
def test_nothing_is_understood_that_is_not_said(text: str) -> None:
    said = understood(text)
    plain = " ".join(text.split())
    assert Understanding.checked(said.__class__.fields_of(said)) is not None
    for each in said.needs:
        assert each.quote == "" or each.quote in plain
        assert each.what in plain or each.what.endswith("…")


# ── whom to ask ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("demand", "fitting"),
    [
        ("A photographer for our party in Beijing", {"xu_fan"}),
        ("需要手语翻译", {"hua_mei"}),
        ("Somebody to translate our contract into Spanish", {"carmen_ruiz"}),
        ("需要一辆货车搬家", {"tan_lei"}),
        ("Our website is slow on cheap phones. Need an engineer for a week", {"carlos_mendes", "una_kovac"}),
        ("Need a Polish translator for a contract", {"anna_kowalska"}),
        ("Wir brauchen einen Fotografen für Freitag", {"xu_fan", "nils_berg", "emma_clarke"}),
    ],
)
def test_who_fits_is_among_three(demand: str, fitting: set[str]) -> None:
    names = [each.agent_id.removeprefix("user_agent_") for each in asked(demand).definitely_related]
    assert fitting & set(names)
    assert len(names) <= 3


@pytest.mark.parametrize("demand", ["Somebody to shear our sheep", "找一位兽医", "Wir suchen einen Imker"])
def test_where_nobody_fits_nobody_is_asked_and_the_nearest_are_told(demand: str) -> None:
    said = asked(demand)
    assert (said.definitely_related, said.possibly_related) == ((), ())
    assert sum(each.user_name in said.analysis for each in eligible()) >= 3


def test_a_language_that_a_need_names_stands_in_the_profile() -> None:
    said = asked("We need an interpreter for Vietnamese on Monday")
    assert {each.agent_id for each in said.definitely_related} <= {"user_agent_wei_an"}


# ── offers ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_offer_is_the_profiles_own_words() -> None:
    lin_xiao = shipped()["user_agent_lin_xiao"]
    said = make_offer(understood(EVENT), lin_xiao, TODAY)
    assert said.contribution in lin_xiao.capabilities.values()
    assert [(each.need_id, each.quote) for each in said.covers] == [("need_1", said.contribution)]
    assert said.decision is OfferDecision.CONDITIONAL
    assert said.capacity == 60


@pytest.mark.parametrize(
    ("limits", "demand"),
    [
        ({"max_attendees": 30}, EVENT),
        ({"min_attendees": 50}, EVENT),
        ({"locations": ["Berlin"]}, EVENT),
        ({"paid_only": True}, "A venue for 40 people, no budget"),
        ({"busy": "away"}, EVENT),
    ],
)
def test_what_is_typed_into_a_field_is_kept(limits: dict[str, Any], demand: str) -> None:
    bo = person(limits=limits, capabilities={"venue": "A workshop"})
    assert make_offer(understood(demand), bo, TODAY).decision is OfferDecision.DECLINE
    free = person(capabilities={"venue": "A workshop"})
    assert make_offer(understood(demand), free, TODAY).decision is not OfferDecision.DECLINE


def test_a_limit_in_words_is_kept_unless_its_words_stand_in_the_demand() -> None:
    profile = person(limits={"never": ["livestream", "not on Saturdays"]})
    verdicts = [each.verdict for each in make_offer(understood(EVENT), profile, TODAY).limits]
    assert verdicts == [LimitVerdict.KEPT, LimitVerdict.UNSURE]  # December 12 is a Saturday
    streamed = make_offer(understood("A venue for a livestream"), profile, TODAY).limits
    assert [each.verdict for each in streamed] == [LimitVerdict.UNSURE, LimitVerdict.KEPT]


# ── plans ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_plan_lays_side_by_side_who_brings_what() -> None:
    draft = plan("lin_xiao", "xu_fan")
    assert [each.covers for each in draft.assignments] == [("need_1",), ("need_2",)]
    offered = [offer_of(shipped()[f"user_agent_{name}"]).contribution for name in ("lin_xiao", "xu_fan")]
    assert [each.responsibility for each in draft.assignments] == offered
    assert (draft.when, draft.gaps) == (understood(EVENT).context.when, ())
    assert draft.timeline.milestones == ()
    assert not any(each.hours or each.cost for each in draft.assignments)


def test_what_is_covered_already_is_not_given_twice_and_what_is_not_covered_is_told() -> None:
    draft = plan("lin_xiao", "zhao_lei" if offer_of(shipped()["user_agent_zhao_lei"]).covers else "lin_xiao")
    assert draft.gaps == ("a photographer",)
    assert "a photographer" in draft.summary
    assert len(draft.assignments) + len(draft.not_chosen) == 2


@pytest.mark.parametrize(
    ("condition", "is_met"),
    [("at most 60 people", True), ("at most 20 people", False), ("My name is given wherever a picture is used", False)],
)
def test_a_condition_is_met_only_where_data_says_so(condition: str, is_met: bool) -> None:
    offer = replace(offer_of(shipped()["user_agent_lin_xiao"]), conditions=(condition,))
    (answer,) = draft_proposal(understood(EVENT), [offer], TODAY).conditions
    assert answer.met is is_met
    assert answer.reason == ("" if is_met else phrase("open", "en"))


def _vote(request: str, agent_id: str = "user_agent_lin_xiao") -> VoteMade:
    kind = FeedbackType.NEGOTIATE
    return VoteMade(agent_id=agent_id, display_name="", feedback_type=kind, adjustment_request=request)


def test_a_wish_that_is_data_and_fits_is_taken_up_and_any_other_stays_open() -> None:
    demand = understood("We need a venue in Beijing next week")
    draft = draft_proposal(demand, [offer_of(shipped()["user_agent_lin_xiao"], demand.surface_demand)], TODAY)
    after = revise_proposal(demand, draft, [_vote("Start on Tuesday, December 1")], TODAY)
    assert (after.when.first, after.when.last) == ("2026-12-01", "2026-12-01")
    for wish in ("Start on December 15", "No loudspeakers after 21:30"):
        summary = revise_proposal(demand, draft, [_vote(wish)], TODAY).adjustment_summary
        assert summary is not None
        assert [(each.request, each.reason) for each in summary.requests_declined] == [(wish, phrase("open", "en"))]
        assert summary.requests_addressed == ()


def test_whoever_asked_may_move_it_anywhere() -> None:
    asked_for = [RequestAddressed(request="Move it to December 20")]
    after = revise_proposal(understood(EVENT), plan("lin_xiao"), [], TODAY, requester_requests=asked_for)
    assert after.when.first == "2026-12-20"
    assert after.when.start == "18:00"


def test_who_leaves_is_in_no_seat_and_in_no_sentence() -> None:
    gone = replace(_vote("", "user_agent_xu_fan"), feedback_type=FeedbackType.WITHDRAW)
    after = revise_proposal(understood(EVENT), plan("lin_xiao", "xu_fan"), [gone], TODAY)
    assert [each.agent_id for each in after.assignments] == ["user_agent_lin_xiao"]
    assert "徐帆" not in after.summary
    assert after.gaps == ("a photographer",)


# ── votes ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def vote(name: str, answers: OwnAnswers | None = None, **others: Any) -> Any:
    draft = plan(name)
    profile = others.pop("profile", shipped()[f"user_agent_{name}"])
    shared = SharedPlan(summary=draft.summary, when=draft.when, gaps=draft.gaps)
    answers = answers or OwnAnswers(conditions=draft.conditions)
    return give_feedback(understood(EVENT), profile, shared, draft.assignments[0], TODAY, answers=answers, **others)


def test_a_wish_of_their_own_is_brought_up_once() -> None:
    first = vote("lin_xiao")
    assert first.feedback_type is FeedbackType.NEGOTIATE
    profile = shipped()["user_agent_lin_xiao"]
    assert profile.preferences.asks[0].change.said_in("en") in first.adjustment_request
    refused = RequestDeclined(request=first.adjustment_request, reason=phrase("open", "en"))
    conditions = plan("lin_xiao").conditions
    second = vote("lin_xiao", OwnAnswers(conditions=conditions, requests_declined=(refused,)), round=2)
    assert second.feedback_type is FeedbackType.ACCEPT
    assert any(profile.preferences.conditions[0].text.said_in("en") in each for each in second.concerns)


def test_where_somebody_refused_a_condition_its_own_reaction_decides() -> None:
    profile = shipped()["user_agent_xu_fan"]
    text = profile.preferences.conditions[0].text.said_in("en")
    refused = ConditionAnswer(agent_id=profile.agent_id, condition_id=1, condition=text, reason="There is no room")
    assert vote("xu_fan", OwnAnswers(conditions=(refused,))).feedback_type is FeedbackType.WITHDRAW


def test_a_confirmed_limit_that_is_broken_is_asked_to_change_and_left_in_the_end() -> None:
    data = Days(first="2026-12-12", last="2026-12-12", allowed=False)
    limit = HeldLimit(words="", source="field", data=data, scope="whole", state="on")
    profile = shipped()["user_agent_xu_fan"].model_copy(update={"limit_data": (limit,)})
    said = vote("xu_fan", profile=profile)
    assert (said.feedback_type, said.change) == (FeedbackType.NEGOTIATE, limit.data)
    assert vote("xu_fan", profile=profile, round=5).feedback_type is FeedbackType.WITHDRAW


# ── afterwards ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_only_needs_that_nobody_covers_are_missing() -> None:
    demand = understood(EVENT)
    found = find_gaps(demand, plan("lin_xiao"))
    assert [each.gap_type for each in found.gaps] == ["a photographer"]
    assert find_gaps(demand, plan("lin_xiao", "xu_fan")).is_complete
    assert judge_recursion(demand, found.gaps).should_recurse
    assert not judge_recursion(demand, ()).should_recurse


def test_one_is_too_few_for_a_need_of_three() -> None:
    text = "We need three photographers in Beijing on December 12"
    draft = plan("xu_fan", demand=text)
    assert draft.gaps == ("three photographers",)
    assert [each.gap_type for each in find_gaps(understood(text), draft).gaps] == ["three photographers"]
    assert find_gaps(understood(text.replace("three photographers", "a photographer")), draft).is_complete


def test_whoever_does_one_thing_is_seated_before_somebody_who_says_they_do_both() -> None:
    demand = understood(EVENT)
    both, one, other = (
        OfferMade(
            agent_id=name, display_name=name, decision=OfferDecision.PARTICIPATE, contribution="A hand", covers=covers
        )
        for name, covers in (("both", ("need_1", "need_2")), ("one", ("need_1",)), ("other", ("need_2",)))
    )
    draft = draft_proposal(demand, [both, one, other], TODAY)

    assert [each.agent_id for each in draft.assignments] == ["one", "other"]
    assert [each.agent_id for each in draft.not_chosen] == ["both"]


def test_of_two_who_say_that_they_do_it_whoever_is_nearer_to_it_is_seated() -> None:
    demand = understood("Somebody who can read a sponsorship agreement for us, on Monday")
    [need] = demand.needs
    brings = {"brands": "Reaching cloud, coffee and book brands", "contracts": "Contracts and sponsorship agreements"}
    offers = [
        OfferMade(
            agent_id=name,
            display_name=name,
            decision=OfferDecision.PARTICIPATE,
            contribution=words,
            covers=(need.need_id,),
        )
        for name, words in brings.items()
    ]

    assert [each.agent_id for each in draft_proposal(demand, offers, TODAY).assignments] == ["contracts"]
    assert [each.agent_id for each in draft_proposal(demand, offers[::-1], TODAY).assignments] == ["contracts"]


def test_each_need_goes_to_one_and_nobody_is_said_to_cover_what_another_does() -> None:
    demand = understood(EVENT)
    both, one = (
        OfferMade(
            agent_id=name, display_name=name, decision=OfferDecision.PARTICIPATE, contribution="A hand", covers=covers
        )
        for name, covers in (("both", ("need_1", "need_2")), ("one", ("need_1",)))
    )
    draft = draft_proposal(demand, [both, one], TODAY)

    assert {each.agent_id: each.covers for each in draft.assignments} == {"one": ("need_1",), "both": ("need_2",)}


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("By January 8 we want a first version: we need mobile development, UI design and testing.", "2027-01-08"),
        ("1月8日前出第一版，需要移动开发、UI设计和测试。", "2027-01-08"),
    ],
)
def test_what_is_due_before_anything_is_listed_is_due_for_all_of_it(text: str, due: str) -> None:
    demand = understood(text)
    assert len(demand.needs) == 3
    assert demand.context.deadline == due


def test_hours_that_somebody_spends_in_a_week_are_no_words_of_the_need() -> None:
    demand = understood("想请个懂数据库的人每周花3小时看看慢查询")
    assert "每周" not in demand.needs[0].phrases[0]


def _rounds(text: str) -> int:
    demand, people = understood(text), shipped()
    offers = [
        offer_of(people[each.agent_id], text) for each in asked(text).definitely_related if each.agent_id in people
    ]
    offers = [each for each in offers if each.decision is not OfferDecision.DECLINE]
    if not offers:
        return 0
    draft = draft_proposal(demand, offers, TODAY)
    for number in range(1, 4):
        shared = SharedPlan(summary=draft.summary, when=draft.when, gaps=draft.gaps)
        summary = draft.adjustment_summary
        votes = []
        for seat in draft.assignments:
            told = OwnAnswers(
                conditions=tuple(each for each in draft.conditions if each.agent_id == seat.agent_id),
                requests_declined=summary.requests_declined if summary else (),
            )
            said = give_feedback(demand, people[seat.agent_id], shared, seat, TODAY, answers=told, round=number)
            votes.append(
                replace(_vote(said.adjustment_request, seat.agent_id), feedback_type=FeedbackType(said.feedback_type))
            )
        if all(each.feedback_type is FeedbackType.ACCEPT for each in votes):
            return number
        if all(each.feedback_type is FeedbackType.WITHDRAW for each in votes):
            return 0
        draft = revise_proposal(demand, draft, votes, TODAY, round=number + 1)
    return 0


def test_most_demands_agree_within_three_rounds_and_some_do_not() -> None:
    played = [_rounds(each) for each in (MEETUP, PROTOTYPE, *OTHERS)]
    assert sum(map(bool, played)) >= 0.6 * len(played)
    assert not any(_rounds(each) for each in ("Somebody to shear our sheep", "找一位兽医"))


# ── limits of a profile ───────────────────────────────────────────────────────────────────────────────────────────────


def test_of_a_profile_only_lines_that_are_data_are_read() -> None:
    said = [
        ("from_now_on", "I am not available on Mondays"),
        ("never", "weekends"),
        ("never", "machine translation"),
        ("leaves_if", "at most 20 people"),
        ("from_now_on", "人数不超过20人"),
    ]
    lines = [Line(number, *each) for number, each in enumerate(said, 1)]
    read = {each.number: each.data for each in read_profile(lines, {"date": "2026-11-27", "weekday": "Friday"}).limits}
    assert read == {
        1: Days(weekdays=("mon",), allowed=False),
        2: Days(weekdays=("sat", "sun"), allowed=False),
        5: People(at_most=20),
    }


def test_rules_doubt_nothing() -> None:
    claims = [NumberedLimit(number=each, words="", source="") for each in (1, 2)]
    said = verify(claims=claims, limits=claims)
    assert {each.verdict for each in said.claims} == {"unsure"}


def test_a_wish_is_read_only_where_it_is_data() -> None:
    assert read_request(TODAY, request="Start on Tuesday, December 1").data == Days(
        first="2026-12-01", last="2026-12-01"
    )
    assert read_request(TODAY, request="No loudspeakers after 21:30").data is None


def test_every_phrase_is_there_in_both_languages() -> None:
    said: Mapping[str, Mapping[Any, str]] = phrases()
    assert all(set(each) == {"zh", "en"} and all(each.values()) for each in said.values())


# ── when somebody has time ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("availability", "is_free"),
    [
        ("Weekends, all day", True),
        ("周六全天，工作日晚上", True),
        ("Ten hours a week, flexible", True),
        ("After the exams", True),
        ("Weekdays after 19:00", False),
        ("Monday to Thursday", False),
        ("工作日白天", False),
        ("周末上午", False),
        ("工作日白天，活动当天可以到场", True),
        ("Mornings", False),
        ("Mornings, Lisbon time", True),
    ],
)
def test_who_has_no_time_then_says_so_in_their_own_words(availability: str, *, is_free: bool) -> None:
    bo = person(availability=availability, location="Beijing", capabilities={"venue": "A workshop with a stage"})
    said = make_offer(understood(EVENT), bo, TODAY)  # a Saturday from 18:00
    assert (said.decision is not OfferDecision.DECLINE) is is_free
    assert is_free or said.decline_reason == availability


def test_who_has_no_time_on_the_day_still_does_what_is_due_before_it() -> None:
    bo = person(availability="Monday to Thursday", location="Beijing", capabilities={"budget": "A one-page budget"})
    demand = "A party in Beijing on Saturday, January 30, 2027: I need a one-page budget by January 12 and a band."
    said = make_offer(understood(demand), bo, TODAY)
    assert [each.need_id for each in said.covers] == ["need_1"]
    assert understood(demand).context.deadline == ""


def test_what_is_due_by_a_day_stands_in_the_plan_with_it() -> None:
    demand = understood("Could somebody proofread our brochure by December 9? We pay 50 euros.")
    bo = person(capabilities={"proofreading": "Proofreading of brochures"})
    [step] = draft_proposal(demand, [offer_of(bo, demand.surface_demand)], TODAY).timeline.milestones
    assert (step.day, step.agent_id, step.need_id) == (demand.context.deadline, bo.agent_id, "need_1")


def test_who_gives_fewer_hours_a_week_than_are_asked_declines() -> None:
    bo = person(availability="Ten hours a week", capabilities={"analysis": "Analysis of questionnaires"})
    asked = "We need analysis of questionnaires, about {} hours a week."
    assert make_offer(understood(asked.format(15)), bo, TODAY).decline_reason == "Ten hours a week"
    assert make_offer(understood(asked.format(8)), bo, TODAY).decision is not OfferDecision.DECLINE
