"""The decision record says who decided what by whose hand, what became of each wish, and what is missing."""

from msgspec.structs import replace

from engine.kernel import Place
from engine.llm.port import OFFLINE
from engine.negotiation.agreement.endings import Hand
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    ConditionAnswer,
    FeedbackAnswer,
    Need,
    ProposalDraft,
    RequestAddressed,
    RequestDeclined,
)
from engine.negotiation.commands import RecordFeedback
from engine.negotiation.plan.told_needs import NeedStatus
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.public.build import Knows, Times, decision_record, public
from engine.negotiation.public.models import DecisionRecord, Vote, Wish, WishStatus
from engine.negotiation.state import Status
from engine.negotiation.voting.kinds import FeedbackType
from tests.negotiation.scenario import REQUESTER, draft
from tests.views.stories import THREAD, Story

LINKED = {"aya": "U_AYA", "bo": "U_BO"}
STRICT = PRESETS["story05"]


def vote(record: DecisionRecord, agent_id: str, number: int = 1) -> Vote:
    return next(each for each in record.rounds[number - 1].votes if each.agent_id == agent_id)


def wish(record: DecisionRecord, text: str) -> Wish:
    [found] = [each for each in record.wishes if each.text == text]
    return found


def collected(story: Story, *agents: str, **covers: tuple[str, ...]) -> Story:
    story.shortlisted(*agents)
    for each in agents:
        story.offers(each, covers=covers.get(each, ()))
    while story.state.status is Status.COLLECTING:
        story.now = story.state.offers_due
        story.rings("offers")
    return story


def voting(*agents: str, place: Place = THREAD) -> Story:
    story = Story(linked=LINKED, policy=STRICT, place=place).demand().understood()
    return collected(story, *agents).drafted(*agents)


def changed(*agents: str, words: str) -> ProposalDraft:
    seats = tuple(Assignment(agent_id=each, role="role", responsibility=f"{each} {words}") for each in agents)
    return draft(*agents, assignments=seats)


def test_each_vote_names_the_hand_that_cast_it() -> None:
    story = voting("aya", "bo", "cy", "dee").delegates("U_BO", "bo", "U_EVE")
    story.twins({"aya": "accept", "bo": "accept", "cy": "accept", "dee": "accept"})
    story.clicks("U_AYA", "aya", "accept").clicks("U_EVE", "bo", "accept").clicks(REQUESTER, "cy", "negotiate", "later")

    record = decision_record(story.state)

    hands = {each.agent_id: (each.hand, each.by) for each in record.rounds[0].votes}
    assert hands == {
        "aya": (Hand.PERSON, "U_AYA"),
        "bo": (Hand.DELEGATE, "U_EVE"),
        "cy": (Hand.REQUESTER, REQUESTER),
        "dee": (Hand.TWIN, None),
    }


def test_whoever_has_confirmed_the_plan_is_told_with_the_hand() -> None:
    story = voting("aya", "bo", "cy", "dee").delegates("U_BO", "bo", "U_EVE")
    story.twins({"aya": "accept", "bo": "accept", "cy": "accept"})
    accept = FeedbackAnswer(feedback_type=FeedbackType.ACCEPT)
    story.does(RecordFeedback, agent_id="dee", round=1, answer=accept, model=OFFLINE)
    story.clicks("U_AYA", "aya", "accept").clicks("U_EVE", "bo", "accept").clicks(REQUESTER, "cy", "accept")
    before = decision_record(story.state).people

    after = decision_record(story.time_is_up().state).people

    assert story.state.status is Status.FINALIZED
    assert {(each.is_confirmed, each.confirmed_by) for each in before} == {(False, None)}
    assert all(each.is_confirmed for each in after)
    assert {each.agent_id: (each.confirmed_by, each.model) for each in after} == {
        "aya": (Hand.PERSON, ""),
        "bo": (Hand.DELEGATE, ""),
        "cy": (Hand.REQUESTER, ""),
        "dee": (Hand.TWIN, OFFLINE),
    }


def test_a_vote_that_was_assumed_or_carried_says_so() -> None:
    story = voting("aya", "bo", "cy").twin("aya", "accept").twin_fails("bo").reached("bo").twin("cy", "negotiate")
    story.clicks("U_AYA", "aya", "accept").time_is_up().drafted("aya", "bo", "cy")

    record = decision_record(story.state)

    assert vote(record, "bo").hand is Hand.ASSUMED
    carried = vote(record, "aya", 2)
    assert (carried.hand, carried.is_carried, carried.feedback_type) == (Hand.PERSON, True, FeedbackType.ACCEPT)


def test_what_became_of_each_wish_and_why() -> None:
    story = voting("aya", "bo", "cy")
    story.requests_change("two speakers")
    story.twin("aya", "negotiate", wish="start later").twin("bo", "negotiate", wish="pay my taxi").twin("cy", "accept")
    story.time_is_up()
    made = AdjustmentSummary(
        requests_addressed=(
            RequestAddressed(agent_id="aya", request="start later"),
            RequestAddressed(agent_id=REQUESTER, request="two speakers"),
        ),
        requests_declined=(RequestDeclined(agent_id="bo", request="pay my taxi", reason="there is no money"),),
    )
    seats = changed("aya", "bo", "cy", words="begins later").assignments
    story.proposed(draft("aya", "bo", "cy", summary="Another evening", assignments=seats, adjustment_summary=made))

    record = decision_record(story.state)

    assert (wish(record, "start later").status, wish(record, "start later").version) == (WishStatus.MET, 2)
    assert (wish(record, "two speakers").kind, wish(record, "two speakers").status) == ("change", WishStatus.MET)
    declined = wish(record, "pay my taxi")
    assert (declined.status, declined.version, declined.reason) == (WishStatus.DECLINED, 2, "there is no money")


def test_advice_of_a_model_to_go_no_further_is_told_and_moves_nothing() -> None:
    story = voting("aya", "bo", "cy").twins({"aya": "accept", "bo": "accept", "cy": "negotiate"}).time_is_up()
    advice = AdjustmentSummary(should_continue=False)
    story.proposed(replace(changed("aya", "bo", "cy", words="otherwise"), adjustment_summary=advice))

    told = public(story.state, Times(), Knows()).model_dump(mode="json")

    assert (told["channel_status"], told["round"]) == ("negotiating", 2)
    assert told["proposal"]["adjustment_summary"]["should_continue"] is False


def test_what_became_of_each_condition() -> None:
    story = Story(policy=STRICT).demand().understood().shortlisted("aya")
    story.offers("aya", "conditional", conditions=("a quiet room",))
    while story.state.status is Status.COLLECTING:
        story.now = story.state.offers_due
        story.rings("offers")
    answer = ConditionAnswer(agent_id="aya", condition_id=1, condition="a quiet room", met=True, reason="of course")
    story.drafted("aya", conditions=(answer,))

    found = wish(decision_record(story.state), "a quiet room")

    assert (found.kind, found.status, found.reason) == ("condition", WishStatus.PROMISED, "of course")


def test_a_wish_that_nothing_has_answered_is_open() -> None:
    story = voting("aya", "bo").twin("aya", "negotiate", wish="start later").twin("bo", "accept")
    assert wish(decision_record(story.state), "start later").status is WishStatus.OPEN

    story.clicks("U_AYA", "aya", "accept")
    assert decision_record(story.state).wishes == (), "a vote that does not count any more asks for nothing"


def test_it_says_what_is_missing_and_who_left() -> None:
    story = Story(policy=PRESETS["balanced"].model_copy(update={"human_window": 0}))
    story.demand().understood(needs=(Need(need_id="need_1", what="a venue"),))
    collected(story, "aya", "bo", "cy", "dee", aya=("need_1",)).drafted("aya", "bo", "cy", "dee", gaps=("music",))
    story.twin("bo", "accept").twin("cy", "accept").twin("dee", "accept").twin("aya", "withdraw", "away that week")
    if story.state.current:
        story.time_is_up()

    record = decision_record(story.state)

    assert story.state.status is Status.FAILED
    assert [each.status for each in record.needs] == [NeedStatus.MISSING]
    assert [(each.what, each.is_essential) for each in record.lacks] == [("a venue", True), ("music", False)]
    assert [(each.agent_id, each.feedback_type, each.reason) for each in record.disagreed] == [
        ("aya", FeedbackType.WITHDRAW, "away that week")
    ]


def test_the_version_that_counts_may_be_an_earlier_one() -> None:
    story = voting("aya", "bo", "cy").twins({"aya": "accept", "bo": "accept", "cy": "negotiate"}).time_is_up()
    for words in ("otherwise", "once more"):
        story.proposed(changed("aya", "bo", "cy", words=words))
        for agent, vote in {
            "aya": "accept",
            "bo": "reject",
            "cy": "accept" if words == "once more" else "reject",
        }.items():
            story.twin(agent, vote, "because")
        story.time_is_up()

    record = decision_record(story.state)

    assert story.state.status is Status.FORCE_FINALIZED
    assert story.state.agreed is not None
    assert (record.version, record.versions, len(record.rounds)) == (story.state.agreed.final_proposal.version, 3, 3)
    confirmed = {each.agent_id for each in record.people if each.is_confirmed}
    assert confirmed == set(story.state.agreed.confirmed_participants)
    assert {each.agent_id for each in record.disagreed} == {"aya", "bo", "cy"} - confirmed


def test_a_blind_round_that_was_never_evaluated_stays_secret() -> None:
    def stopped(vote: str, wanted: str) -> DecisionRecord:
        story = Story(policy=Policy(blind_votes=True), linked=LINKED).demand().understood()
        story = collected(story, "aya", "bo").drafted("aya", "bo")
        return decision_record(story.twin("aya", vote, "because", wanted).stopped().state)

    assert stopped("accept", "") == stopped("negotiate", "later")


def test_where_others_read_along_private_reasons_are_left_out() -> None:
    def told(place: Place) -> str:
        story = voting("aya", "bo", place=place).twin("aya", "reject", "I cannot stand them").twin("bo", "accept")
        return decision_record(story.state).model_dump_json()

    assert "stand them" in told(THREAD)
    assert "stand them" not in told(Place(channel=THREAD.channel, thread=THREAD.thread, shared=True))
