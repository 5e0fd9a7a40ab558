"""What people see of a negotiation that failed and was taken up again, and the form in which that is done."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from bot.local_slack.blocks import view_problems
from bot.texts import texts_in
from bot.views.kit.button_values import ActionButton
from bot.views.kit.modals import read_metadata
from bot.views.kit.story.buttons import OPEN_PAGE
from bot.views.negotiation.afterwards import POSSIBLE, REOPEN_FORM, RULES, SAME
from bot.views.negotiation.button_values import EXPORT, REOPEN, WHY_PLAN
from bot.views.negotiation.demand.demand_form import DEMAND, REST
from bot.views.negotiation.presenter import posts
from engine.kernel import SendCommand
from engine.negotiation.actions import BY_NAME
from engine.negotiation.afterwards.reopening import BALANCED
from engine.negotiation.commands import Reopen
from engine.negotiation.policy import PRESETS
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from tests.examples import examples
from tests.negotiation.scenario import REQUESTER, STREAM
from tests.views import forms
from tests.views.corpus import negotiations
from tests.views.message_contents import buttons, shown, texts_of
from tests.views.stories import Story, post_of, voting

LINKED = {"aya": "U_AYA", "bo": "U_BO"}
SAID = "An AI meetup for 50 people"


def failed(*votes: str, possibly: tuple[str, ...] = (), policy: str = "t05-v4", said: str = SAID) -> Story:
    rules = PRESETS[policy].model_copy(update={"max_rounds": 1, "core_gate": False})
    story = Story(linked=LINKED, policy=rules).demand(said).understood().shortlisted(*LINKED, possibly=possibly)
    for agent in LINKED:
        story.offers(agent)
    story.drafted(*LINKED)
    for agent, vote in zip(LINKED, votes or ("reject", "reject"), strict=True):
        story.twin(agent, vote, wish="less work" if vote == "negotiate" else "")
    return story.time_is_up()


def again(story: Story, said: str = SAID, **fields: Any) -> Story:
    story.now += 60_000
    return story.does(Reopen, by=REQUESTER, raw_input=said, **fields)


def form_of(story: Story, language: Any = "en") -> dict[str, Any]:
    return forms.form_of(BY_NAME[REOPEN], REOPEN_FORM, story.state, texts_in(language))


def read(view: dict[str, Any]) -> tuple[str, bool, bool]:
    assert REOPEN_FORM.read is not None
    said = REOPEN_FORM.read(failed().state, view, texts_in("en"))
    return said["raw_input"], said["balanced"], said["asks_possible"]


def field(form: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in form["blocks"] if each.get("block_id") == name)["element"]
    return found


# ── the cards ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_card_of_a_failure_offers_it_until_it_is_done_and_says_then_by_whom() -> None:
    story = failed()
    assert list(buttons(post_of(story, "outcome"))) == [REOPEN, EXPORT, WHY_PLAN, OPEN_PAGE]
    keys = [each.key for each in posts(story.state)]

    again(story)

    card = post_of(story, "outcome")
    assert list(buttons(card)) == [EXPORT, WHY_PLAN, OPEN_PAGE]
    assert f"🔁 <@{REQUESTER}> took it up again (<!date^{story.now // 1000}^" in shown(card)
    assert "goes on further down" in shown(card)
    for otherwise in ("said otherwise", "balanced", "asked."):
        assert otherwise not in shown(card)
    assert "It was taken up again" in shown(post_of(story, "root"))
    for agent in LINKED:
        assert "🔁 It was taken up again" in shown(post_of(story, f"ending/{agent}"))
    assert [each.key for each in posts(story.state)] == keys


def test_a_delegate_hears_it_as_well() -> None:
    rules = PRESETS["t05-v4"].model_copy(update={"max_rounds": 1})
    story = voting("aya", "bo", linked=LINKED, policy=rules).delegates("U_AYA", "aya", "U_DEL")
    for agent in LINKED:
        story.twin(agent, "reject")
    story.time_is_up()
    assert "🔁" not in shown(post_of(story, "ending/aya/U_DEL"))

    assert "🔁 It was taken up again" in shown(post_of(again(story), "ending/aya/U_DEL"))


def test_it_says_what_is_otherwise_than_the_first_time() -> None:
    story = again(failed(possibly=("cy", "dee")), "A small meetup", balanced=True, asks_possible=True)

    card = shown(post_of(story, "outcome"))
    assert "The demand is said otherwise. It is decided by the balanced rules. 2 more are asked." in card


@pytest.mark.parametrize("how", ["agreed", "stopped", "still open"])
def test_nothing_else_offers_it(how: str) -> None:
    story = failed("accept", "accept") if how == "agreed" else Story(linked=LINKED).demand().understood()
    if how == "stopped":
        story.stopped()
    assert not any(REOPEN in buttons(each) for each in posts(story.state))


def test_the_balanced_rules_are_recommended_where_wishes_ended_it() -> None:
    recommended = "With the balanced rules, wishes end nothing"
    story = failed("negotiate", "negotiate")

    assert recommended in shown(post_of(story, "outcome"))
    assert recommended not in shown(post_of(again(story), "outcome"))
    assert recommended not in shown(post_of(failed("reject", "negotiate", policy=BALANCED), "outcome"))
    assert recommended not in shown(post_of(failed("withdraw", "withdraw"), "outcome"))


def test_the_new_card_says_that_there_was_something_before() -> None:
    old = again(failed(), "A small meetup")
    tell = SendCommand(name="reopen", scope="reopen", to="collab-2", protocol=RULEBOOK.protocol)
    new = Story().obeys(RULEBOOK.compose_command(old.state, tell, command_id="c", at=old.now))

    assert "🔁 Taken up again: the first time there was no agreement" in shown(post_of(new, "root"))
    assert "🔁" not in shown(post_of(Story().demand(), "root"))


# ── the form ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_demand_stands_in_the_form_and_the_rules_are_as_before_unless_wishes_ended_it() -> None:
    form = form_of(failed())

    assert field(form, DEMAND)["initial_value"] == SAID
    assert field(form, RULES)["initial_option"]["value"] == SAME
    assert "As before: if fewer than 50% accept" in texts_of(form)
    assert "Balanced: if something essential is lost, or refused in the end" in texts_of(form)
    assert field(form_of(failed("negotiate", "negotiate")), RULES)["initial_option"]["value"] == BALANCED


@pytest.mark.parametrize(
    ("policy", "rule"),
    [("story05", "if there is no majority at the end"), ("tech-v3", "if more than 50% say no")],
)
def test_every_policy_says_when_it_has_failed(policy: str, rule: str) -> None:
    assert f"As before: {rule}" in texts_of(form_of(failed("withdraw", "withdraw", policy=policy)))


def test_where_it_was_balanced_before_there_is_nothing_to_choose() -> None:
    assert RULES not in str(form_of(failed("reject", "reject", policy=BALANCED))["blocks"])


def test_those_who_were_not_asked_are_named_and_not_chosen_beforehand() -> None:
    form = form_of(failed(possibly=("cy", "dee")))

    assert "not asked the first time: *Cy*, *Dee*" in texts_of(form)
    assert "initial_options" not in field(form, POSSIBLE)
    assert POSSIBLE not in str(form_of(failed())["blocks"])
    many = texts_of(form_of(failed(possibly=tuple(f"r{number}" for number in range(12)))))
    assert "*R7* and 4 more" in many


def test_what_was_filled_in_is_read() -> None:
    form = form_of(failed(possibly=("cy",)))
    values: dict[str, dict[str, dict[str, Any]]] = {
        DEMAND: {DEMAND: {"type": "plain_text_input", "value": " A small meetup "}},
        RULES: {RULES: {"type": "radio_buttons", "selected_option": {"value": BALANCED}}},
        POSSIBLE: {POSSIBLE: {"type": "checkboxes", "selected_options": [{"value": POSSIBLE}]}},
    }
    assert read({**form, "state": {"values": values}}) == ("A small meetup", True, True)
    values[RULES][RULES]["selected_option"] = {"value": SAME}
    values[POSSIBLE][POSSIBLE]["selected_options"] = []
    values[REST] = {REST: {"type": "plain_text_input", "value": "and music"}}
    assert read({**form, "state": {"values": values}}) == ("A small meetup\nand music", False, False)
    assert read({**form, "state": {"values": {}}}) == ("", False, False)
    assert read_metadata(form, ActionButton).stream == STREAM


def test_a_long_demand_has_room_in_it() -> None:
    said = "a " * 1_900
    form = form_of(failed(said=said))

    assert len(field(form, DEMAND)["initial_value"]) + len(field(form, REST)["initial_value"]) >= len(said) - 2
    assert view_problems(form) == []


@settings(
    max_examples=examples(13),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
@given(negotiations(where=lambda state: state.status is Status.FAILED))
def test_slack_takes_every_form(state: Negotiation) -> None:
    for language in ("en", "zh"):
        assert view_problems(forms.form_of(BY_NAME[REOPEN], REOPEN_FORM, state, texts_in(language))) == []
