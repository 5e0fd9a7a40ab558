"""The forms of those who have tickets: they fit whatever a ticket says, and give back what was filled in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from bot.local_slack.blocks import view_problems
from bot.texts import Texts, texts_in
from bot.views.delivery.forms_owning import (
    block_form,
    finish_form,
    hand_over_form,
    read_button,
    read_evidence,
    suggest_form,
)
from bot.views.kit.fields import InvalidForm
from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import MOST_OUTPUTS, ExpectedOutput
from tests.delivery.scenario import Scenario, instructed, task
from tests.views.message_contents import schema, texts_of

from .test_ticket_messages import HOSTILE

Form = Callable[[Delivery, Ticket, Texts], dict[str, Any]]
FORMS: Final[dict[str, Form]] = {
    "done": finish_form,
    "blocked": block_form,
    "hand over": hand_over_form,
    "suggest": lambda state, ticket, texts: suggest_form(state, ticket, 1, texts),
}


def wanting(text: str, outputs: int = MOST_OUTPUTS) -> Scenario:
    labels = tuple(ExpectedOutput(label=f"{number}{text}") for number in range(outputs))
    return instructed(task(title=text or "…", outputs=labels))


def sent(scenario: Scenario, values: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """A form of *Done…* as Slack sends it."""
    view = finish_form(scenario.state, scenario.ticket(), texts_in("en"))
    return view | {"state": {"values": {name: {name: said} for name, said in values.items()}}}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", HOSTILE, ids=["long", "markup", "emoji", "Chinese", "nothing to see"])
def test_a_form_fits_whatever_a_ticket_says(form: str, text: str) -> None:
    scenario = wanting(text)
    for language in ("en", "zh"):
        view = FORMS[form](scenario.state, scenario.ticket(), texts_in(language))
        assert view_problems(view) == []


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_as_slacks_types_say(form: str) -> None:
    scenario = wanting("A result")
    view = FORMS[form](scenario.state, scenario.ticket(), texts_in("en"))
    assert [error.message for error in schema("views.schema.json").iter_errors(view)] == []


@pytest.mark.parametrize("form", FORMS)
def test_a_form_remembers_its_ticket(form: str) -> None:
    scenario = wanting("A result")
    view = FORMS[form](scenario.state, scenario.ticket(), texts_in("en"))
    button = read_button(view)
    assert (button.stream, button.ticket) == (scenario.state.session_id, "T-1")


def test_each_expected_output_has_a_field_for_a_text_and_one_for_a_file() -> None:
    scenario = wanting("Report", outputs=2)
    view = finish_form(scenario.state, scenario.ticket(), texts_in("en"))
    kinds = [block["element"]["type"] for block in view["blocks"] if block["type"] == "input"]
    assert kinds == ["plain_text_input", "file_input"] * 2 + ["plain_text_input"]
    assert "Or a file: 0Report" in texts_of(view)


@pytest.mark.parametrize(
    ("said", "link"),
    [
        pytest.param("https://example.org/a?b=c", True, id="an address"),
        pytest.param(" http://example.org ", True, id="blanks around it"),
        pytest.param("see https://example.org", False, id="a sentence with an address"),
        pytest.param("javascript:alert(1)", False, id="a script"),
        pytest.param("https://user:secret@example.org", False, id="a password in it"),
        pytest.param("file:///etc/passwd", False, id="a file"),
    ],
)
def test_only_an_address_by_itself_is_a_link(said: str, link: bool) -> None:
    scenario = wanting("Report", outputs=1)
    view = sent(scenario, {"shown-1": {"type": "plain_text_input", "value": said}})
    [evidence] = read_evidence(view, scenario.ticket(), texts_in("en"))
    assert bool(evidence.link) == link
    assert evidence.link or evidence.text == said.strip()


def test_a_text_that_is_too_long_is_said_beside_its_field() -> None:
    scenario = wanting("Report", outputs=1)
    view = sent(scenario, {"shown-1": {"type": "plain_text_input", "value": "x" * 10_000}})
    with pytest.raises(InvalidForm) as refused:
        read_evidence(view, scenario.ticket(), texts_in("en"))
    assert "as a file" in refused.value.errors["shown-1"]


def test_what_is_missing_is_said_beside_each_field() -> None:
    scenario = wanting("Report", outputs=3)
    view = sent(scenario, {"shown-2": {"type": "plain_text_input", "value": "done"}, "file-3": {"files": []}})
    with pytest.raises(InvalidForm) as refused:
        read_evidence(view, scenario.ticket(), texts_in("zh"))
    assert [*refused.value.errors] == ["shown-1", "shown-3"]
