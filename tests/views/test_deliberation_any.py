"""Whatever is argued, and however long: Slack takes every message and form, and no text of anybody is markup."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.texts import texts_in
from bot.views.deliberation import thread
from bot.views.deliberation.forms import ask_form, decide_form, point_form
from bot.views.deliberation.home import sections
from bot.views.deliberation.names import reason_text
from bot.views.deliberation.positions import arguments
from bot.views.deliberation.presenter import DeliberationPresenter
from bot.views.deliberation.values import ASK, DECIDE, EXPORT, POINT, STOP, DecideButton
from bot.views.directory.home_page import Home, home
from bot.views.kit.home_part import Agenda
from bot.views.kit.post import Post
from engine.deliberation.rounds.people import check_point, check_question, may_ask, may_choose_now, may_object
from engine.deliberation.state import ENDED, Deliberation, Status
from engine.deliberation.terms import Reason
from engine.errors import Refusal
from engine.facts.language import catalogue_of
from tests.deliberation.scenario import ANN, REQUESTER, STREAM
from tests.examples import examples
from tests.views.deliberations import PLACE, corpus, deliberations
from tests.views.message_contents import (
    assert_as_slacks_types_say,
    assert_calls_nobody,
    assert_fit,
    assert_harmless,
    assert_taken,
    buttons,
    filled,
    mrkdwn,
)

LANGUAGES = ("en", "zh")

any_deliberation = settings(
    max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def posts(state: Deliberation, language: Any = "en") -> list[Post]:
    return thread.posts(state, texts_in(language))


@any_deliberation
@given(deliberations())
def test_a_card_has_one_filled_button_at_most(state: Deliberation) -> None:
    for post in posts(state):
        assert len(filled(post)) <= 1, post.key


@any_deliberation
@given(deliberations(), st.sampled_from(LANGUAGES))
def test_every_message_fits(state: Deliberation, language: str) -> None:
    assert_fit(posts(state, language))


@any_deliberation
@given(deliberations())
def test_every_block_is_as_slacks_types_say(state: Deliberation) -> None:
    assert_as_slacks_types_say(posts(state))


@any_deliberation
@given(deliberations(), st.sampled_from(LANGUAGES))
def test_every_form_and_page_is_taken(state: Deliberation, language: Any) -> None:
    texts = texts_in(language)
    decides = DecideButton(stream=STREAM, round=len(state.rounds))
    agenda = Agenda(undecided=[state] * 20, own=[state] * 10, older=200)
    page = home(Home(REQUESTER, None, [sections(agenda, REQUESTER, texts)]), texts)
    views = [arguments(state, texts), point_form(state, texts), ask_form(state, texts),
             decide_form(state, decides, texts), page]  # fmt: skip
    for each in assert_taken(views):
        assert_harmless(each["text"] if each["type"] == "mrkdwn" else "", known(state) | {"!date"})


@any_deliberation
@given(deliberations(), st.sampled_from(LANGUAGES))
def test_only_our_own_marks_are_live(state: Deliberation, language: str) -> None:
    for text in mrkdwn(posts(state, language)):
        assert_harmless(text, known(state) | {"!date"})
    assert_calls_nobody(posts(state, language))


def known(state: Deliberation) -> set[str]:
    return {REQUESTER, ANN, PLACE.channel, *(each.user_id for each in state.brief.people)}


@any_deliberation
@given(deliberations())
def test_a_deliberation_is_one_card_the_questions_and_one_report(state: Deliberation) -> None:
    keys = [each.key for each in posts(state)]
    if state.erased == "*":
        assert keys == []
        return
    questions = [each.question_id for each in state.questions]
    assert keys == ["plan", *questions, *(["report"] if state.report else [])]
    assert [each.to for each in posts(state)] == [""] * len(keys)


@any_deliberation
@given(deliberations(lambda state: state.erased != "*"))
def test_each_button_stands_where_it_can_be_used_and_only_there(state: Deliberation) -> None:
    offered = Counter(action for each in posts(state) for action in buttons(each))
    cards = 1 + (state.status in ENDED and state.report is not None)  # on the report, too, once it has ended
    assert offered[POINT] == cards * may_object(state)
    assert offered[ASK] == cards * may_ask(state)
    assert offered[STOP] == (state.status in (Status.ARGUING, Status.CLOSING))
    assert offered[EXPORT] == (state.report is not None)
    assert offered[DECIDE] == may_choose_now(state)


@any_deliberation
@given(deliberations(lambda state: state.exists))
def test_a_button_stands_where_whoever_takes_part_is_not_refused(state: Deliberation) -> None:
    for may, check in ((may_object, check_point), (may_ask, check_question)):
        try:
            check(state, REQUESTER)
        except Refusal:
            assert not may(state)
        else:
            assert may(state)


@any_deliberation
@given(deliberations(may_choose_now))
def test_what_is_decided_carries_the_round_that_was_shown(state: Deliberation) -> None:
    [value] = [each[DECIDE]["value"] for each in map(buttons, posts(state)) if DECIDE in each]
    assert DecideButton.read(value) == DecideButton(stream=STREAM, round=len(state.rounds))


@any_deliberation
@given(deliberations())
def test_the_same_state_looks_the_same(state: Deliberation) -> None:
    assert [each.digest for each in posts(state)] == [each.digest for each in posts(state)]


@any_deliberation
@given(deliberations())
def test_everybody_reads_the_same_in_the_language_that_it_is_argued_in(state: Deliberation) -> None:
    """Where nobody has said which that is, in that of whoever asked."""
    presenter = DeliberationPresenter()
    shown = posts(state, catalogue_of(state.language) if state.language else "zh")
    assert [each.digest for each in presenter.posts(state, lambda _user, _about: "zh")] == [
        each.digest for each in shown
    ]
    assert presenter.readers(state) == ()


def test_there_is_nothing_to_show_before_a_goal() -> None:
    assert posts(Deliberation()) == []


def test_the_corpus_has_every_status() -> None:
    assert {each.status for each in corpus()} == {*Status} - {Status.NEW}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_is_told_in_words_of_its_own(language: Any) -> None:
    told = [reason_text(each, texts_in(language)) for each in Reason]
    assert len({*told}) == len(told)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_held_against_a_plan_is_listed_once(language: Any) -> None:
    for state in corpus():
        for block in arguments(state, texts_in(language))["blocks"]:
            lines = [line for line in block["text"]["text"].split("\n") if line[:1] in "🔴🟠⚪"]
            told = Counter(line[2:].partition(" – ")[0].strip(" .。") for line in lines if line)
            assert [each for each, times in told.items() if each and times > 1 and not each.endswith("…")] == []
