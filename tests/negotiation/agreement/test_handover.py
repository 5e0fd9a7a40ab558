"""A plan that was agreed hands over who takes part, what they have said and what is to be done, and nothing secret."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from engine.facts.circumstances import Money, People, When
from engine.kernel import FactKind, HandedFact, HandedTask, Handover, Place, decode, encode
from engine.negotiation.agreement.handed_facts import LONGEST
from engine.negotiation.agreement.handover import LONGEST_LINE, hand_over, hands_over
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Circumstances,
    ConditionAnswer,
    DeepUnderstanding,
    Milestone,
    Need,
    RequestAddressed,
    RequestDeclined,
    Timeline,
    normalized_gap,
)
from engine.negotiation.commands import EraseWords
from engine.negotiation.events import ClashesFound
from engine.negotiation.policy import PRESETS
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Clash, Parent
from tests.examples import examples
from tests.negotiation.scenario import REQUESTER, STREAM
from tests.negotiation.searches import MUSIC, PHOTOS, fails, fills, searching
from tests.views.corpus import negotiations
from tests.views.stories import THREAD, Story

LINKED = {"aya": "U_AYA"}
FRIDAY = When(said="next Friday", first="2027-01-22", last="2027-01-22", start="18:00", end="21:00", exact="day")


def collected(story: Story, *agents: str, **offers: dict[str, Any]) -> Story:
    story.shortlisted(*agents)
    for each in agents:
        story.offers(each, **offers.get(each, {}))
    while story.state.status is Status.COLLECTING:
        story.now = story.state.offers_due
        story.rings("offers")
    return story


def asked(place: Place = THREAD, policy: str = "balanced", **understood: Any) -> Story:
    story = Story(linked=LINKED, policy=PRESETS[policy], place=place, names={"aya": "Aya Ito"})
    return story.demand().understood(**understood)


def everybody_accepts(story: Story) -> Story:
    for agent_id, seat in story.state.rounds[-1].seats.items():
        if not seat.spoken:
            story.twin(agent_id, "accept", "fine with me")
    return story.time_is_up()


def agreed(**fields: Any) -> Story:
    """Aya, who is linked, and Bo have agreed to a plan."""
    return everybody_accepts(collected(asked(), "aya", "bo").drafted("aya", "bo", **fields))


def handed(story: Story) -> Handover:
    found = hand_over(story.state)
    assert found is not None
    assert decode(encode(found), Handover) == found
    return found


def facts(story: Story, kind: FactKind) -> list[tuple[str, str]]:
    """Return the facts of a kind, each with who has said it."""
    return [(each.text, each.by) for each in handed(story).facts if each.kind is kind]


# ── when there is something to hand over ──────────────────────────────────────────────────────────────────────────


def test_an_agreed_plan_is_handed_over_with_what_it_is_about() -> None:
    story = agreed()
    assert story.state.status is Status.FINALIZED

    found = handed(story)

    assert (found.origin, found.requester_id, found.place) == (STREAM, REQUESTER, THREAD)
    assert found.goal == found.title == "An AI meetup for 50 people"
    assert RULEBOOK.hand_over(story.state) == found


def test_of_a_long_demand_the_first_sentence_is_the_title() -> None:
    demand = "A meetup about evaluating models in Berlin. We want two speakers, and food for everybody who comes."
    story = asked(surface_demand=demand)
    assert handed(everybody_accepts(collected(story, "bo").drafted("bo"))).title == demand.partition(".")[0]


def test_a_plan_with_partial_agreement_is_handed_over_and_says_who_has_not_confirmed() -> None:
    story = collected(asked(policy="tech-v3"), "aya", "bo", "cy").drafted("aya", "bo", "cy")
    while story.state.is_open:
        story.twins({"aya": "accept", "bo": "accept", "cy": "negotiate"}).time_is_up()
        if story.state.status is Status.PROPOSAL_SENT:
            story.drafted("aya", "bo", "cy")
    assert story.state.status is Status.FORCE_FINALIZED

    assert ("Cy has not confirmed", "") in facts(story, FactKind.GAP)
    assert not any("Aya" in text for text, _ in facts(story, FactKind.GAP))


def stopped() -> Story:
    return collected(asked(), "bo").drafted("bo").stopped()


def failed() -> Story:
    story = collected(asked(policy="tech-v3"), "aya", "bo").drafted("aya", "bo")
    story.twins({"aya": "withdraw", "bo": "reject"})
    return story.time_is_up()


def erased() -> Story:
    return agreed().does(EraseWords, whose="U_AYA", people=())


@pytest.mark.parametrize(
    ("story", "status"),
    [
        pytest.param(lambda: asked(), Status.CREATED, id="open"),
        pytest.param(lambda: collected(asked(), "bo").drafted("bo"), Status.NEGOTIATING, id="voting"),
        pytest.param(stopped, Status.CANCELLED, id="stopped"),
        pytest.param(failed, Status.FAILED, id="failed"),
        pytest.param(erased, Status.FINALIZED, id="erased"),
    ],
)
def test_what_has_not_come_to_a_plan_hands_nothing_over(story: Any, status: Status) -> None:
    state = story().state
    assert state.status is status
    assert hand_over(state) is None
    assert not hands_over(state)


def test_a_part_of_another_plan_hands_nothing_over() -> None:
    state = agreed().state
    parent = Parent(channel_id="collab-parent00", demand_id="d-parent00", demand="a party", gap_type="a band")
    assert hand_over(replace(state, parent=parent)) is None


def test_what_never_began_hands_nothing_over() -> None:
    assert hand_over(Negotiation()) is None


# ── what was asked ────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_need_is_a_fact_of_whoever_asked() -> None:
    needs = (
        Need(need_id="need_1", what="a venue"),
        Need(need_id="need_2", what="speakers", quantity=2),
        Need(need_id="need_3", what="3 cakes", quantity=3, essential=False),
    )
    story = everybody_accepts(collected(asked(needs=needs), "bo").drafted("bo"))
    assert facts(story, FactKind.NEED) == [
        ("a venue", REQUESTER),
        ("speakers × 2", REQUESTER),
        ("3 cakes (not essential)", REQUESTER),
    ]


def test_place_people_money_and_time_are_facts_of_whoever_asked() -> None:
    context = Circumstances(
        location="Berlin", expected_attendees=50, budget="2000 euros", date="next Friday", when=FRIDAY
    )
    story = everybody_accepts(collected(asked(context=context), "bo").drafted("bo"))
    assert facts(story, FactKind.CONSTRAINT) == [
        ("Budget: 2000 euros", REQUESTER),
        ("How many people: 50", REQUESTER),
        ("Where: Berlin", REQUESTER),
    ]
    assert facts(story, FactKind.DATE) == [("When: next Friday (2027-01-22 18:00–21:00)", REQUESTER)]


@pytest.mark.parametrize(
    ("context", "text"),
    [
        (Circumstances(people=People(at_least=40, at_most=60)), "How many people: 40–60"),
        (Circumstances(people=People(at_most=60)), "How many people: ≤ 60"),
        (Circumstances(people=People(at_least=40)), "How many people: ≥ 40"),
        (Circumstances(money=Money(amount=900, currency="EUR")), "Budget: 900 EUR"),
        (Circumstances(money=Money(per_head=9, currency="EUR")), "Budget: 9 EUR per person"),
        (Circumstances(money=Money(none=True)), "Budget: none"),
    ],
)
def test_what_is_known_as_data_alone_is_put_into_words(context: Circumstances, text: str) -> None:
    story = everybody_accepts(collected(asked(context=context), "bo").drafted("bo"))
    assert facts(story, FactKind.CONSTRAINT) == [(text, REQUESTER)]


def test_what_code_says_is_in_the_language_of_the_demand() -> None:
    story = Story(linked=LINKED, policy=PRESETS["balanced"]).demand("在北京办一场聚会，预算五千")
    context = Circumstances(budget="五千元", location="北京")
    story.understood(surface_demand="在北京办一场聚会", language="zh-Hans", context=context)
    collected(story, "bo").drafted("bo")
    assert facts(everybody_accepts(story), FactKind.CONSTRAINT) == [
        ("预算：五千元", REQUESTER),
        ("地点：北京", REQUESTER),
    ]


# ── what people bring, wish for and cannot do ─────────────────────────────────────────────────────────────────────


def test_what_somebody_brings_is_theirs_a_sentence_each_in_their_own_words() -> None:
    offers = {
        "aya": {"contribution": "I open the hall for sixty people. Ok. The projector is mine; nobody else touches it"},
        "bo": {"contribution": "I bake"},
    }
    story = everybody_accepts(collected(asked(), "aya", "bo", **offers).drafted("aya", "bo"))

    assert facts(story, FactKind.OFFER) == [
        ("I open the hall for sixty people.", "U_AYA"),
        ("Ok. The projector is mine", "U_AYA"),
        ("nobody else touches it", "U_AYA"),
        ("I bake", "bo"),
    ]
    assert [(each.person_id, each.user_id, each.name, each.role) for each in handed(story).people] == [
        ("aya", "U_AYA", "Aya Ito", "aya's role"),
        ("bo", "", "Bo", "bo's role"),
    ]
    assert handed(story).people[1].brings == "I bake"


@pytest.mark.parametrize(("said", "hours"), [(5, 5), (0, None)])
def test_the_hours_that_somebody_has_said_they_have_are_theirs(said: int, hours: float | None) -> None:
    story = everybody_accepts(collected(asked(), "bo", bo={"contribution": "I help", "hours": said}).drafted("bo"))
    assert [each.hours for each in handed(story).people] == [hours]


def test_what_somebody_says_twice_is_one_fact() -> None:
    offer = {"contribution": "I bake the bread. I bake the  bread. Yours, I bake the bread."}
    story = everybody_accepts(collected(asked(), "aya", "bo", aya=offer, bo=offer).drafted("aya", "bo"))
    assert [by for text, by in facts(story, FactKind.OFFER) if text == "I bake the bread."] == ["U_AYA", "bo"]


def test_whoever_left_or_declined_is_not_in_it() -> None:
    story = collected(asked(), "aya", "bo", "cy", "dee", cy={"decision": "decline", "decline_reason": "no time"})
    story.drafted("aya", "bo", "dee").twins({"aya": "accept", "dee": "accept"})
    story.twin("bo", "withdraw", "I am ill").time_is_up()
    everybody_accepts(story.drafted("aya", "dee"))

    found = handed(story)

    assert [each.person_id for each in found.people] == ["aya", "dee"]
    assert "bo helps" not in str(found)
    assert "no time" not in str(found)


def test_a_condition_says_whether_the_plan_keeps_it() -> None:
    offers = {"aya": {"decision": "conditional", "conditions": ("quiet, please", "a lift home")}}
    kept = (
        ConditionAnswer(agent_id="aya", condition_id=1, condition="quiet, please", met=True),
        ConditionAnswer(agent_id="aya", condition_id=2, condition="a lift home", reason="nobody has a car"),
    )
    story = everybody_accepts(collected(asked(), "aya", **offers).drafted("aya", conditions=kept))
    assert facts(story, FactKind.CONDITION) == [
        ("quiet, please", "U_AYA"),
        ("a lift home (not met: nobody has a car)", "U_AYA"),
    ]


def test_a_condition_that_is_a_wish_as_well_is_one_fact() -> None:
    offers = {"aya": {"decision": "conditional", "conditions": ("an earlier end",)}}
    kept = (ConditionAnswer(agent_id="aya", condition_id=1, condition="an earlier end", reason="the hall is late"),)
    others = ("bo", "cy", "dee", "eve")
    story = collected(asked(), "aya", *others, **offers).drafted("aya", *others, conditions=kept)
    story.twins(dict.fromkeys(others, "accept"))
    story.clicks("U_AYA", "aya", "negotiate", "An earlier end").time_is_up()
    assert facts(story, FactKind.CONDITION) == [("an earlier end (not met: the hall is late)", "U_AYA")]
    assert facts(story, FactKind.REQUEST) == []


def voted_on_wishes(**summary: Any) -> Story:
    story = collected(asked(policy="tech-v3"), "aya", "bo").drafted("aya", "bo")
    story.requests_change("music, too").clicks("U_AYA", "aya", "negotiate", "an earlier end")
    story.twin("bo", "negotiate", "it is late", "a later start").time_is_up()
    seats = tuple(Assignment(agent_id=each, role="role", responsibility=f"{each} ends early") for each in ("aya", "bo"))
    return story.drafted(assignments=seats, adjustment_summary=AdjustmentSummary(round=2, **summary))


def test_what_was_asked_for_is_handed_over_with_what_became_of_it() -> None:
    story = voted_on_wishes(
        requests_addressed=(RequestAddressed(agent_id="aya", request="an earlier end"),),
        requests_declined=(
            RequestDeclined(agent_id="bo", request="a later start", reason="it would end too late"),
            RequestDeclined(agent_id=REQUESTER, request="music, too", reason="the neighbours sleep"),
        ),
    )
    everybody_accepts(story.clicks("U_AYA", "aya", "accept"))
    assert sorted(facts(story, FactKind.REQUEST)) == [
        ("a later start (not met: it would end too late)", "bo"),
        ("an earlier end", "U_AYA"),
        ("music, too (not met: the neighbours sleep)", REQUESTER),
    ]


def test_a_wish_that_nobody_has_answered_says_so_and_is_no_limit_besides() -> None:
    story = collected(asked(), "aya", "bo", "cy", "dee", "eve").drafted("aya", "bo", "cy", "dee", "eve")
    story.twins({"bo": "accept", "cy": "accept", "dee": "accept", "eve": "accept"})
    story.clicks("U_AYA", "aya", "negotiate", "an earlier end").time_is_up()
    assert story.state.status is Status.FINALIZED
    assert facts(story, FactKind.REQUEST) == [("an earlier end (not answered yet)", "U_AYA")]
    assert facts(story, FactKind.LIMIT) == []


def test_a_wish_that_its_author_has_given_up_is_not_handed_over() -> None:
    story = collected(asked(), "aya", "bo").drafted("aya", "bo")
    story.twin("bo", "accept").clicks("U_AYA", "aya", "negotiate", "an earlier end")
    story.clicks("U_AYA", "aya", "accept").time_is_up()
    assert story.state.status is Status.FINALIZED
    assert facts(story, FactKind.REQUEST) == []


def test_why_somebody_in_the_plan_does_not_agree_is_a_limit() -> None:
    story = collected(asked(), "aya", "bo", "cy", "dee", "eve").drafted("aya", "bo", "cy", "dee", "eve")
    story.twins({"aya": "accept", "cy": "accept", "dee": "accept", "eve": "accept"})
    story.twin("bo", "reject", "I am away on Fridays").time_is_up()
    assert story.state.status is Status.FINALIZED
    assert facts(story, FactKind.LIMIT) == [("I am away on Fridays", "bo")]


def test_what_nobody_covers_is_a_gap_once() -> None:
    needs = (Need(need_id="need_1", what="a venue"), Need(need_id="need_2", what="a band"))
    story = collected(asked(needs=needs), "bo", bo={"covers": ("need_1",)})
    while not story.state.proposals and story.state.is_open:
        if story.state.status is Status.AGGREGATING:
            story.drafted("bo", gaps=("a band", "flowers"))
    everybody_accepts(story)
    assert facts(story, FactKind.GAP) == [("a band", ""), ("flowers", "")]


def test_what_a_search_has_found_is_no_gap_and_whoever_brings_it_takes_part() -> None:
    searched = searching(PHOTOS, MUSIC)
    fails(fills(searched, PHOTOS, "pia"), MUSIC)

    found = hand_over(searched.state)

    assert found is not None
    assert [each.text for each in found.facts if each.kind is FactKind.GAP] == [MUSIC]
    assert [(each.person_id, each.role, each.brings) for each in found.people[2:]] == [
        ("pia", PHOTOS, f"pia is the {PHOTOS}")
    ]
    assert (f"pia is the {PHOTOS}", "pia") in [(each.text, each.by) for each in found.facts]


def test_whoever_another_plan_takes_at_that_time_is_named() -> None:
    story = agreed()
    clash = Clash(agent_id="aya", channel_id="collab-otherone", first="2027-01-22", last="2027-01-22")
    state = replace(story.state, clashes=ClashesFound(demand_id="d-00000001", channel_id=STREAM, clashes=(clash,)))
    found = hand_over(state)
    assert found is not None
    [limit] = [each for each in found.facts if each.kind is FactKind.LIMIT]
    assert (limit.text, limit.by) == ("Aya Ito is taken by d-otherone as well: 2027-01-22", "")


# ── when, and what is to be done ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("plan", "demand", "days"),
    [
        pytest.param(FRIDAY, When(), ("2027-01-22", "2027-01-22"), id="the plan's day"),
        pytest.param(
            FRIDAY,
            When(first="2027-01-18", last="2027-01-24", exact="span"),
            ("2027-01-22", "2027-01-22"),
            id="the plan's before the demand's",
        ),
        pytest.param(When(), FRIDAY, ("2027-01-22", "2027-01-22"), id="the demand's"),
        pytest.param(
            When(), When(said="by Friday", last="2027-01-22", exact="day"), ("", "2027-01-22"), id="a deadline"
        ),
        pytest.param(
            When(said="soon", first="2027-01-18", last="2027-03-01", exact="vague"), When(), ("", ""), id="vague"
        ),
        pytest.param(When(first="2027-02-01", last="2027-01-01", exact="span"), When(), ("", ""), id="in no order"),
    ],
)
def test_when_it_takes_place(plan: When, demand: When, days: tuple[str, str]) -> None:
    story = collected(asked(context=Circumstances(when=demand)), "bo").drafted("bo")
    state = everybody_accepts(story).state
    assert state.final is not None
    final = replace(state.final, final_proposal=replace(state.final.final_proposal, when=plan))
    found = hand_over(replace(state, final=final))
    assert found is not None
    assert (found.starts, found.ends) == days


def test_where_no_time_was_said_the_steps_tell_when_it_takes_place() -> None:
    steps = Timeline(
        start_date="2027-02-01 (Mon)",
        milestones=(Milestone(name="Doors", date="2027-02-09"), Milestone(name="Later", date="some day")),
    )
    found = handed(agreed(timeline=steps))
    assert (found.starts, found.ends) == ("2027-02-01", "2027-02-09")


def tasks(found: Handover) -> Sequence[tuple[str, str, str, str]]:
    return [(each.title, each.owner, each.starts, each.deadline) for each in found.tasks]


def test_each_seat_is_a_task_of_its_person_and_each_step_of_the_timeline_one_of_whose_it_is() -> None:
    seats = (
        Assignment(agent_id="aya", role="Host", responsibility="opens the hall", when=FRIDAY, hours=6),
        Assignment(agent_id="bo", responsibility="bakes", dependencies=("the key",), after=("aya", "stranger")),
    )
    steps = Timeline(
        milestones=(
            Milestone(name="Hall booked", date="Wednesday", day="2027-01-20", agent_id="aya", deliverable="The key"),
            Milestone(name="Evening", date="2027-01-22 (Fri)", agent_id="stranger", deliverable="All are there"),
            Milestone(date="[TBD]", deliverable="Pictures"),
        )
    )

    found = handed(agreed(assignments=seats, timeline=steps))

    assert tasks(found) == [
        ("Host", "aya", "2027-01-22", "2027-01-22"),
        ("bakes", "bo", "", ""),
        ("Hall booked", "aya", "", "2027-01-20"),
        ("Evening", "", "", "2027-01-22"),
        ("Pictures", "", "", ""),
    ]
    assert [each.expected_output for each in found.tasks] == ["opens the hall", "", "The key", "All are there", ""]
    assert [each.depends_on for each in found.tasks] == [(), ("task-1",), (), (), ()]
    assert [each.hours for each in found.tasks] == [6, None, None, None, None]


def test_nobody_waits_for_whoever_waits_for_them() -> None:
    seats = (
        Assignment(agent_id="aya", role="Host", after=("bo", "aya")),
        Assignment(agent_id="bo", role="Baker", after=("aya",)),
    )
    assert [each.depends_on for each in handed(agreed(assignments=seats)).tasks] == [(), ()]


# ── what is nobody else's ─────────────────────────────────────────────────────────────────────────────────────────

OF_A_TWIN = "for my own twin"
SHARED = Place(channel="C_LOBBY", thread="1800000000.000100", shared=True)


@pytest.mark.parametrize("place", [THREAD, SHARED], ids=["in the company", "where others read along"])
def test_why_a_twin_offers_something_and_why_somebody_agrees_is_not_handed_over(place: Place) -> None:
    offers = {each: {"reasoning": OF_A_TWIN, "contribution": f"{each} helps"} for each in ("aya", "bo")}
    story = collected(
        asked(place), "aya", "bo", "cy", cy={"decision": "decline", "decline_reason": OF_A_TWIN}, **offers
    )
    story.drafted("aya", "bo").twin("aya", "accept", OF_A_TWIN).twin("bo", "accept", OF_A_TWIN).time_is_up()
    assert OF_A_TWIN not in str(handed(story))


def test_where_others_read_along_nobody_is_told_why_somebody_does_not_agree() -> None:
    story = collected(asked(SHARED), "aya", "bo", "cy", "dee", "eve").drafted("aya", "bo", "cy", "dee", "eve")
    story.twins({"aya": "accept", "cy": "accept", "dee": "accept", "eve": "accept"})
    story.twin("bo", "reject", OF_A_TWIN).time_is_up()
    assert OF_A_TWIN not in str(handed(story))


def test_why_somebody_left_is_not_handed_over() -> None:
    story = collected(asked(), "aya", "bo", "cy", "dee", "eve").drafted("aya", "bo", "cy", "dee", "eve")
    story.twins({"aya": "accept", "cy": "accept", "dee": "accept", "eve": "accept"})
    story.clicks(REQUESTER, "bo", "withdraw", OF_A_TWIN).time_is_up()
    while story.state.is_open:
        everybody_accepts(story.drafted("aya", "cy", "dee", "eve"))
    assert OF_A_TWIN not in str(handed(story))


def test_what_was_guessed_about_whoever_asked_is_not_handed_over() -> None:
    guessed = DeepUnderstanding(motivation=OF_A_TWIN, likely_preferences=(OF_A_TWIN,), emotional_context=OF_A_TWIN)
    story = everybody_accepts(collected(asked(deep_understanding=guessed), "bo").drafted("bo"))
    assert OF_A_TWIN not in str(handed(story))


# ── whatever people have said ─────────────────────────────────────────────────────────────────────────────────────


@settings(
    max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
@given(negotiations(8, lambda each: each.final is not None))
def test_whatever_was_agreed_can_be_gone_on_from(state: Negotiation) -> None:
    found = hand_over(state)
    assert found is not None
    assert found == hand_over(state)
    people = {each.person_id for each in found.people}
    assert len(people) == len(found.people)
    assert all(each.name for each in found.people)
    assert all(len(each.brings) <= LONGEST for each in found.people)
    assert len(found.title) <= LONGEST_LINE
    _check_facts(found.facts, {REQUESTER, "", *people, *(each.user_id for each in found.people)})
    _check_tasks(found.tasks, people)
    assert _are_days(found.starts, found.ends)
    said = {each.text for each in found.facts}
    assert state.final is not None
    for each in state.final.open_requests:
        for line in each.request.splitlines():  # what a twin has asked for stands below what another hand has
            wish = " ".join(line.split())[:80]
            assert each.agent_id not in people or any(wish in text for text in said), each


def _check_facts(facts: Sequence[HandedFact], speakers: set[str]) -> None:
    assert len({each.fact_id for each in facts}) == len(facts)
    assert len({(each.kind, normalized_gap(each.text), each.by) for each in facts}) == len(facts)
    for each in facts:
        assert each.text.strip()
        assert len(each.text) <= LONGEST
        assert each.by in speakers
        assert each.fact_id.startswith(f"{each.kind}-")


def _check_tasks(tasks: Sequence[HandedTask], people: set[str]) -> None:
    ids = {each.task_id for each in tasks}
    assert len(ids) == len(tasks)
    for each in tasks:
        assert each.owner in people | {""}
        assert {*each.depends_on} <= ids - {each.task_id}
        assert _are_days(each.starts, each.deadline)
        assert len(each.title) <= LONGEST_LINE
        assert len(each.expected_output) <= LONGEST


def _are_days(first: str, last: str) -> bool:
    return all(date.fromisoformat(each).isoformat() == each for each in (first, last) if each) and (
        not (first and last) or first <= last
    )
