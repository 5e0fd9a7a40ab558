"""How often somebody is notified: once when they are asked, again only for something of theirs or at half time, and at
the end. An edit notifies nobody, so what counts is how many messages there are.
"""

from hypothesis import given

from bot.views.negotiation.button_values import ACCEPT
from bot.views.negotiation.presenter import posts
from engine.negotiation.answers import AdjustmentSummary, Assignment, Change
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation
from tests.views.corpus import negotiations
from tests.views.message_contents import buttons, shown
from tests.views.stories import Story, post_of, voting
from tests.views.test_any_negotiation import any_negotiation

SIX = ("aya", "bo", "chen", "dai", "eve", "fay")
LINKED = {each: f"U_{each.upper()}" for each in SIX}


def keys(story: Story, agent: str) -> list[str]:
    """The messages of somebody who has not asked to hear of each step."""
    return [each.key for each in posts(story.state) if each.to == LINKED[agent] and not each.is_step]


def half_time(story: Story) -> Story:
    opened = story.state.rounds[-1]
    for each in SIX:
        story.reached(each)
    story.now = opened.window.people_until - 1_800_000
    return story.rings(f"remind/{opened.number}")


def two_rounds(*seats: Assignment) -> Story:
    """The first round of six people ends without agreement, since one of them asks for a change."""
    story = voting(*SIX, linked=LINKED)
    for each in SIX[:4]:
        story.twin(each, "accept")
    story.twin("eve", "negotiate", wish="20:00").twin("fay", "negotiate", wish="21:00")
    story = half_time(story).time_is_up()
    summary = AdjustmentSummary(changes_made=(Change(agent_id="eve", aspect="Start", before="18:00", after="20:00"),))
    same = tuple(
        each for each in story.state.proposals[0].assignments if each.agent_id not in {s.agent_id for s in seats}
    )
    story.drafted(assignments=(*same, *seats), adjustment_summary=summary, summary="Another evening")
    for each in SIX:
        story.twin(each, "accept")
    return half_time(story)


def test_of_six_people_and_two_rounds_nobody_gets_more_than_three_messages() -> None:
    story = two_rounds()
    assert keys(story, "aya") == ["part-1/aya", "reminder-1/aya"]
    assert keys(story, "eve")[-1].endswith("2/eve"), "something of theirs has changed"
    story.time_is_up()
    assert keys(story, "aya") == ["part-1/aya", "reminder-1/aya", "ending/aya"]


def test_whose_twin_asks_for_a_change_is_not_reminded_before_they_are_asked_again() -> None:
    story = two_rounds(Assignment(agent_id="eve", role="Host", responsibility="opens the room at seven"))
    assert keys(story, "eve") == ["part-1/eve", "part-2/eve"]
    assert post_of(story, "reminder-1/eve").is_step
    story = voting("aya", linked=LINKED, policy=Policy(max_rounds=1)).twin("aya", "negotiate", wish="20:00")
    assert keys(half_time(story), "aya") == ["part-1/aya", "reminder-1/aya"]


def test_whoever_heard_of_their_twin_s_offer_and_of_its_vote_is_not_reminded_as_well() -> None:
    story = offered(first_window=600).twin("aya", "accept")
    assert keys(half_time(story), "aya") == ["twin-offer-0/aya", "part-1/aya"]
    silent = offered(first_window=600).twin_fails("aya")
    assert keys(half_time(silent), "aya")[-1] == "reminder-1/aya"


def test_where_the_part_follows_within_minutes_nobody_hears_of_the_offer_before_it() -> None:
    story = offered(first_window=60).twin("aya", "accept")
    assert keys(half_time(story), "aya") == ["part-1/aya", "reminder-1/aya"]
    assert post_of(story, "twin-offer-0/aya").is_step


def offered(first_window: float) -> Story:
    story = Story(linked=LINKED, policy=Policy(first_window=first_window)).demand().understood().shortlisted("aya")
    story.offers("aya")
    story.now = story.state.offers_due
    return story.rings("offers").drafted("aya")


def test_a_message_that_goes_on_is_about_the_open_round_and_takes_its_votes() -> None:
    story = two_rounds()
    card = post_of(story, "part-1/aya")
    assert "round 2 of 5" in shown(card)
    assert '"round":2' in buttons(card)[ACCEPT]["value"]
    assert card.until == story.state.rounds[-1].window.people_until
    story.clicks("U_AYA", "aya", "accept")
    assert "✅ You accept" in shown(post_of(story, "part-1/aya"))
    assert keys(story, "aya") == ["part-1/aya", "reminder-1/aya"]


def test_whoever_has_another_part_is_asked_anew() -> None:
    story = two_rounds(Assignment(agent_id="aya", role="Host", responsibility="opens the room at seven"))
    assert keys(story, "aya")[:3] == ["part-1/aya", "reminder-1/aya", "part-2/aya"]
    assert ACCEPT not in buttons(post_of(story, "part-1/aya"))
    assert ACCEPT in buttons(post_of(story, "part-2/aya"))


def test_whose_twin_fails_in_the_next_round_is_asked_anew() -> None:
    story = voting(*SIX, linked=LINKED)
    for each in SIX:
        story.twin(each, "accept" if each != "fay" else "negotiate")
    story.clicks("U_BO", "bo", "negotiate", "later").time_is_up()
    story.drafted(*SIX, summary="Another evening").twin_fails("aya")
    assert "part-2/aya" in keys(story, "aya")


def test_until_their_twin_has_answered_again_nothing_is_asked() -> None:
    story = voting(*SIX, linked=LINKED)
    for each in SIX:
        story.twin(each, "accept" if each in SIX[:4] else "negotiate")
    story.time_is_up().drafted(*SIX, summary="Another evening")
    assert keys(story, "aya") == ["part-1/aya"]
    assert ACCEPT not in buttons(post_of(story, "part-1/aya"))
    story.twin("aya", "accept")
    assert keys(story, "aya") == ["part-1/aya"]
    assert ACCEPT in buttons(post_of(story, "part-1/aya"))


@any_negotiation
@given(negotiations())
def test_no_message_is_wanted_twice_and_whoever_may_decide_has_one(state: Negotiation) -> None:
    wanted = posts(state)
    assert len(wanted) == len({each.key for each in wanted})
    if state.current is None or not state.policy.human_window:
        return
    votable = {each.to for each in wanted if ACCEPT in buttons(each) and each.to}
    for seat in state.current.seats.values():
        carried = seat.human is not None and seat.human.carried
        if seat.user_id and not carried and (seat.human or seat.handed_back or not seat.twin_asked):
            assert seat.user_id in votable
