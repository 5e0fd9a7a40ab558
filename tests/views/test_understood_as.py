"""How a wish was understood is shown to whoever has sent it, with a form to say otherwise."""

import pytest

from bot.texts import texts_in
from bot.views.kit.action_form import entered
from bot.views.negotiation.action_forms import NOT_MEANT_FORM
from bot.views.negotiation.button_values import NOT_MEANT
from bot.views.negotiation.presenter import posts
from engine.negotiation.actions import BY_NAME
from engine.negotiation.state import Negotiation
from tests.negotiation.voting.test_wishes_read import AYA, corrects, opened, understands
from tests.views.forms import form_of
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
    row = BY_NAME[NOT_MEANT]
    view = form_of(row, NOT_MEANT_FORM, scenario.state, texts_in(language))

    assert "on Tuesday" in str(view)
    filled_in = {**view, "state": {"values": {"text": {"text": {"value": "a Tuesday in May"}}}}}
    assert entered(row, filled_in) == {"text": "a Tuesday in May"}
