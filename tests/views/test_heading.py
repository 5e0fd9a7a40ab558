"""A card's title says what it is about, and nothing of what was asked for stands there twice."""

import pytest

from bot.views.kit.blocks import Block
from bot.views.kit.heading import LONGEST_GOAL, LONGEST_TITLE, SHORT_TITLE, heading
from bot.views.kit.mrkdwn import UNLIMITED, Fit

LONG = "Organise an evening about AI for fifty people in Beijing in March with three talks, something to eat, and time"
GOAL = f"{LONG} to meet, in a room that is near the river, for less than five thousand."


def texts(card: list[Block]) -> list[str]:
    return [str(each["text"]["text"]) for each in card]


def test_a_title_that_says_it_all_stands_alone() -> None:
    assert texts(heading("A party", "A party.", Fit(), is_above=False)) == ["A party"]
    assert texts(heading("A party", "", Fit(), is_above=False)) == ["A party"]


def test_what_follows_the_first_sentence_follows_the_title() -> None:
    goal = "Plan a party. Ann brings the cake, and Bo the music."
    assert texts(heading("Plan a party", goal, Fit(), is_above=False)) == [
        "Plan a party",
        "Ann brings the cake, and Bo the music.",
    ]


@pytest.mark.parametrize("title", [f"{LONG}…", GOAL])
def test_a_title_that_was_cut_goes_on_below_it(title: str) -> None:
    head, rest = texts(heading(title, GOAL, Fit(), is_above=False))
    assert head.endswith("…")
    assert len(head) <= LONGEST_TITLE
    assert rest.startswith("… ")
    assert head.removesuffix("…") + rest.removeprefix("…") == GOAL


def test_a_title_in_other_words_leaves_the_goal_whole() -> None:
    assert texts(heading("A party", "Let us celebrate.", Fit(), is_above=False)) == ["A party", "Let us celebrate."]


def test_where_it_stands_above_the_title_is_short_and_the_rest_is_a_click_away() -> None:
    [head] = texts(heading(LONG, GOAL, Fit(), is_above=True))
    assert len(head) <= SHORT_TITLE
    head, rest = texts(heading(LONG, GOAL, Fit(UNLIMITED), is_above=True))
    assert head.removesuffix("…") + rest.removeprefix("…") == GOAL


def test_neither_a_long_goal_nor_no_title_breaks_a_card() -> None:
    head, rest = texts(heading("", "长" * 5_000, Fit(), is_above=False))
    assert head == "…"
    assert len(rest) <= LONGEST_GOAL
