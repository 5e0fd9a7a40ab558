"""A row of buttons shows the one next step, and keeps the rest in a menu, in which nothing is lost."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.local_slack.blocks import view_problems
from bot.texts import texts_in
from bot.views.kit import blocks
from bot.views.kit.menu import MORE, MOST_CHOICES, buttons_in, chosen_button, row
from bot.views.kit.modals import modal
from bot.views.kit.story.buttons import OPEN_PAGE, without_pages

SURE = blocks.confirm("Sure?", "It cannot be undone.", "Yes", "No")


@st.composite
def some_buttons(draw: st.DrawFn, prefix: str, most: int) -> list[dict[str, Any]]:
    found = []
    for number in range(draw(st.integers(0, most))):
        value = "v" * draw(st.sampled_from((1, 60, 100, 150, 400)))
        look = {"confirm": SURE} if draw(st.booleans()) else {}
        found.append(blocks.button(f"{prefix} {number}", f"{prefix}.{number}", value, **look))
    return found


def reachable(block: dict[str, Any]) -> list[tuple[str, str, bool]]:
    told = [(each["action_id"], each["value"], "confirm" in each) for each in buttons_in(block["elements"])]
    return sorted(told)


@given(some_buttons("shown", 3), some_buttons("other", 8))
def test_every_action_of_a_row_can_be_reached_with_what_it_carries(
    shown: list[dict[str, Any]], others: list[dict[str, Any]]
) -> None:
    if not shown and not others:
        return
    drawn = row(shown, others)

    assert reachable(drawn) == reachable(blocks.actions(*shown, *others))
    assert drawn["elements"][: len(shown)] == shown
    assert view_problems(modal("Row", [drawn], texts_in("en"))) == []


@given(some_buttons("shown", 3), some_buttons("other", 8))
def test_what_asks_first_stays_a_button_and_nothing_is_alone_in_a_menu(
    shown: list[dict[str, Any]], others: list[dict[str, Any]]
) -> None:
    for each in row(shown, others)["elements"]:
        if each["type"] == "overflow":
            assert 2 <= len(each["options"]) <= MOST_CHOICES
            assert "confirm" not in each


def test_a_choice_is_heard_as_its_button_is() -> None:
    [menu] = row([], [blocks.button("Export…", "x.export", '{"a": "b c"}'), blocks.button("Why…", "x.why", "")])[
        "elements"
    ]
    first, second = menu["options"]

    heard = chosen_button({"type": "overflow", "action_id": MORE, "selected_option": first})
    assert heard == blocks.button("Export…", "x.export", '{"a": "b c"}')
    assert chosen_button({"type": "overflow", "action_id": MORE, "selected_option": second})
    for other in ({"type": "button", "action_id": MORE}, {"type": "overflow", "action_id": "theirs"}, {}):
        assert chosen_button({**other, "selected_option": first}) is None
    assert chosen_button({"type": "overflow", "action_id": MORE}) is None


def test_where_there_are_no_pages_none_is_offered_in_a_menu() -> None:
    page, why, export = (blocks.button(each, each, "v") for each in (OPEN_PAGE, "why", "export"))

    [left] = without_pages([row([], [why, export, page])])
    assert [each["action_id"] for each in buttons_in(left["elements"])] == ["why", "export"]
    assert left["elements"][0]["type"] == "overflow"
    assert without_pages([row([], [why, page])]) == [blocks.actions(why)]
