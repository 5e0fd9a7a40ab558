"""The stand-in of a negotiation: it quotes, compares data, and says nothing that it was not given."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from typing import Any, Final, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.directory.asks import Line
from engine.directory.profile import HeldLimit, Profile
from engine.facts.circumstances import People, When
from engine.facts.data import Days
from engine.facts.language import Language
from engine.files.profiles import load_company
from engine.llm.encoder import Meaning, instead
from engine.negotiation.answers import (
    ConditionAnswer,
    LimitVerdict,
    OfferDecision,
    OfferMade,
    ProposalDraft,
    RequestAddressed,
    RequestDeclined,
    Shortlist,
    TimeGiven,
    Understanding,
    VoteMade,
)
from engine.negotiation.given import EligibleProfile
from engine.negotiation.offers.limit_answers import NumberedLimit
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.twins_view import OwnAnswers, SharedPlan
from engine.offline.directory.answerers import read_profile
from engine.offline.model import phrase, phrases
from engine.offline.negotiation.adjustments import find_gaps, judge_recursion, revise_proposal
from engine.offline.negotiation.answerers import read_request, verify
from engine.offline.negotiation.feedback import give_feedback
from engine.offline.negotiation.limits import notice_of
from engine.offline.negotiation.nearness import share
from engine.offline.negotiation.offers import make_offer
from engine.offline.negotiation.proposals import draft_proposal
from engine.offline.negotiation.shortlist import choose_people, needs_of
from engine.offline.negotiation.understanding import understand
from tests.no_encoder.usem3 import USE
from tests.offline.demands import MEETUP, OTHERS, PROTOTYPE
from tests.profiles.people import person, shipped

TODAY: Final = {"date": "2026-11-27", "weekday": "Friday", "time_zone": "Asia/Shanghai"}
EVENT: Final = "We need a venue and a photographer in Beijing for 40 people on December 12 from 18:00 to 21:00."
WORDS: Final = [*EVENT.split(), *"需要场地和嘉宾，。下周六"]


def understood(text: str) -> Understanding:
    return understand(text, TODAY)


@cache
def eligible() -> tuple[EligibleProfile, ...]:
    return tuple(EligibleProfile(on_site=True, **_public(each)) for each in load_company().values())


def _public(profile: Profile) -> dict[str, Any]:
    return {name: getattr(profile.public, name) for name in profile.public.__struct_fields__}


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
def test_where_nobody_fits_nobody_is_asked_and_the_nearest_are_shown_as_what_they_are(demand: str) -> None:
    """Whoever asked is asked back, and sees what the nearest do in their own words: nobody says that they fit."""
    said = asked(demand)
    assert (said.definitely_related, said.possibly_related) == ((), ())
    question, shown = re.split("perhaps not fit for it:|不一定合适）：", said.analysis)
    named = [each.user_name for each in eligible() if each.user_name in shown]
    assert 1 <= len(named) <= 3
    assert not [each for each in named if each in question]
    assert needs_of(understood(demand))[0].what in said.analysis


@pytest.mark.parametrize(
    ("demand", "reason"),
    [
        ("I need a venue in Berlin for 75 people", "✗ Bo: 60 people at most, and this is for 75."),
        ("Berlin，75人，需要场地", "✗ Bo：最多60人，这次是75人。"),
    ],
)
def test_who_is_left_out_for_what_their_profile_says_is_told_with_both_data(demand: str, reason: str) -> None:
    said = person(
        tags=["venue", "场地"], capabilities={"venue": "A venue for up to 60 people", "场地": "场地，可坐60人"}
    )
    bo = EligibleProfile(on_site=True, **_public(said))
    told = choose_people(understood(demand), (), 10, left_out=lambda: [bo])
    assert reason in told.analysis
    assert (told.definitely_related, told.possibly_related) == ((), ())


def test_nothing_is_told_of_who_is_left_out_for_a_limit_that_is_not_public() -> None:
    bo = EligibleProfile(on_site=True, **_public(person(capabilities={"venue": "A venue"})))
    told = choose_people(understood("I need a venue in Berlin for 75 people"), (), 10, left_out=lambda: [bo])
    assert "Bo" not in told.analysis


def test_where_the_nearest_is_left_out_who_does_the_same_is_asked() -> None:
    people = {each.agent_id.removeprefix("user_agent_"): each for each in eligible()}
    (asked_for,) = choose_people(
        understood("北京，40人，12月14日，需要咖啡"),
        [each for name, each in people.items() if name in ("gao_ning", "lin_xiao", "david_okafor")],
        left_out=lambda: [people["zhao_lei"]],
    ).definitely_related
    assert asked_for.agent_id == "user_agent_gao_ning"


def test_who_says_nothing_of_what_a_need_is_about_is_not_asked() -> None:
    people = [each for each in eligible() if each.agent_id in ("user_agent_wang_siyuan", "user_agent_chen_mo")]
    names = [
        each.agent_id for each in choose_people(understood("我们需要一位讲机器人的嘉宾"), people).definitely_related
    ]
    assert names == ["user_agent_wang_siyuan"]
    assert choose_people(understood("我们需要一位讲机器人的嘉宾"), people[:1]).definitely_related == ()


def test_people_of_whom_there_is_one_are_ranked_as_well() -> None:
    with instead(Meaning(lambda: USE(1))):
        for each in eligible():
            choose_people(understood("I need a venue in Berlin for 75 people"), [each])


@pytest.mark.parametrize("text", ["要不要给活动收押金？", "Should we use Postgres or MongoDB?"])
def test_of_a_question_of_judgement_nobody_is_asked_and_nobody_is_named(text: str) -> None:
    said = understand(text, TODAY, people=eligible)
    assert not any(each.user_name in said.reply for each in eligible())
    assert choose_people(said, eligible(), 10).definitely_related == ()


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
    assert (said.capacity, said.city, said.notice) == (60, "北京", 3)


@pytest.mark.parametrize(
    ("said", "data"),
    [
        ("A hall, free of charge", {"free": True}),
        ("一间会议室，不收场租", {"free": True}),
        ("A buffet at 25 euros per person", {"per_head": 25, "currency": "EUR", "free": False}),
        ("A cleaning fee of 800 yuan for the hall", {"cost": 800, "currency": "CNY"}),
        ("Talks, over video", {"online": True, "city": ""}),
        ("Talks on a stage", {"online": False, "city": "Lisbon"}),
    ],
)
def test_what_a_capability_says_of_its_price_and_place_is_data(said: str, data: dict[str, Any]) -> None:
    who = person(location="Lisbon", capabilities={"venue": said}, tags=["venue"])
    offer = make_offer(understood(f"We need {said.split(',')[0]} in Berlin on December 19 at 19:00"), who, TODAY)
    assert {name: getattr(offer, name) for name in data} == data


def test_how_long_ahead_somebody_is_asked_may_stand_in_their_summary() -> None:
    people = {name: shipped()[f"user_agent_{name}"] for name in ("zhou_yu", "emma_clarke", "wang_siyuan")}
    assert {name: notice_of(each, []) for name, each in people.items()} == {
        "zhou_yu": 3,
        "emma_clarke": 0,  # it is about weekends
        "wang_siyuan": 0,  # it is about travels
    }


def test_few_words_are_english_where_nothing_else_speaks_for_another_language() -> None:
    context = understood(
        "Team dinner where people cook themselves, Lima, 17 December 19:00, 40 dollars per head"
    ).context
    assert (context.place.city, context.when.first, context.money.per_head) == ("Lima", "2026-12-17", 40)


def test_a_little_is_no_hour() -> None:
    assert understood("小一点的孩子需要有人看，12月27日").context.when.start == ""


def test_what_begins_from_an_hour_on_begins_then() -> None:
    when = understood("We need a photographer in London on 11 December from 19:00").context.when
    assert (when.first, when.start) == ("2026-12-11", "19:00")


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("Who knows licences, and who could talk to distributors?", ["licences", "talk to distributors"]),
        ("We host 200 people. Somebody has to handle registration.", ["handle registration"]),
        ("We need a cook. We would also like the help pages rewritten.", ["a cook", "help pages rewritten"]),
        ("A retreat with somebody who leads us through conflicts", ["somebody who leads us through conflicts"]),
        ("French contract, 14 pages, into Chinese", ["French contract, 14 pages, into Chinese"]),
        ("想给新产品拍一段海边航拍，1月，最好会飞无人机", ["拍一段海边航拍", "会飞无人机"]),
        ("3月6号在北京办论坛，求场地，另外需要主持", ["场地", "主持"]),
        ("4月10日去郊外徒步，要个领队，还要一个会急救的", ["领队", "一个会急救的"]),
    ],
)
def test_who_does_what_is_asked_for_in_several_ways(text: str, needs: list[str]) -> None:
    assert [each.what for each in understood(text).needs] == needs


@pytest.mark.parametrize(
    ("demand", "fitting"),
    [
        ("Before launch we want an outsider to try to break into the login, and a poster", "dmitri_volkov"),
        ("12月27日家庭日，想让孩子们学写毛笔字，10个人，另外小一点的孩子需要有人看", "su_wan"),
    ],
)
def test_what_surrounds_a_need_says_what_it_is_about(demand: str, fitting: str) -> None:
    said = understood(demand)
    alone = replace(said, needs=tuple(replace(each, phrases=each.phrases[:1]) for each in said.needs))
    found = [
        [each.agent_id.removeprefix("user_agent_") for each in choose_people(one, eligible(), 10).definitely_related]
        for one in (said, alone)
    ]
    assert [fitting in each for each in found] == [True, False]


@pytest.mark.parametrize(
    ("availability", "does", "days"),
    [
        ("Every day, five days ahead", "Buffets", 5),
        ("每天，需要提前五天预订", "茶歇", 5),
        ("Evenings", "Posters, three sketches to choose from, in seven days", 7),
        ("周末；准备一场新分享需要两周", "技术分享", 14),
        ("Weekday evenings; weekends two months ahead", "Photos", 0),
        ("Two hours a week", "A talk of forty minutes", 0),
    ],
)
def test_an_offer_says_how_long_ahead_somebody_has_to_be_asked(availability: str, does: str, days: int) -> None:
    assert notice_of(person(availability=availability), [does]) == days


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


@pytest.mark.parametrize(("days", "where"), [(3, "milestone/1"), (40, "")])
def test_what_is_to_be_known_days_before_is_a_step_of_the_plan(days: int, where: str) -> None:
    demand, condition = understood(EVENT), f"I get the list of guests {days} days before"
    offer = replace(offer_of(shipped()["user_agent_lin_xiao"]), conditions=(condition,))
    draft = draft_proposal(demand, [offer], TODAY)
    steps = [(each.name, each.day) for each in draft.timeline.milestones]
    day = (date.fromisoformat(demand.context.when.first) - timedelta(3)).isoformat()
    assert steps == ([(f"林晓: {condition}", day)] if where else [])
    assert [(each.met, each.where) for each in draft.conditions] == [(bool(where), where)]


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


def test_a_place_that_no_table_has_is_known_by_whoever_lives_there() -> None:
    bo = replace(eligible()[0], location="Harrogate")
    text = "Bees are in our chimney in Harrogate. Who takes them away?"

    assert understand(text, TODAY, people=lambda: [bo]).context.place.city == "Harrogate"
    assert understand(text, TODAY, people=eligible).context.place.city == ""


def test_whoever_is_there_is_seated_before_somebody_of_another_city() -> None:
    text = "Two days of photos at our trade fair in London on December 9, plus a short film for the website"
    people = [shipped()[f"user_agent_{name}"] for name in ("emma_clarke", "mei_tan")]
    demand = understood(text)
    emma, mei = (replace(offer_of(each, text), covers=("need_1",)) for each in people)
    draft = draft_proposal(demand, [replace(emma, covers=("need_1", "need_2")), mei], TODAY, people=eligible)

    assert [(each.display_name, each.covers) for each in draft.assignments] == [("Emma Clarke", ("need_1", "need_2"))]


def test_a_short_word_is_the_same_as_of_many() -> None:
    assert share("hem 25 trousers", "Hems, zips and waists") > 0


def test_each_need_goes_to_whose_words_are_nearest() -> None:
    text = "We need somebody to read a sponsorship agreement"
    people = ("david_okafor", "liu_yang", "feng_lan")
    found = asked(text).definitely_related
    offers = [offer_of(shipped()[f"user_agent_{name}"], text) for name in people]
    draft = draft_proposal(understood(text), [each for each in offers if each.covers], TODAY)

    assert {each.agent_id for each in found} & {f"user_agent_{name}" for name in people}
    assert [each.display_name for each in draft.assignments] == ["冯岚"]


def test_of_two_who_offer_the_same_whose_profile_is_nearer_has_the_seat() -> None:
    text = "We need a tester who tries our app on real phones every week"
    offers = [offer_of(shipped()[f"user_agent_{name}"], text) for name in ("jonas_weber", "ma_chao")]
    offers = [replace(each, covers=("need_1",)) for each in offers]
    draft = draft_proposal(understood(text), offers, TODAY, people=eligible)
    assert [each.display_name for each in draft.assignments] == ["马超"]


def test_what_is_near_to_a_place_is_in_the_city_of_those_who_name_it() -> None:
    text = "12月14日晚上七点到九点，就在五道口附近，需要场地"
    demand = understand(text, today=TODAY, people=eligible)
    assert (demand.context.location, demand.context.place.city) == ("五道口", "北京")
    assert demand.context.when.time_zone == "Asia/Shanghai"
    [found, *_] = choose_people(demand, eligible()).definitely_related
    assert found.display_name == "赵磊"


def test_what_of_ones_own_a_need_is_about_stands_in_nobodys_profile() -> None:
    maya = shipped()["user_agent_maya_patel"]
    said = make_offer(understood("We need user interviews about our onboarding"), maya, TODAY)
    assert said.decision is not OfferDecision.DECLINE


def test_whoever_was_asked_for_a_need_offers_for_that_alone() -> None:
    demand = understood("We need a facilitator and a UX designer who can sketch our calendar")
    tom = shipped()["user_agent_tom_becker"]
    reason = phrase("filter.need", "en", what="a facilitator")
    said = make_offer(demand, tom, TODAY, filter_reason=phrase("filter.reason", "en", what=reason, words="-"))
    assert [each.need_id for each in said.covers] == ["need_1"]


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
        ("周一全天，周末提前一周约", True),
        ("周一全天，周末提前三周约", False),
        ("工作日白天，出差需要提前两周", False),
    ],
)
def test_who_has_no_time_then_says_so_in_their_own_words(availability: str, *, is_free: bool) -> None:
    bo = person(availability=availability, location="Beijing", capabilities={"venue": "A workshop with a stage"})
    said = make_offer(understood(EVENT), bo, TODAY)  # a Saturday from 18:00
    assert (said.decision is not OfferDecision.DECLINE) is is_free
    assert is_free or said.decline_reason == f"✗ {availability}; this is December 12 from 18:00 to 21:00"


def test_who_has_no_time_on_the_day_still_does_what_is_due_before_it() -> None:
    bo = person(availability="Monday to Thursday", location="Beijing", capabilities={"budget": "A one-page budget"})
    demand = "A party in Beijing on Saturday, January 30, 2027: I need a one-page budget by January 12 and a band."
    said = make_offer(understood(demand), bo, TODAY)
    assert [each.need_id for each in said.covers] == ["need_1"]
    assert understood(demand).context.deadline == ""


def test_what_is_done_before_the_day_takes_nobody_on_it() -> None:
    bo = person(availability="工作日晚上", location="上海", capabilities={"海报设计": "活动海报", "主持": "活动主持"})
    text = "12月19日周六晚上7点在上海办画展，需要{}"
    assert make_offer(understood(text.format("一张海报")), bo, TODAY).decision is not OfferDecision.DECLINE
    assert make_offer(understood(text.format("一位主持")), bo, TODAY).decision is OfferDecision.DECLINE


def test_one_person_is_no_number_of_guests() -> None:
    anna = shipped()["user_agent_anna_kowalska"]  # "一个人最多四十分钟"
    assert make_offer(understood("请一位英语口译，10个人开会"), anna, TODAY).decision is not OfferDecision.DECLINE


def test_a_language_alone_does_not_make_words_nearest() -> None:
    text = "Looking for somebody to write our user manual in English"
    people = [shipped()[f"user_agent_{name}"] for name in ("grace_liu", "anna_kowalska")]
    draft = draft_proposal(understood(text), [offer_of(each, text) for each in people], TODAY)
    assert [each.display_name for each in draft.assignments] == ["Anna Kowalska"]


def test_what_is_due_by_a_day_stands_in_the_plan_with_it() -> None:
    demand = understood("Could somebody proofread our brochure by December 9? We pay 50 euros.")
    bo = person(capabilities={"proofreading": "Proofreading of brochures"})
    [step] = draft_proposal(demand, [offer_of(bo, demand.surface_demand)], TODAY).timeline.milestones
    assert (step.day, step.agent_id, step.need_id) == (demand.context.deadline, bo.agent_id, "need_1")


def test_who_gives_fewer_hours_a_week_than_are_asked_declines() -> None:
    bo = person(availability="Ten hours a week", capabilities={"analysis": "Analysis of questionnaires"})
    asked = "We need analysis of questionnaires, about {} hours a week."
    assert (
        make_offer(understood(asked.format(15)), bo, TODAY).decline_reason
        == "✗ Ten hours a week; this is about 15 hours a week"
    )
    assert make_offer(understood(asked.format(8)), bo, TODAY).decision is not OfferDecision.DECLINE


def test_hours_that_their_times_leave_no_room_for_are_declined() -> None:
    bo = person(availability="工作日晚上九点到十一点", capabilities={"后端": "后端服务"})
    asked = "需要一位后端工程师，每周{}小时"
    assert make_offer(understood(asked.format(20)), bo, TODAY).decline_reason.startswith("✗ 工作日晚上九点到十一点")
    assert make_offer(understood(asked.format(6)), bo, TODAY).decision is not OfferDecision.DECLINE


def test_who_wants_more_notice_than_there_is_declines() -> None:
    bo = person(availability="每天，需要提前五天预订", location="北京", capabilities={"茶歇": "茶歇"})
    asked = "需要茶歇，{}，北京"
    assert make_offer(understood(asked.format("12月1日")), bo, TODAY).decision is OfferDecision.DECLINE
    assert make_offer(understood(asked.format("12月12日")), bo, TODAY).decision is not OfferDecision.DECLINE


def test_an_hour_that_suits_in_neither_zone_is_declined() -> None:
    bo = person(availability="工作日白天", location="北京", capabilities={"合同": "合同审阅"})
    at = {**TODAY, "time_zone": "UTC"}
    for hour, is_free in (("晚上7点", False), ("上午10点", True)):
        demand = understand(f"线上，12月1日{hour}，需要合同审阅", at)
        assert (make_offer(demand, bo, at).decision is not OfferDecision.DECLINE) is is_free


def test_the_most_that_somebody_takes_is_how_many_they_are_enough_for() -> None:
    bo = person(limits={"max_attendees": 80}, availability="always", capabilities={"facilitation": "Workshops"})
    assert make_offer(understood("A facilitator for our workshop, 16 people"), bo, TODAY).capacity == 80


def test_what_is_due_around_all_needs_is_due_for_the_whole() -> None:
    said = understood("我们想做一个App，1月8日前出第一版，需要移动开发和测试；最好有人写隐私政策。")
    assert said.context.deadline == "2027-01-08"
    between = understood("I need a logo by 10 January, and someone who takes photos")
    assert (between.context.deadline, between.needs[0].deadline) == ("", "2027-01-10")


def test_until_when_somebody_wants_to_know_is_no_deadline_of_what_is_done() -> None:
    for text in ("Need a photographer. I must hand in the plan by Monday.", "想找人设计海报，我周五之前要给老板答复。"):
        assert (understood(text).context.deadline, understood(text).needs[0].deadline) == ("", "")


def test_a_guest_who_speaks_is_nobody_who_only_speaks_of_guests() -> None:
    people = [each for each in eligible() if each.agent_id in ("user_agent_zhou_yu", "user_agent_chen_mo")]
    found = choose_people(understood("50人的AI分享会，需要嘉宾"), people).definitely_related
    assert [each.agent_id for each in found] == ["user_agent_chen_mo"]


@pytest.mark.parametrize("language", get_args(Language))
def test_no_phrase_that_everybody_reads_stands_in_one_that_twins_say(language: Language) -> None:
    """Else it would be cut out of plans, as what somebody has said in private."""
    known = [(key, each[language].casefold()) for key, each in phrases().items()]
    said = [text for key, text in known if key.startswith(("vote.", "offer.", "decline."))]
    shared = [text for key, text in known if key.startswith(("open", "change.", "plan.")) and len(text) > 6]
    assert not [each for each in shared if any(each in one for one in said)]


@pytest.mark.parametrize("text", ["Thanks, the heating works again!", "辛苦大家了，昨天的活动太棒了！"])
def test_thanks_are_no_demand(text: str) -> None:
    assert understood(text).kind == "other"


def test_what_is_handed_over_too_late_is_not_met() -> None:
    anna = shipped()["user_agent_anna_kowalska"]
    for day, is_met in ((4, True), (7, False)):
        text = f"Can someone translate slides into German? The deck is ready on {day} December, we need it by the 8th."
        draft = draft_proposal(understood(text), [offer_of(anna, text)], TODAY)
        [answer] = draft.conditions
        assert (answer.met, draft.timeline.milestones[0].day) == (is_met, f"2026-12-0{day}")


def test_hours_fees_and_notice_are_told_as_data() -> None:
    nina, sophie, lin = (shipped()[f"user_agent_{name}"] for name in ("nina_rossi", "sophie_martin", "lin_xiao"))
    survey = "Run a survey among our customers by 18 December, 12 hours of work spread over three weeks"
    said = make_offer(understood(survey), nina, TODAY)
    assert said.hours == 30
    assert make_offer(understood(survey.replace("12", "40")), nina, TODAY).hours == 0
    party = "We need a venue in Shanghai on 18 December at 19:00 for 60 people, budget 2,000 yuan"
    for currency in ("yuan", "euros"):  # what is not in one currency is not compared, see `marks`
        said = make_offer(understood(party.replace("yuan", currency)), sophie, TODAY)
        assert (said.cost, said.currency) == (800, "CNY")
    assert make_offer(understood("12月12日下午两点，北京，40人，需要场地"), lin, TODAY).notice == 3


def test_a_wish_that_the_demand_meets_already_is_told_with_its_data() -> None:
    tom = shipped()["user_agent_tom_becker"]
    for heads, expected in ((11, [People(at_most=20)]), (26, [])):
        text = f"A facilitator for a retrospective over video, {heads} people, on 9 December from 9:00 to 11:00"
        data = [each.data for each in make_offer(understood(text), tom, TODAY).conditions if each.data]
        assert data == expected


# ── when they can ─────────────────────────────────────────────────────────────────────────────────────────────────


def possible(start: str, *, fits: bool = True) -> TimeGiven:
    day = "2026-12-12"
    return TimeGiven(
        when=When(first=day, last=day, start=start, end="21:00", time_zone="Asia/Shanghai", exact="day"),
        can=1,
        of=1,
        fits=fits,
    )


def one_offer() -> OfferMade:
    return OfferMade(agent_id="a", display_name="A", decision=OfferDecision.PARTICIPATE, contribution="a room")


def test_the_best_time_at_which_they_can_is_taken_and_none_that_does_not_fit() -> None:
    demand = understood(EVENT)
    drafted = draft_proposal(demand, [one_offer()], TODAY, times=[possible("19:00"), possible("20:00")])
    assert drafted.when == possible("19:00").when
    drafted = draft_proposal(demand, [one_offer()], TODAY, times=[possible("19:00", fits=False)])
    assert drafted.when == demand.context.when


def test_a_time_that_somebody_asks_for_is_taken_up() -> None:
    demand, later = understood(EVENT), possible("19:00")
    before = draft_proposal(demand, [one_offer()], TODAY)
    vote = VoteMade(
        agent_id="a", display_name="A", feedback_type=FeedbackType.NEGOTIATE, adjustment_request=later.words
    )
    after = revise_proposal(demand, before, [vote], TODAY, times=[possible("18:00"), later])
    assert after.when == later.when
    assert after.adjustment_summary is not None
    assert [each.where for each in after.adjustment_summary.requests_addressed] == ["when"]
