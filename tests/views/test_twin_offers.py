"""A person hears, privately and in time, what their twin has promised or declined for them."""

import pytest

from bot.views.kit.post import Post
from bot.views.negotiation.button_values import CORRECT
from bot.views.negotiation.thread import posts
from engine.negotiation.policy import Policy
from tests.negotiation.scenario import Scenario

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
    assert not post.is_late
    assert ("a key" in str(post.blocks)) is bool(conditions)


def test_who_has_answered_themselves_hears_nothing_new() -> None:
    [post] = told(asked().offers("ann", "decline").corrects("U_ANN", "ann"))

    assert post.is_late
    assert CORRECT not in str(post.blocks)


def test_once_a_proposal_is_out_there_is_nothing_left_to_correct() -> None:
    scenario = asked().offers("ann").offers("bo").later(60).rings("offers").drafted("ann", "bo")
    [post] = told(scenario)

    assert post.is_late
    assert CORRECT not in str(post.blocks)


def test_where_no_time_is_given_nobody_is_told() -> None:
    assert told(asked(Policy(human_window=3600)).offers("ann", "decline")) == []
    assert told(asked().does_not_answer("ann")) == []
