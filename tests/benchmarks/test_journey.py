"""The journey counts what people click and read, and what the goals hold for does not grow."""

import pytest

from benchmarks import journey
from benchmarks.story import PEOPLE
from benchmarks.words import words_in, words_of_dialog, words_of_messages, words_of_view
from bot.local_slack import Message, View
from bot.views.kit import blocks


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("*Agreed* by <@U_A|Mara Vogt> – <!date^1^{date} at {time}|Thursday, 17:00> :tada:", 6),
        ("<https://example.org/a/long/one|Open the page> · <@U_A> ✅", 4),
        ("19:30–22:30, 60 people", 3),
        ("六个人同意", 3),
        ("", 0),
    ],
)
def test_a_word_is_what_is_shown_between_blanks(text: str, words: int) -> None:
    assert words_in(text) == words


def test_everything_that_is_shown_counts_and_what_a_menu_holds_does_not() -> None:
    choice = [{"text": blocks.plain_text("never seen"), "value": "a"}]
    menu = {"type": "static_select", "placeholder": blocks.plain_text("Pick one"), "options": choice}
    inner = {"type": "container", "title": blocks.plain_text("More"), "child_blocks": [blocks.section("one two")]}
    card = [blocks.header("The plan"), inner, blocks.actions(blocks.button("Accept it", "a", "value stays unseen"))]
    said = Message(channel="C", ts="1", user="B", text="not shown beside blocks", blocks=card)
    asked = {"type": "input", "label": blocks.plain_text("What to change"), "element": menu}
    form = View(
        id="V", user="U", type="modal", hash="h", root_view_id="V", blocks=[asked], title=blocks.plain_text("A wish")
    )

    assert words_of_messages([said]) == 2 + 1 + 2 + 2
    assert words_of_messages([Message(channel="C", ts="1", user="B", text="only these")]) == 2
    assert words_of_view(form) == 2 + 3 + 2
    assert words_of_dialog({"title": blocks.plain_text("Sure?"), "confirm": blocks.plain_text("Yes, please")}) == 3


async def test_the_journey_ends_and_its_thread_says_no_more_than_its_goal() -> None:
    found = (await journey.measure())["journey"]

    assert found.keys() == journey.FIGURES.keys()
    assert journey.GOALS.keys() <= found.keys()
    assert found["thread_words"] <= journey.GOALS["thread_words"]
    assert found["mentions"] == 0
    assert found["words"] <= journey.GOALS["words"]
    assert found["clicks"] <= journey.GOALS["clicks"]
    assert found["requester_messages"] == 1, "at the end"
    assert found["participant_messages"] <= 3
    assert found["clicks"] >= len(PEOPLE) * journey.ROUNDS
