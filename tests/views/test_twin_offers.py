"""A person hears, privately and in time, what their twin has promised or declined for them."""

import pytest

from bot.views.directory.buttons import RATE
from bot.views.kit.post import Post
from bot.views.negotiation.button_values import CANNOT, CORRECT
from bot.views.negotiation.presenter import posts
from engine.negotiation.policy import Policy
from tests.negotiation.scenario import ALONE, Scenario

WINDOW = Policy(human_window=3600, first_window=60)


def asked(policy: Policy = WINDOW) -> Scenario:
    scenario = Scenario(policy=policy, linked={"ann": "U_ANN"}).demand().understood()
    return scenario.shortlisted("ann", "bo")


def told(scenario: Scenario) -> list[Post]:
    return [each for each in posts(scenario.state) if each.key.startswith("twin-offer")]


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        pytest.param("decline", "has declined for you", id="declined"),
        pytest.param("participate", "takes part for you", id="promised"),
        pytest.param("conditional", "on conditions", id="on conditions"),
    ],
)
def test_the_person_hears_it_with_a_button_to_correct_it(decision: str, said: str) -> None:
    conditions = ("a key",) if decision == "conditional" else ()
    [post] = told(asked().offers("ann", decision, conditions=conditions).offers("bo"))

    assert post.to == "U_ANN"
    assert said in post.text
    assert CORRECT in str(post.blocks)
    assert RATE in str(post.blocks)
    assert CANNOT in str(post.blocks)
    assert "feedback_buttons" not in str(post.plain_blocks)
    assert not post.is_late
    assert ("a key" in str(post.blocks)) is bool(conditions)


def test_who_has_answered_themselves_hears_nothing_new() -> None:
    [post] = told(asked().offers("ann", "decline").corrects("U_ANN", "ann"))

    assert post.is_late
    assert CORRECT not in str(post.blocks)
    assert RATE not in str(post.blocks)


def test_once_a_proposal_is_out_there_is_nothing_left_to_correct() -> None:
    scenario = asked().offers("ann").offers("bo").later(60).rings("offers").drafted("ann", "bo")
    [post] = told(scenario)

    assert CORRECT not in str(post.blocks)
    assert "What your twin may say for you, you decide in my Home tab." in str(post.blocks)


def test_as_long_as_the_offers_are_held_it_says_until_when() -> None:
    scenario = asked().offers("ann").offers("bo")
    [post] = told(scenario)
    assert f"say it yourself until <!date^{scenario.state.offers_due // 1000}" in str(post.blocks)


VOTES_ALONE = Policy(human_window=3600)
OFFERS_ALONE = Policy(human_window=0, first_window=60)


@pytest.mark.parametrize(
    ("policy", "decision"),
    [
        pytest.param(WINDOW, "decline", id="declined, with time for offers and votes"),
        pytest.param(WINDOW, "participate", id="promised, with time for offers and votes"),
        pytest.param(VOTES_ALONE, "decline", id="declined, with time for votes alone"),
        pytest.param(OFFERS_ALONE, "decline", id="declined, with time for offers alone"),
        pytest.param(OFFERS_ALONE, "participate", id="promised, with time for offers alone"),
        pytest.param(ALONE, "decline", id="declined, with no time"),
        pytest.param(ALONE, "participate", id="promised, with no time"),
    ],
)
def test_nobody_is_spoken_for_without_hearing_it_once(policy: Policy, decision: str) -> None:
    """One message, which is sent however late, and stays the same message to the end."""
    scenario = asked(policy).offers("ann", decision)
    keys = {each.key for each in told(scenario)}
    scenario.offers("bo").later(60).rings("offers").drafted("bo")
    [post] = told(scenario)

    assert keys == {post.key}
    assert (post.to, post.is_late) == ("U_ANN", False)
    scenario.twins({"bo": "accept"})
    assert {each.key for each in told(scenario)} == keys


def test_where_the_part_comes_at_once_it_says_what_was_promised() -> None:
    scenario = asked(VOTES_ALONE).offers("ann").offers("bo")
    assert told(scenario) == []
    scenario.drafted("ann", "bo").twin("ann", "accept")
    [part] = [each for each in posts(scenario.state) if each.to == "U_ANN"]
    assert "ann helps" in str(part.blocks)


def test_what_was_promised_and_came_to_no_proposal_is_told_all_the_same() -> None:
    [post] = told(asked(VOTES_ALONE).offers("ann").stopped())
    assert "takes part for you" in post.text


def test_of_a_twin_that_could_not_answer_there_is_nothing_to_tell() -> None:
    assert told(asked().does_not_answer("ann")) == []
