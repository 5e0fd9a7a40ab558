"""What people see once it is decided that a plan is carried out, and the form in which that is decided."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from bot.local_slack.blocks import view_problems
from bot.texts import texts_in
from bot.views.kit.button_values import ActionButton
from bot.views.kit.handover import CARRY_OUT, PLAN_IT
from bot.views.kit.modals import read_metadata
from bot.views.kit.story.buttons import OPEN_PAGE
from bot.views.negotiation.action_forms import AS_IT_STANDS, HOW, PROCEED_FORM
from bot.views.negotiation.button_values import EXPORT, PROCEED, REOPEN, SHARE, UNDO, WHY_PLAN
from bot.views.negotiation.presenter import posts
from engine.kernel import Place
from engine.negotiation.actions import BY_NAME
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation
from tests.examples import examples
from tests.negotiation.scenario import REQUESTER, STREAM
from tests.views import forms
from tests.views.corpus import negotiations
from tests.views.message_contents import buttons, shown, texts_of
from tests.views.stories import THREAD, Story, post_of, voting

LINKED = {"aya": "U_AYA", "bo": "U_BO"}


def settled(*votes: str, place: Place | None = None) -> Story:
    story = voting("aya", "bo", linked=LINKED, policy=Policy(max_rounds=1), place=place or THREAD)
    for agent, vote in zip(LINKED, votes or ("accept", "accept"), strict=True):
        story.twin(agent, vote, wish="less work" if vote == "negotiate" else "")
    return story.time_is_up()


def form_of(story: Story, language: Any = "en") -> dict[str, Any]:
    return forms.form_of(BY_NAME[PROCEED], PROCEED_FORM, story.state, texts_in(language))


def ways_in(form: dict[str, Any]) -> list[str]:
    """Return how one can go on from the plan."""
    [chosen] = [each["element"] for each in form["blocks"] if each.get("block_id") == HOW]
    return [each["value"] for each in chosen["options"]]


@pytest.mark.parametrize("votes", [("accept", "accept"), ("accept", "negotiate")])
def test_the_final_card_says_who_decided_and_when_and_has_the_button_no_more(votes: tuple[str, str]) -> None:
    story = settled(*votes)
    assert list(buttons(post_of(story, "outcome"))) == [PROCEED, SHARE, EXPORT, WHY_PLAN]
    assert ways_in(form_of(story)) == [AS_IT_STANDS, PLAN_IT, CARRY_OUT]

    story.now += 60_000
    story.goes_ahead()

    card = post_of(story, "outcome")
    assert list(buttons(card)) == [UNDO, PLAN_IT, CARRY_OUT, SHARE, EXPORT, WHY_PLAN]
    assert (
        f"🚀 It goes ahead: <@{REQUESTER}> decided that this plan is carried out (<!date^{story.now // 1000}^"
        in shown(card)
    )
    assert [each.key for each in posts(story.state) if not each.to][-1] == "outcome"


def test_whoever_takes_part_hears_it_in_the_message_that_said_how_it_ended() -> None:
    story = settled("accept", "negotiate")
    before = [each.key for each in posts(story.state)]

    story.goes_ahead()

    assert [each.key for each in posts(story.state)] == before
    for agent in LINKED:
        assert "🚀 It goes ahead" in shown(post_of(story, f"ending/{agent}"))


def test_where_nothing_was_agreed_there_is_nothing_to_carry_out() -> None:
    assert list(buttons(post_of(settled("reject", "reject"), "outcome"))) == [REOPEN, EXPORT, WHY_PLAN, OPEN_PAGE]


def test_the_channel_is_told_in_one_message_of_the_thread_that_shows_there_too() -> None:
    story = settled().goes_ahead(announce=True)

    [*_, last] = [each for each in posts(story.state) if not each.to]
    assert (last.key, last.broadcast) == ("announcement", True)
    assert "An evening together" in shown(last)
    assert "🚀 It goes ahead" in shown(last)
    assert [each.key for each in posts(story.state) if each.broadcast] == ["announcement"]


def test_in_direct_messages_there_is_nobody_else_to_tell() -> None:
    story = settled(place=Place(channel="D_YOU", thread="1.1"))
    assert "announce" not in str(form_of(story)["blocks"])

    story.goes_ahead(announce=True)

    assert "announcement" not in [each.key for each in posts(story.state)]


def test_the_form_shows_what_is_decided_about() -> None:
    agreed, doubtful = texts_of(form_of(settled())), texts_of(form_of(settled("accept", "negotiate")))

    assert "An evening together" not in agreed  # it stands on the card
    assert "⚠️" not in agreed
    assert "⚠️ Not everyone agreed: 1 of 2 confirmed." in doubtful
    assert "without *Bo*; talk to them" in doubtful
    assert "*Still open*\n• *Bo*: less work" in doubtful


def test_what_was_chosen_is_read() -> None:
    form, state, read = form_of(settled()), settled().state, PROCEED_FORM.read
    assert read is not None
    for chosen, announce in ((["announce"], True), ([], False)):
        options = [{"value": each} for each in chosen]
        values = {"announce": {"announce": {"type": "checkboxes", "selected_options": options}}}
        sent = {**form, "state": {"values": values}}
        assert read(state, sent, texts_in("en")) == {"announce": announce, "reminds": True}
    assert read(state, {**form, "state": {"values": {}}}, texts_in("en")) == {"announce": False, "reminds": True}
    assert read_metadata(form, ActionButton).stream == STREAM
    with pytest.raises(ValueError, match="none of ours"):
        read_metadata({**form, "private_metadata": "{}"}, ActionButton)


@settings(
    max_examples=examples(13),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
@given(negotiations(where=lambda state: state.final is not None))
def test_slack_takes_every_form(state: Negotiation) -> None:
    for language in ("en", "zh"):
        assert view_problems(forms.form_of(BY_NAME[PROCEED], PROCEED_FORM, state, texts_in(language))) == []
