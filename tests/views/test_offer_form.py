"""The form for correcting an offer: whatever twins said, Slack takes it, and it is read as it was written."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from slack_sdk.models.views import View

from bot.local_slack.blocks import view_problems
from bot.texts import texts_in
from bot.views.kit.mrkdwn import slack_length
from bot.views.negotiation.offers.offer_form import (
    CONDITIONS,
    CONTRIBUTION,
    DECISION,
    REASON,
    WHOM,
    choose_form,
    offer_form,
    read_choice,
    read_offer,
)
from engine.negotiation.answers import OfferDecision
from engine.negotiation.events import OfferSubmitted
from engine.negotiation.terms import Asked
from tests.examples import examples
from tests.negotiation.scenario import STREAM
from tests.views.message_contents import schema
from tests.views.stories import words

any_text = settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.too_slow])
languages = st.sampled_from(("en", "zh"))


@st.composite
def offers(draw: st.DrawFn) -> OfferSubmitted:
    return OfferSubmitted(
        demand_id="d-00000001",
        channel_id=STREAM,
        offer_id="offer_001",
        agent_id="user_agent_bo",
        display_name=draw(words(300)),
        decision=draw(st.sampled_from(OfferDecision)),
        contribution=draw(words()),
        conditions=tuple(draw(st.lists(words(2_000), max_size=50))),
        decline_reason=draw(words()),
        degraded=draw(st.booleans()),
    )


def asked(name: str, number: int = 0) -> Asked:
    return Asked(agent_id=f"user_agent_{number}", display_name=name)


@any_text
@given(offers(), languages)
def test_slack_takes_it_whatever_the_twin_said(offer: OfferSubmitted, language: Any) -> None:
    form = offer_form(STREAM, asked(offer.display_name), offer, texts_in(language))
    assert view_problems(form) == []
    View(**form).validate_json()
    for block in form["blocks"]:
        element = block.get("element", {})
        assert slack_length(element.get("initial_value", "")) <= element.get("max_length", 3_000)


@any_text
@given(st.lists(words(300), min_size=1, max_size=40), languages)
def test_slack_takes_the_choice_among_anybody(names: list[str], language: Any) -> None:
    form = choose_form(STREAM, [asked(name, number) for number, name in enumerate(names)], texts_in(language))
    assert view_problems(form) == []
    View(**form).validate_json()


@any_text
@given(offers(), languages)
def test_both_are_as_slacks_types_say(offer: OfferSubmitted, language: Any) -> None:
    validator, said = schema("views.schema.json"), texts_in(language)
    for form in (offer_form(STREAM, asked("Bo"), offer, said), choose_form(STREAM, [asked("Bo"), asked("Chen")], said)):
        assert [error.message for error in validator.iter_errors(form)] == []


def test_a_twin_that_could_not_answer_leaves_an_empty_form() -> None:
    failed = OfferSubmitted(
        demand_id="d", channel_id=STREAM, offer_id="offer_001", agent_id="bo", display_name="Bo",
        decision=OfferDecision.DECLINE, degraded=True,
    )  # fmt: skip
    form = offer_form(STREAM, asked("Bo"), failed, texts_in("en"))
    elements = [block["element"] for block in form["blocks"] if block["type"] == "input"]
    assert not any("initial_value" in each or "initial_option" in each for each in elements)


def test_it_is_read_as_it_was_written() -> None:
    form = offer_form(STREAM, asked("Bo"), None, texts_in("en"))
    sent = submitted(
        form,
        {DECISION: "conditional", CONTRIBUTION: " A hall ", CONDITIONS: " by ten \n\n a deposit", REASON: None},
    )
    offer = read_offer(sent)
    assert read_choice(sent) is None
    assert (offer.stream, offer.agent_id, offer.decision) == (STREAM, "user_agent_0", OfferDecision.CONDITIONAL)
    assert (offer.contribution, offer.conditions, offer.reason) == ("A hall", ("by ten", "a deposit"), "")


def test_whose_offer_it_is_is_read_from_the_choice() -> None:
    form = choose_form(STREAM, [asked("Bo"), asked("Chen", 1)], texts_in("en"))
    assert read_choice(submitted(form, {WHOM: "user_agent_1"})) == (STREAM, "user_agent_1")


def submitted(form: dict[str, Any], answers: dict[str, str | None]) -> dict[str, Any]:
    """As Slack sends it."""
    values = {
        name: {name: {"selected_option": {"value": said}} if name in (DECISION, WHOM) else {"value": said}}
        for name, said in answers.items()
    }
    return form | {"state": {"values": values}}
