"""What a delegate reads, and what everybody else reads of them."""

from __future__ import annotations

import pytest

from bot.local_slack.blocks import view_problems
from bot.texts import texts_in
from bot.views.kit.action_form import entered
from bot.views.negotiation.action_forms import DELEGATE_FORM
from bot.views.negotiation.agenda import agenda
from bot.views.negotiation.button_values import (
    ACCEPT,
    CANNOT,
    DELEGATE,
    NEGOTIATE,
    WHY,
    WITHDRAW,
    SeatButton,
    VoteButton,
)
from bot.views.negotiation.presenter import posts
from engine.negotiation.actions import BY_NAME
from engine.negotiation.answers import AdjustmentSummary, Assignment, ProposalDraft, RequestDeclined
from engine.negotiation.events import PersonUnreachable
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from tests.negotiation.scenario import REQUESTER
from tests.views.forms import form_of
from tests.views.message_contents import buttons, shown
from tests.views.stories import Story, post_of, voting

LINKED = {"aya": "U_AYA", "bo": "U_BO"}
DEL = "U_DEL"
CARD = f"part-1/aya/{DEL}"


def keys(story: Story, user: str) -> list[str]:
    """Of what somebody gets who has chosen nothing else."""
    return [each.key for each in posts(story.state) if each.to == user and not each.is_step]


def opened(vote: str = "accept") -> Story:
    """A round in which the twins have voted, and Aya lets somebody decide for her."""
    story = voting("aya", "bo", linked=LINKED, policy=Policy(fail_below=None))
    return story.twin("aya", vote, "it suits").twin("bo", "accept").delegates("U_AYA", "aya", DEL)


def test_a_delegate_has_a_card_of_that_part_that_says_for_whom_and_who_asked() -> None:
    story = opened()

    card = post_of(story, CARD)

    assert (card.to, card.restored) == (DEL, True)
    text = shown(card)
    assert "🤝 <@U_AYA> lets you decide for them here" in text
    assert f"Asked by <@{REQUESTER}>" in text
    assert "aya's role\naya helps" in text
    assert "✅ <@U_AYA> accepts (twin) – it suits" in text
    assert list(buttons(card)) == [ACCEPT, NEGOTIATE, WITHDRAW, WHY]
    persons = buttons(post_of(story, "part-1/aya"))
    assert VoteButton.read(buttons(card)[ACCEPT]["value"]) == VoteButton.read(persons[ACCEPT]["value"])
    assert SeatButton.read(buttons(card)[WHY]["value"]).agent_id == "aya"
    assert keys(story, DEL) == [CARD]


def test_the_persons_card_says_who_else_decides_and_keeps_its_buttons() -> None:
    card = post_of(opened(), "part-1/aya")

    assert f"<@{DEL}> may decide for you as well" in shown(card)
    assert {ACCEPT, NEGOTIATE, WITHDRAW, CANNOT, DELEGATE, WHY} == {*buttons(card)}


def test_the_delegates_vote_is_shown_as_theirs_wherever_it_is_shown() -> None:
    story = opened().clicks(DEL, "aya", "negotiate", "later")

    line = "💬 {who} asks for a change (by <@U_DEL>) – later"
    for key, who in (("round-1", "*Aya*"), ("part-1/aya", "<@U_AYA>"), (CARD, "<@U_AYA>")):
        assert line.format(who=who) in shown(post_of(story, key))

    story.clicks("U_AYA", "aya", "accept")
    assert "✅ *Aya* accepts\n" in shown(post_of(story, "round-1"))
    assert "✅ You accept" in shown(post_of(story, "part-1/aya"))
    assert "✅ <@U_AYA> accepts" in shown(post_of(story, CARD))


def test_before_the_twin_has_voted_there_is_nothing_to_decide_about() -> None:
    story = voting("aya", "bo", linked=LINKED).delegates("U_AYA", "aya", DEL)
    assert keys(story, DEL) == []

    story.twin_fails("aya")
    assert f"⏳ <@U_AYA>: the twin could not answer; <@{DEL}> may decide, too" in shown(post_of(story, CARD))
    assert f"⏳ *Aya*: the twin could not answer; <@{DEL}> may decide, too" in shown(post_of(story, "round-1"))


def test_nobody_is_asked_for_somebody_who_has_no_account_any_more() -> None:
    story = opened().unreachable("aya", gone=True)
    assert isinstance(story.history[-1], PersonUnreachable)

    assert "▫️ <@U_AYA> has no account here any more\n" in shown(post_of(story, "round-1"))
    card = post_of(story, CARD)
    assert "has no account here any more; nothing is expected of you here." in shown(card)
    assert buttons(card) == {}


def test_what_was_taken_back_stays_without_buttons_and_says_so() -> None:
    story = opened().delegates("U_AYA", "aya")

    card = post_of(story, CARD)
    assert "🤝 <@U_AYA> decides without you again; nothing is expected of you here any more." in shown(card)
    assert (buttons(card), card.restored, card.is_late) == ({}, False, True)
    assert DEL not in shown(post_of(story, "part-1/aya"))

    story.delegates("U_AYA", "aya", DEL)
    assert ACCEPT in buttons(post_of(story, CARD))


def test_what_was_given_to_another_is_taken_from_the_one_before() -> None:
    story = opened().delegates("U_AYA", "aya", "U_EVE")

    assert buttons(post_of(story, CARD)) == {}
    assert ACCEPT in buttons(post_of(story, "part-1/aya/U_EVE"))


def test_each_round_has_a_card_and_what_is_over_stays_as_it_ended() -> None:
    story = opened().clicks(DEL, "aya", "negotiate", "later").time_is_up()
    asked = RequestDeclined(agent_id="aya", request="later", reason="the room closes")
    seats = tuple(Assignment(agent_id=each, role="host", responsibility="helps") for each in LINKED)
    story.proposed(
        ProposalDraft(summary="x", assignments=seats, adjustment_summary=AdjustmentSummary(requests_declined=(asked,)))
    )
    story.twin("aya", "accept")

    assert keys(story, DEL) == [CARD, f"part-2/aya/{DEL}"]
    assert buttons(post_of(story, CARD)) == {}
    assert "This round is over; the next one follows." in shown(post_of(story, CARD))
    second = shown(post_of(story, f"part-2/aya/{DEL}"))
    assert "Their wish was not taken up: later – the room closes" in second

    before = post_of(story, CARD).digest
    story.delegates("U_AYA", "aya")
    assert post_of(story, CARD).digest == before


def test_the_reminder_goes_to_the_delegate_instead() -> None:
    story = opened()
    story.now = story.state.rounds[-1].window.people_until - 1_800_000
    story.rings("remind/1")

    assert keys(story, "U_AYA") == ["part-1/aya"]
    assert keys(story, "U_BO") == ["part-1/bo", "reminder-1/bo"]
    assert keys(story, DEL) == [CARD, f"reminder-1/aya/{DEL}"]
    assert "nobody has decided for <@U_AYA> yet" in shown(post_of(story, f"reminder-1/aya/{DEL}"))
    assert not post_of(story, f"reminder-1/aya/{DEL}").is_late

    story.delegates("U_AYA", "aya")
    assert post_of(story, f"reminder-1/aya/{DEL}").is_late
    assert keys(story, "U_AYA") == ["part-1/aya"], "half time was rung once"


@pytest.mark.parametrize(
    ("votes", "says"),
    [
        (("accept", "accept"), ["we have a plan", "<@U_AYA> is confirmed. Their part:\naya's role\naya helps"]),
        (("negotiate", "accept"), ["with partial agreement", "<@U_AYA> has not confirmed their part yet:"]),
        (("reject", "reject"), ["no agreement this time", "Nothing is expected of you."]),
    ],
)
def test_both_hear_how_it_ended(votes: tuple[str, str], says: list[str]) -> None:
    story = voting("aya", "bo", linked=LINKED, policy=Policy(max_rounds=1)).delegates("U_AYA", "aya", DEL)
    story.twin("aya", votes[0]).twin("bo", votes[1]).time_is_up()
    assert not story.state.is_open

    assert keys(story, DEL)[-1] == f"ending/aya/{DEL}"
    text = shown(post_of(story, f"ending/aya/{DEL}"))
    for each in says:
        assert each in text
    assert "ending/aya" in keys(story, "U_AYA")


def test_from_whom_it_was_taken_back_hears_no_ending() -> None:
    story = opened().delegates("U_AYA", "aya").time_is_up()
    assert story.state.status is Status.FINALIZED

    assert keys(story, DEL) == [CARD]


def test_a_delegate_can_read_what_they_may_decide_and_for_whom() -> None:
    story = opened()
    said = agenda([story.state], [], DEL, 0, texts_in("en"))

    assert "· for *Aya*" in said
    assert "for *Aya*" not in agenda([story.state], [], "U_AYA", 0, texts_in("en"))


def test_the_offers_have_a_button_where_anybody_could_use_it() -> None:
    story = Story(linked=LINKED).demand().understood().shortlisted("aya", "bo")
    assert SeatButton.read(buttons(post_of(story, "offers"))[DELEGATE]["value"]).agent_id == ""

    alone = Story().demand().understood().shortlisted("aya", "bo")
    assert DELEGATE not in buttons(post_of(alone, "offers"))


@pytest.mark.parametrize("so_far", ["", DEL])
def test_the_form_begins_with_who_it_is_so_far(so_far: str) -> None:
    story = Story(linked=LINKED).demand("x" * 4_000).understood().shortlisted("aya", "bo")
    if so_far:
        story.delegates("U_AYA", "aya", so_far)
    row = BY_NAME[DELEGATE]
    form = form_of(row, DELEGATE_FORM, story.state, texts_in("en"), agent_id="aya")

    assert view_problems(form) == []
    [field] = [each for each in form["blocks"] if each["type"] == "input"]
    assert field["optional"] is True
    assert field["element"].get("initial_user", "") == so_far
    chosen = {"to": {"to": {"type": "users_select", "selected_user": "U_EVE"}}}
    assert entered(row, {**form, "state": {"values": chosen}}) == {"to": "U_EVE"}
    nobody = {"to": {"to": {"type": "users_select", "selected_user": None}}}
    assert entered(row, {**form, "state": {"values": nobody}}) == {"to": ""}
    with pytest.raises(ValueError, match="does not have: who"):
        entered(row, {**form, "state": {"values": {"who": chosen["to"]}}})
