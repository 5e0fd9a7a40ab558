"""How a wish was understood is shown to whoever has sent it, with a form to say otherwise."""

import pytest

from bot.texts import texts_in
from bot.views.negotiation.button_values import NOT_MEANT, SeatButton
from bot.views.negotiation.thread import posts
from bot.views.negotiation.voting.understood_as import not_meant_form, read_not_meant
from engine.negotiation.state import Negotiation
from tests.negotiation.scenario import REQUESTER
from tests.negotiation.voting.test_wishes_read import AYA, corrects, opened, understands
from tests.views.message_contents import buttons, shown

LINE = "💡 Understood as: On Tuesday"


def to_aya(state: Negotiation) -> str:
    return "\n".join(shown(each) for each in posts(state) if each.to == "U_AYA")


def test_a_person_reads_it_in_their_own_message() -> None:
    scenario = understands(opened().twin(AYA, "accept").clicks("U_AYA", AYA, "negotiate", "on Tuesday"), AYA)

    assert LINE in to_aya(scenario.state)
    others = "\n".join(shown(each) for each in posts(scenario.state) if each.to != "U_AYA")
    assert LINE not in others


def test_the_requester_reads_it_where_their_wish_stands() -> None:
    scenario = understands(opened().requests_change("on Tuesday"), "")

    [card] = [each for each in posts(scenario.state) if each.key == "round-1"]
    assert LINE in shown(card)
    assert NOT_MEANT in buttons(card)


def test_once_it_was_said_otherwise_it_is_gone() -> None:
    scenario = understands(opened().twin(AYA, "accept").clicks("U_AYA", AYA, "negotiate", "on Tuesday"), AYA)
    corrects(scenario, "U_AYA", AYA)

    assert LINE not in to_aya(scenario.state)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_form_begins_with_what_they_have_written(language: str) -> None:
    scenario = understands(opened().requests_change("on Tuesday"), "")
    button = SeatButton(stream="collab-00000001")
    view = not_meant_form(scenario.state.understood[REQUESTER], button, texts_in(language))

    assert "on Tuesday" in str(view)
    assert read_not_meant({**view, "state": {"values": {"what": {"what": {"value": "a Tuesday in May"}}}}}) == (
        button,
        "a Tuesday in May",
    )
