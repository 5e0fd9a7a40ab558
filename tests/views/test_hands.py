"""Every hand is its own: whoever votes for another is named beside the vote, and that person is told, once."""

import pytest

from bot.views.negotiation.presenter import posts
from engine.negotiation.policy import Policy
from tests.negotiation.scenario import REQUESTER
from tests.views.message_contents import shown
from tests.views.stories import Story, post_of, voting

POLICY = Policy(fail_below=None, override_window=60)
DEL = "U_DEL"
TOLD = "voted-for/aya"


def opened(demand: str = "An AI meetup for 50 people") -> Story:
    """Aya lets a colleague decide for her; Carlos belongs to nobody here."""
    story = voting("aya", "bo", "carlos", linked={"aya": "U_AYA", "bo": "U_BO"}, policy=POLICY, demand=demand)
    return (
        story.delegates("U_AYA", "aya", DEL).twin("aya", "negotiate").twin("bo", "accept").twin("carlos", "negotiate")
    )


def keys(story: Story) -> list[str]:
    return [each.key for each in posts(story.state) if each.key == TOLD and not each.is_late]


@pytest.mark.parametrize("final", [False, True])
def test_the_plan_as_it_stands_names_the_hand(final: bool) -> None:
    story = opened().clicks(DEL, "aya", "accept").clicks(REQUESTER, "carlos", "accept")
    if final:
        story.clicks("U_BO", "bo", "accept")
    assert (story.state.final is not None) is final

    card = shown(post_of(story, "root"))

    said = "agreed" if final else "accepts"
    assert f"*Aya* {said} (by a colleague, for them)" in card
    assert f"*Carlos* {said} (by whoever asked, for them)" in card
    assert f"*Bo* {said}{'' if final else ' (twin)'} ·" in card
    assert "<@" not in "".join(line for line in card.splitlines() if said in line)


def test_whoever_was_voted_for_is_told_once_and_it_is_kept_up_to_date() -> None:
    story = opened()
    assert keys(story) == []

    story.clicks(DEL, "aya", "accept")
    told = post_of(story, TOLD)
    assert told.to == "U_AYA"
    assert "🤝 <@U_DEL> has voted for you in “An AI meetup for 50 people”, in round 1: ✅ accepts." in told.text
    assert "You may decide otherwise until" in told.text

    story.clicks(DEL, "aya", "negotiate", "later")
    assert keys(story) == [TOLD]
    assert "✅ accepts" not in post_of(story, TOLD).text


def test_nobody_is_told_of_a_vote_of_their_own() -> None:
    story = opened().clicks(DEL, "aya", "accept").clicks("U_AYA", "aya", "accept").clicks("U_BO", "bo", "accept")

    assert keys(story) == []


def test_how_it_ended_says_who_has_confirmed_for_somebody() -> None:
    story = opened().clicks(DEL, "aya", "accept").clicks(REQUESTER, "carlos", "accept").clicks("U_BO", "bo", "accept")

    assert keys(story) == []
    assert "<@U_DEL> has confirmed your part for you:" in shown(post_of(story, "ending/aya"))
    assert "You are confirmed. Your part:" in shown(post_of(story, "ending/bo"))


def test_it_is_said_in_the_language_of_the_demand_too() -> None:
    story = opened("一场50人的AI聚会").clicks(DEL, "aya", "accept").clicks(REQUESTER, "carlos", "accept")

    assert "替你投了票" in post_of(story, TOLD).text
    card = shown(post_of(story, "root"))
    assert "（同事代为决定）" in card
    assert "（发起人代为决定）" in card
