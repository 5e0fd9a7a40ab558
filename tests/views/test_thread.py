"""What people read in the thread, as a negotiation goes on."""

import pytest

from bot.local_slack.blocks import block_problems
from bot.views.kit.button_values import SHOW_ALL
from bot.views.negotiation.button_values import STOP
from bot.views.negotiation.presenter import posts
from engine.facts.circumstances import People
from engine.kernel import Place
from engine.llm.port import OFFLINE
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Change,
    Circumstances,
    ConditionAnswer,
    Milestone,
    OfferAnswer,
    OfferDecision,
    RequestDeclined,
    StatedCondition,
    Timeline,
)
from engine.negotiation.commands import CloseRound, RecordOffer
from engine.negotiation.policy import PRESETS, Policy
from tests.negotiation.record_histories import OUTCOMES
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario
from tests.views.message_contents import buttons, shown, whole
from tests.views.stories import Story, post_of, voting

LINKED = {"aya": "U0AYA", "bo": "U0BO"}


SINCE = "since <!date^1800000000^{date_short_pretty}, {time}|2027-01-15 08:00 UTC>"


def read(story: Scenario, key: str) -> str:
    return shown(post_of(story, key))


def read_whole(story: Story, key: str) -> str:
    """What *Show all* shows of it."""
    return whole(post_of(story, key))


# ── the root card ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_thread_begins_with_the_demand_as_it_was_said() -> None:
    story = Story().demand("We need a room")
    assert read(story, "root").splitlines()[:4] == [
        "We need a room", "*Reading the demand…*", SINCE, "Asked by <@U_ASKS>",
    ]  # fmt: skip


def test_then_it_says_what_was_understood_and_what_was_not() -> None:
    story = (
        Story()
        .demand("We need a room")
        .understood(
            surface_demand="A room for 50",
            context=Circumstances(location="Beijing", expected_attendees=50, budget="1,000 €"),
            uncertainties=("[TBD] Which date?", "[TBD]"),
        )
    )
    text = read(story, "root")
    assert text.startswith(
        f"A room for 50\n*Looking for the right people…*\n{SINCE}\n📍 Beijing   👥 50 people   💰 1,000 €\n"
    )
    assert "*Not clear yet*\n• Which date?" in text
    assert "TBD" not in text


def test_a_long_demand_is_there_in_full_below_its_title() -> None:
    demand = "We need a room " * 20
    first, *rest = read(Story(place=Place(channel="C_X")).demand(demand), "root").splitlines()
    assert first.endswith("…")
    assert rest[0] == demand.strip()


def test_where_the_thread_begins_with_the_demand_its_title_is_short_and_whole_words() -> None:
    demand = "We need a room for fifty people who like to talk about what they have built, on a weekday in May"
    story = Story().demand(demand)
    first, *rest = read(story, "root").splitlines()
    assert first == "We need a room for fifty people who like to talk about…"
    assert demand not in rest
    assert demand in read_whole(story, "root")


def test_the_thread_speaks_the_demands_language() -> None:
    assert "*正在理解需求…*" in read(Story().demand("我们需要一个房间", "zh-CN"), "root")
    assert "*Reading the demand…*" in read(Story().demand("We need a big room, 谢谢", "en-US"), "root")


def test_stopping_asks_first() -> None:
    stop = buttons(post_of(Story().demand(), "root"))[STOP]
    assert stop["confirm"]["confirm"]["text"] == "Stop"
    assert stop["confirm"]["deny"]["text"] == "Keep going"


def test_what_had_to_do_without_a_model_is_said() -> None:
    story = voting("aya", "bo", linked=LINKED).twin_fails("aya").twin_fails("bo")
    assert "the answers of 2 twins" in read(story, "root")
    assert "nobody’s consent was assumed" in read(story, "root")


# ── the offers ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def asked() -> Story:
    return Story(linked=LINKED).demand().understood().shortlisted("aya", "bo", "chen", "dai", reason="knows rooms")


def test_everybody_sees_who_was_asked_and_why(asked: Story) -> None:
    assert read(asked, "offers").startswith(
        "*Offers: 0 of 4 are in*\n⏳ *Aya* is being asked\n⏳ *Bo* is being asked\n"
    )
    text = read_whole(asked, "offers")
    assert text.startswith("Offers: 0 of 4 are in\n⏳ *Aya* is being asked\nAsked because: knows rooms")


def test_being_talked_about_disturbs_nobody(asked: Story) -> None:
    assert "<@" not in read(asked, "offers")


def test_each_answer_is_told_in_its_own_way(asked: Story) -> None:
    asked.offers("aya", contribution="A room for 60")
    asked.offers("bo", "conditional", contribution="A talk", conditions=("a projector", "45 minutes"))
    asked.offers("chen", "decline", decline_reason="Next time, gladly")
    assert read(asked, "offers").startswith(
        "*Offers: 3 of 4 are in*\n✅ *Aya* takes part: A room for 60\n🤝 *Bo* takes part on conditions: A talk\n"
        "🙏 *Chen* cannot this time: Next time, gladly\n⏳ *Dai* is being asked\n"
    )
    text = read_whole(asked, "offers")
    assert "✅ *Aya* takes part\nA room for 60" in text
    assert "🤝 *Bo* takes part on conditions\nA talk\n• a projector\n• 45 minutes" in text
    assert "🙏 *Chen* cannot this time\nNext time, gladly" in text


def test_a_twin_that_could_not_answer_has_not_declined(asked: Story) -> None:
    asked.offers("aya", "decline", degraded="E003", decline_reason="no answer")
    text = read(asked, "offers")
    assert "⚠️ *Aya*: the twin could not answer" in text
    assert "no answer" not in text


def test_whoever_did_not_answer_in_time_is_not_waited_for(asked: Story) -> None:
    asked.offers("aya")
    for _ in ("the twins", "the people of those that did not answer"):
        asked.now = asked.state.offers_due
        asked.rings("offers")
    text = read(asked, "offers")
    assert text.startswith("*Offers: 1 of 4 take part*")
    assert "▫️ *Bo* did not answer in time" in text


def test_once_a_plan_is_out_whoever_is_not_in_it_is_still_named_with_the_reason(asked: Story) -> None:
    asked.offers("aya", contribution="A room for 60")
    asked.offers("bo", contribution="A talk")
    for each, reason in (("chen", "✗ Mondays; this is Friday"), ("dai", "away")):
        asked.offers(each, "decline", decline_reason=reason)
    asked.drafted("aya")
    assert read(asked, "offers").startswith(
        "*Offers: 2 of 4 take part*\n▫️ *Bo* has offered as well; the plan goes without it: A talk\n"
        "🙏 *Chen* cannot this time: ✗ Mondays; this is Friday\n🙏 *Dai* cannot this time: away"
    )


def test_whoever_gave_their_part_up_is_not_said_to_have_been_left_out() -> None:
    assert "has offered as well" not in read(OUTCOMES["consensus_given_up"](), "offers")


def test_whom_rules_have_asked_and_who_was_left_out_is_told_beside_the_offers() -> None:
    left_out = "Asked first: Aya. ✗ Bo: 30 people at most, and this is for 50."
    for model in ("", OFFLINE):
        story = Story().demand().understood().shortlisted("aya", analysis=left_out)
        offer = OfferAnswer(decision=OfferDecision.PARTICIPATE, contribution="A room for 60")
        story.does(RecordOffer, agent_id="aya", answer=offer, model=model)
        story.drafted("aya")
        assert (left_out in read(story, "offers")) is (model == OFFLINE)


def test_once_there_is_a_plan_only_those_who_cannot_are_named_beside_it(asked: Story) -> None:
    asked.offers("aya", contribution="A room for 60").offers("bo").offers("dai")
    asked.offers("chen", "decline", decline_reason="Never on Fridays")
    asked.drafted("aya", "bo", "dai")

    assert read(asked, "offers") == "*Offers: 3 of 4 take part*\n🙏 *Chen* cannot this time: Never on Fridays\nShow all"


def test_whoever_was_not_chosen_is_named_kindly() -> None:
    story = Story().demand().understood().shortlisted("aya", possibly=["bo", "chen"])
    assert "Could help too, not asked for now: *Bo*, *Chen*" in read(story, "offers")


# ── a round ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_condition_is_ticked_only_where_the_plan_shows_that_it_is_met() -> None:
    story = Story(linked=LINKED).demand().understood(context=Circumstances(expected_attendees=50))
    stated = tuple(
        StatedCondition(text=f"at most {most} people", data=People(at_most=most), scope="whole") for most in (60, 20)
    )
    story.shortlisted("aya", "chen").offers("aya", "conditional", conditions=stated)
    told = tuple(ConditionAnswer(agent_id="aya", condition=f"at most {most} people", met=True) for most in (60, 20))
    story.offers("chen").drafted("aya", "chen", conditions=told)

    assert (
        "*Conditions*\n✓ *Aya*: at most 60 people\n"
        "✗ *Aya*: at most 20 people – 50 people, and at most 20 people was asked"
    ) in read_whole(story, "round-1")


def test_a_proposal_says_who_does_what_and_when() -> None:
    story = Story(linked=LINKED).demand().understood().shortlisted("aya", "chen")
    story.offers("aya", "conditional", conditions=("a key",)).offers("chen")
    story.drafted(
        "aya",
        "chen",
        timeline=Timeline(
            start_date="May", milestones=(Milestone(name="Room booked", date="week 1", deliverable="a receipt"),)
        ),
        gaps=("a second speaker",),
        conditions=(ConditionAnswer(agent_id="aya", condition="a key", met=True, reason="at the desk"),),
    )
    text = read_whole(story, "round-1")
    assert text.startswith("Proposal 1 · round 1 of 5\nAn evening together\n*Who does what*")
    assert "• *Aya* · aya's role: aya helps" in text
    assert "• *Chen* · chen's role: chen helps" in text
    assert "*When*\n• May: start\n• week 1: Room booked – a receipt" in text
    assert "*Conditions*\n○ *Aya*: a key – at the desk – promised; the plan cannot show it" in text
    assert "*Nobody for this yet*\n• a second speaker" in text


def test_everybody_sees_whose_vote_it_is() -> None:
    story = voting("aya", "bo", "chen", "dai", linked=LINKED)
    story.twin("aya", "accept", reason="Fine with me").twin("bo", "accept").twin_fails("chen")
    story.clicks("U0BO", "bo", "negotiate", "45 minutes")
    text = read(story, "round-1")
    assert "✅ *Aya* accepts (twin) – Fine with me" in text
    assert "💬 *Bo* asks for a change – 45 minutes" in text
    assert "⏳ *Chen*: the twin could not answer" in text
    assert "⏳ *Dai*: the twin is thinking" in text
    assert "1 of 4 in favour · 1 asks for a change · 2 still to come · 80% are needed" in text


def test_whose_twin_could_not_answer_is_asked_themself() -> None:
    story = voting("aya", "bo", linked=LINKED).twin_fails("aya")
    assert "⏳ *Aya*: the twin could not answer; it is theirs to decide" in read(story, "round-1")
    assert "<@U0AYA>" not in read(story, "round-1"), "who has a direct message"
    story.unreachable("aya")
    assert "⏳ <@U0AYA> could not be reached, and the twin could not answer; decide here" in read(story, "round-1")


def test_everybody_sees_until_when_one_can_vote_and_for_whom() -> None:
    text = read(voting("aya", "chen", linked=LINKED), "round-1")
    assert "Open until <!date^1800003600^{date_long_pretty}, {time}|2027-01-15 09:00 UTC>" in text
    assert "A twin’s vote stands unless its person decides otherwise." in text
    assert "<@U_ASKS> may answer for those who are not here themselves." in text


def test_silence_of_somebody_who_was_asked_is_shown_as_what_it_is() -> None:
    story = voting("aya", "bo", linked=LINKED).twin("aya", "accept").twin_fails("bo").reached("bo").time_is_up()
    assert "☑️ *Bo* did not object in time" in read_whole(story, "round-1")
    assert "☑️ *Bo* did not object in time" not in read(story, "round-1")


def test_silence_of_somebody_who_could_not_be_asked_is_no_answer() -> None:
    story = voting("aya", "bo", "chen").twin("aya", "accept").twin("bo", "accept").twin_fails("chen").time_is_up()
    assert "▫️ *Chen* gave no answer" in read_whole(story, "round-1")
    text = read(story, "round-1")
    assert "2 of 3 in favour · 1 without an answer" in text
    assert "80% are needed, so everyone is asked once more." in text


def test_the_next_version_says_what_changed_and_what_did_not() -> None:
    story = (
        voting("aya", "bo", "chen").twin("aya", "accept").twin("bo", "accept").twin("chen", "negotiate", wish="20:00")
    )
    story.time_is_up()
    assert "2 of 3 in favour · 1 asks for a change. A new version follows." in read(story, "round-1")
    story.drafted(
        "aya",
        "bo",
        "chen",
        adjustment_summary=AdjustmentSummary(
            changes_made=(Change(aspect="Start", before="18:00", after="19:00"),),
            requests_declined=(RequestDeclined(agent_id="chen", request="20:00", reason="the room closes at 22:00"),),
        ),
    )
    text = read(story, "round-2")
    assert "*What changed*\n• Start: 18:00 → 19:00" in text
    assert "*Not taken up, and why*\n• *Chen*: 20:00 – the room closes at 22:00" in text


def test_the_same_version_once_more_says_so() -> None:
    story = voting("aya", "bo", "chen").twin_fails("aya").twin_fails("bo").twin("chen", "accept").time_is_up()
    assert "Too few have answered, so everyone is asked once more." in read(story, "round-1")
    assert "The same proposal once more; nothing in it has changed." in read(story, "round-2")


def test_a_closed_round_cannot_be_voted_in() -> None:
    story = voting("aya", "bo").stopped()
    assert [*buttons(post_of(story, "round-1"))] == [SHOW_ALL]
    assert "Stopped before this round was over." in read(story, "round-1")


def test_whoever_was_not_waited_for_is_named_as_such() -> None:
    policy = PRESETS["balanced"].model_copy(update={"human_window": 60, "second_opinion": False})
    story = voting("aya", "bo", "chen", policy=policy, linked={"aya": "U0AYA", "bo": "U0BO", "chen": "U0CHEN"})
    for each in ("aya", "bo", "chen"):
        story.twin_fails(each)
    story.clicks("U0AYA", "aya", "accept").clicks("U0BO", "bo", "accept").does(CloseRound, by=REQUESTER, round=1)
    assert "▫️ *Chen* was not waited for" in read_whole(story, "round-1")
    assert "*Not confirmed*\n• *Chen*" in read(story, "outcome")


def test_a_notification_says_what_to_do_and_about_what() -> None:
    story = voting("aya", "bo")
    assert post_of(story, "round-1").text == "Proposal 1 · round 1 of 5: please have a look. An evening together"
    story.twin("aya", "accept").twin("bo", "accept").time_is_up()
    assert post_of(story, "round-1").text == "Proposal 1 · round 1 of 5: 2 of 2 in favour"


# ── the end ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_agreement_names_who_confirmed_and_who_did_not() -> None:
    story = voting("aya", "bo", "chen", "dai", "eve", linked={"aya": "U0AYA"})
    for each in ("aya", "bo", "chen", "dai"):
        story.twin(each, "accept")
    story.twin("eve", "negotiate", wish="a smaller part").time_is_up()
    text = read(story, "outcome")
    assert text.startswith("✅ We have a plan\nAn evening together\n*Confirmed by their twins*\n• *Aya* · aya's role")
    assert "*Not confirmed*\n• *Eve* · eve's role" in text
    assert "*Still open*\n• *Eve*: a smaller part – enough had agreed before it could be taken up" in text
    assert "After 1 round · version 1 · 4 of 5 in favour · 1 asks for a change\n" in text
    labels = [each["text"]["text"] for each in buttons(post_of(story, "outcome")).values()]
    assert labels == ["Go…", "Share…", "Export…", "Why this plan…"]
    assert "*✅ Agreed*" in read(story, "root")
    assert "That is enough: the plan stands." in read(story, "round-1")


def test_a_plan_says_by_whose_hand_each_part_is_confirmed() -> None:
    story = voting("aya", "bo", "chen", linked={"aya": "U0AYA"})
    story.twin("aya", "accept").twin("bo", "negotiate", wish="no meetings before 13:00").twin("chen", "accept")
    story.clicks("U0AYA", "aya", "accept").clicks(REQUESTER, "bo", "accept")
    assert f"✅ *Bo* accepts (by <@{REQUESTER}>, for them)" in read(story, "round-1")
    text = read(story.time_is_up(), "outcome")
    assert "*Confirmed by themselves*\n• *Aya*" in text
    assert f"*Confirmed by <@{REQUESTER}>, for them*\n• *Bo*" in text
    assert "*Confirmed by their twins*\n• *Chen*" in text
    assert "*Still open*\n• *Bo*: no meetings before 13:00" in text, "the twin's wish is its person's"


def test_what_simple_rules_alone_agree_to_is_a_draft() -> None:
    story = voting("aya", "bo", linked={"aya": "U0AYA"})
    story.twin("aya", "accept", model=OFFLINE).twin("bo", "accept", model=OFFLINE).time_is_up()
    text = read(story, "outcome")
    assert text.startswith(
        "📝 A draft by simple rules\nAn evening together\n*Their twins would, by simple rules; ask them*"
    )
    assert "*📝 A draft by simple rules; ask whoever is in it*" in read(story, "root")
    assert "○ *Aya*: the twin would, by simple rules" in read(story, "root")
    assert not {"✅", "*Confirmed*"} & set(text.split())


def test_a_person_who_has_voted_is_confirmed_beside_what_rules_alone_agree_to() -> None:
    story = voting("aya", "bo", linked={"aya": "U0AYA"})
    story.twin("aya", "accept", model=OFFLINE).twin("bo", "accept", model=OFFLINE)
    story.clicks("U0AYA", "aya", "accept").time_is_up()
    text = read(story, "outcome")
    assert text.startswith("📝 A draft by simple rules\nAn evening together\n*Confirmed by themselves*\n• *Aya*")
    assert "*Their twins would, by simple rules; ask them*\n• *Bo*" in text
    assert "where no person has voted, simple rules have" in read(story, "round-1")


def test_partial_agreement_says_what_is_at_risk() -> None:
    story = voting("aya", "bo", "chen", policy=Policy(max_rounds=1), linked={"chen": "U0CHEN"})
    story.twin("aya", "accept").twin("bo", "accept").twin("chen", "negotiate").time_is_up()
    text = read(story, "outcome")
    assert text.startswith("🤝 A plan, with partial agreement")
    assert "⚠️ Not everyone agreed: 2 of 3 confirmed. The plan may not hold without *Chen*" in text


def test_a_failure_says_why_and_what_would_help() -> None:
    story = voting("aya", "bo", "chen").twin("aya", "accept").twin("bo", "negotiate", wish="another week")
    story.twin("chen", "withdraw", reason="I moved away").time_is_up()
    text = read(story, "outcome")
    assert text.startswith(
        "No agreement this time\nFewer than 50% accepted the proposal.\n3 of 3 asked would take part"
    )
    assert "*What would help*\nTake up what people asked for" in text
    assert "*What people asked for*\n• *Bo*: another week" in text
    assert "*Who left, and why*\n• *Chen*: I moved away" in text


def test_where_nobody_fits_it_says_so() -> None:
    story = Story(policy=ALONE).demand().understood().shortlisted(analysis="Nobody here does plumbing.")
    text = read(story, "outcome")
    assert "Nobody was found who clearly fits." in text
    assert text.endswith("Nobody here does plumbing.\nReopen…\nExport…\nOpen page")
    assert [each.key for each in posts(story.state)] == ["root", "question-1", "outcome"]


def test_of_an_analysis_that_is_nothing_but_control_characters_no_empty_block_is_left() -> None:
    story = Story().demand().understood().shortlisted(analysis="\x00\u2066")

    assert story.state.analysis
    for post in posts(story.state):
        assert block_problems(list(post.blocks), "message") == []


def test_where_nobody_can_their_reasons_are_above(asked: Story) -> None:
    for each in ("aya", "bo", "chen", "dai"):
        asked.offers(each, "decline", decline_reason="away")
    assert (
        "Nobody was able to take part.\n0 of 4 asked would take part\n*What would help*\nTheir reasons are above."
        in read(asked, "outcome")
    )


def test_what_was_stopped_says_by_whom() -> None:
    story = voting("aya", "bo").stopped("We found <another> way")
    assert "<@U_ASKS> stopped it. Nothing was agreed, and nobody owes anything." in read(story, "outcome")
    assert "Reason: We found &lt;another&gt; way" in read(story, "outcome")
    assert "*Stopped by <@U_ASKS>*" in read(story, "root")


def test_where_another_company_reads_along_nobody_is_told_why_it_was_stopped() -> None:
    story = Story(place=Place(channel="C_X", thread="1.000001", shared=True)).demand().stopped("Between us: no money")
    assert "Between us" not in read_whole(story, "outcome") + read(story, "outcome") + read(story, "root")


def test_without_blocks_everything_is_still_said() -> None:
    words = post_of(voting("aya", "bo"), "round-1").as_text
    assert words.splitlines()[:3] == ["Proposal 1 · round 1 of 5", "An evening together", "*Votes*"]
    assert "80% are needed" in words


# ── an empty core seat ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def left() -> Story:
    """The host is gone; one of the reserve is asked to step in."""
    story = Story().demand().understood().shortlisted("host", "bo", "chen", possibly=["dai"])
    for each in ("host", "bo", "chen"):
        story.offers(each)
    seats = (
        Assignment(agent_id="host", role="Host", core=True),
        Assignment(agent_id="bo"),
        Assignment(agent_id="chen"),
    )
    story.drafted(assignments=seats)
    return (
        story.twin("bo", "accept").twin("chen", "accept").twin("host", "withdraw", reason="I moved away").time_is_up()
    )


def test_everybody_sees_that_somebody_is_asked_to_step_in(left: Story) -> None:
    assert "*Asking somebody to take over a part that nobody has…*" in read(left, "root")
    assert "⏳ *Dai* is being asked" in read(left, "offers")
    assert "Somebody the plan depends on has left; a replacement is being asked." in read(left, "round-1")


def test_whoever_steps_in_has_offered(left: Story) -> None:
    assert "✅ *Dai* takes part\ndai helps" in read_whole(left.offers("dai"), "offers")


def test_whoever_does_not_step_in_in_time_is_not_waited_for(left: Story) -> None:
    left.now = left.state.vacancies["host"].deadline
    left.rings("substitute/dai")
    assert "▫️ *Dai* did not answer in time" in read_whole(left, "offers")
    assert "Somebody the plan cannot do without has left." in read(left, "outcome")


def test_an_earlier_version_that_counts_says_so() -> None:
    story = voting("aya", "bo", "chen", policy=Policy(max_rounds=2))
    story.twin("aya", "accept").twin("bo", "accept").twin("chen", "negotiate").time_is_up()
    story.drafted("aya", "bo", "chen", summary="Another evening")
    story.twin("aya", "accept").twin("bo", "negotiate").twin("chen", "accept").time_is_up()
    newest = read(story, "outcome")
    assert "version 2" in newest
    assert "earlier version" not in newest
    story = voting("aya", "bo", "chen", "dai", policy=Policy(max_rounds=2))
    story.twin("aya", "accept").twin("bo", "accept").twin("chen", "accept").twin("dai", "negotiate").time_is_up()
    story.drafted("aya", "bo", "chen", "dai", summary="Another evening")
    story.twin("aya", "accept").twin("bo", "accept").twin("chen", "negotiate").twin("dai", "negotiate").time_is_up()
    earlier = read(story, "outcome")
    assert "After 2 rounds · version 1 · 3 of 4 in favour · 1 asks for a change" in earlier
    assert "This earlier version had more support than the later ones" in earlier
