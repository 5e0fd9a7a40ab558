"""The forms in which somebody asks: Slack takes them whatever the message said."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from slack_sdk.models.views import View

from bot.local_slack.blocks import view_problems
from bot.texts import texts_in
from bot.views.kit.mrkdwn import slack_length
from bot.views.negotiation.demand.demand_form import (
    WHAT,
    WHERE,
    DemandForm,
    Origin,
    form_from_message,
    new_form,
    no_form,
    read_demand_form,
)
from tests.examples import examples
from tests.views.message_contents import schema
from tests.views.stories import words

languages = st.sampled_from(("en", "zh"))
MESSAGE = Origin(channel="C_LOBBY", thread="1800000000.000200")


def submitted(form: dict[str, Any], what: str | None, where: str | None = None) -> dict[str, Any]:
    values = {WHAT: {WHAT: {"value": what}}, WHERE: {WHERE: {"selected_conversation": where}}}
    return form | {"state": {"values": values}}


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(words(8_000), languages)
def test_slack_takes_it_whatever_the_message_said(text: str, language: Any) -> None:
    form = form_from_message(MESSAGE, text, texts_in(language))

    assert view_problems(form) == []
    View(**form).validate_json()
    [field] = [each["element"] for each in form["blocks"] if each.get("block_id") == WHAT]
    assert slack_length(field.get("initial_value", "")) <= field["max_length"] == 3_000


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_form_is_as_slacks_types_say(language: Any) -> None:
    said = texts_in(language)
    for form in (form_from_message(MESSAGE, "x" * 4_000, said), new_form(said), no_form("No.", said)):
        assert view_problems(form) == []
        assert [error.message for error in schema("views.schema.json").iter_errors(form)] == []


@pytest.mark.parametrize(("longest", "is_told"), [(3_000, False), (3_001, True)])
def test_the_form_says_when_the_message_did_not_fit(longest: int, is_told: bool) -> None:
    form = form_from_message(MESSAGE, "x" * longest, texts_in("en"))
    assert ("first 3000 characters" in str(form["blocks"])) is is_told


def test_the_thread_is_that_of_the_message_whatever_else_is_said() -> None:
    form = form_from_message(MESSAGE, "a venue", texts_in("en"))
    sent = read_demand_form(submitted(form, " a venue ", where="C_ELSEWHERE"))
    assert sent == DemandForm(text="a venue", channel="C_LOBBY", thread="1800000000.000200")


def test_a_new_demand_stands_where_it_was_wanted() -> None:
    sent = read_demand_form(submitted(new_form(texts_in("en")), "a venue", where="C_LOBBY"))
    assert sent == DemandForm(text="a venue", channel="C_LOBBY", thread="")
    assert read_demand_form(submitted(new_form(texts_in("en")), None)) == DemandForm(text="", channel="", thread="")


@pytest.mark.parametrize("view", [{}, {"private_metadata": ""}, {"private_metadata": '{"stream": "x"}'}])
def test_a_strangers_form_is_not_read(view: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="none of ours"):
        read_demand_form(view)
