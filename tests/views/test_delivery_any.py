"""Whatever is carried out, and however long: Slack takes every message and form, and no text of anybody is markup."""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.texts import texts_in
from bot.views.delivery import thread
from bot.views.delivery.button_values import ADD, EXPORT, STOP, TICKETS, TicketButton
from bot.views.delivery.decisions import is_open, ownerless
from bot.views.delivery.forms_leading import (
    add_form,
    block_answer_form,
    budget_form,
    changes_form,
    clarification_form,
    drop_form,
    owner_form,
    owners_form,
    without_owner,
)
from bot.views.delivery.forms_owning import ticket_form, tickets_form
from bot.views.delivery.home import sections
from bot.views.delivery.names import end_text, failure_text, need_text
from bot.views.directory.home_page import Home, home
from bot.views.kit.button_values import SHOW_ALL
from bot.views.kit.home_part import Agenda
from bot.views.kit.pages import paginate
from bot.views.kit.post import Post
from engine.delivery.policy import Policy
from engine.delivery.state import AskedDecision, Delivery, Status, Ticket
from engine.delivery.terms import EndReason, PersonNeed
from tests.delivery.scenario import ANN, BO, FOR_AGENT, REQUESTER, STREAM, instructed, task
from tests.examples import examples
from tests.views.deliveries import PLACE, corpus, deliveries
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
LINK = r"<https?://[^<>|]+\|[^<>|]*>"

any_delivery = settings(
    max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def posts(state: Delivery, language: Any = "en") -> list[Post]:
    return thread.posts(state, texts_in(language))


def drawings(state: Delivery, language: Any = "en") -> list[Post]:
    """Every post as workspaces with Slack's newer blocks get it, and as those without do."""
    drawn = posts(state, language)
    return [*drawn, *(replace(each, content=each.plain_blocks, without_newer=None) for each in drawn if each.has_newer)]


@any_delivery
@given(deliveries())
def test_a_card_has_one_filled_button_at_most(state: Delivery) -> None:
    for post in posts(state):
        assert len(filled(post)) <= 1, post.key


@any_delivery
@given(deliveries(), st.sampled_from(LANGUAGES))
def test_every_message_fits(state: Delivery, language: str) -> None:
    assert_fit(drawings(state, language))


@any_delivery
@given(deliveries())
def test_every_block_is_as_slacks_types_say(state: Delivery) -> None:
    assert_as_slacks_types_say(drawings(state))


@any_delivery
@given(deliveries(lambda state: bool(state.tickets)), st.sampled_from(LANGUAGES))
def test_every_form_and_page_is_taken(state: Delivery, language: Any) -> None:
    texts = texts_in(language)
    agenda = Agenda(asked=[state] * 20, undecided=[state] * 20, own=[state] * 10, older=200)
    page = home(Home(REQUESTER, None, [sections(agenda, ANN, texts)]), texts)
    views = [add_form(state, texts), budget_form(state, texts), tickets_form(state, texts), page]
    for ticket in [*state.tickets.values()][:5]:
        button = TicketButton(stream=STREAM, ticket=ticket.ticket_id)
        views += [
            ticket_form(state, ticket, texts, may_approve=True), owner_form(state, ticket, button, texts),
            drop_form(state, ticket, button, texts), changes_form(state, ticket, button, texts),
            block_answer_form(state, ticket, button, texts),
        ]  # fmt: skip
    views += [owners_form(state, texts)] if without_owner(state) else []
    views += [clarification_form(state, each, texts) for each in state.clarifications]
    for each in assert_taken(views):
        is_harmless(each["text"] if each["type"] == "mrkdwn" else "")


@any_delivery
@given(deliveries(), st.sampled_from(LANGUAGES))
def test_only_our_own_marks_are_live(state: Delivery, language: str) -> None:
    for text in mrkdwn(drawings(state, language)):
        is_harmless(text)
    assert_calls_nobody(drawings(state, language))


def is_harmless(text: str) -> None:
    assert_harmless(text, {REQUESTER, ANN, BO, PLACE.channel}, LINK)


def key_of(state: Delivery, ticket: Ticket, asked: AskedDecision) -> str:
    """Of the message that asks it: tickets that nobody has are asked about together."""
    together = any(asked is one for _, one in ownerless(state).get(asked.at, ()))
    return f"owners-{asked.at}" if together else f"decision-{ticket.ticket_id}-{asked.number}"


@any_delivery
@given(deliveries())
def test_a_delivery_is_one_board_each_decision_once_and_one_report(state: Delivery) -> None:
    keys = [each.key for each in posts(state)]
    asked = [f"clarification-{each.number}" for each in state.clarifications]
    decided = {key_of(state, each, one) for each in state.tickets.values() for one in each.decisions}
    assert keys[: 1 + len(asked)] == ["board", *asked]
    assert {*keys[1 + len(asked) :]} == decided | ({"report"} if state.report else set())
    assert len({*keys}) == len(keys)
    assert not any("/" in key for key in keys)  # those would be direct messages


@any_delivery
@given(deliveries())
def test_each_button_stands_where_it_can_be_used_and_only_there(state: Delivery) -> None:
    offered = Counter(action for each in posts(state) for action in buttons(each))
    assert offered[ADD] == offered[TICKETS] == (state.status is Status.WORKING)
    assert offered[STOP] == (state.is_open and state.status is not Status.REPORTING)
    assert offered[EXPORT] == (state.report is not None)
    for ticket in state.tickets.values():
        for asked in ticket.decisions:
            post = next(each for each in posts(state) if each.key == key_of(state, ticket, asked))
            some = ownerless(state).get(asked.at, ()) if post.key.startswith("owners-") else ((ticket, asked),)
            waits = any(is_open(state, *each) for each in some)
            assert bool(buttons(post).keys() - {SHOW_ALL}) == waits
            assert post.restored == waits


@any_delivery
@given(deliveries(lambda state: bool(state.tickets)), st.sampled_from(LANGUAGES))
def test_the_board_says_the_same_with_and_without_task_cards(state: Delivery, language: Any) -> None:
    board = posts(state, language)[0]
    cards = [task for block in board.blocks if block["type"] == "plan" for task in block["tasks"]]
    if not board.has_newer:
        assert cards == []
        return
    told = json.dumps(board.plain_blocks, ensure_ascii=False)
    assert [each["task_id"] for each in cards] == [*state.tickets]
    assert all(f"*{each}* " in told for each in state.tickets)
    assert board.plain_blocks != board.blocks


def test_the_corpus_has_boards_of_either_kind() -> None:
    assert {posts(each)[0].has_newer for each in corpus() if each.tickets and each.erased != "*"} == {
        True,
        False,
    }


def test_every_ticket_is_told_in_full_where_the_board_has_no_room() -> None:
    large = [each for each in corpus() if len(each.tickets) == 100 and each.erased != "*"]
    assert large
    for state in large:
        board = posts(state)[0]
        assert SHOW_ALL in buttons(board)
        assert board.card is not None
        told = json.dumps(paginate(board.card), ensure_ascii=False)
        assert all(f"*{each}* " in told for each in state.tickets)


@any_delivery
@given(deliveries())
def test_the_same_state_looks_the_same(state: Delivery) -> None:
    assert [each.digest for each in posts(state)] == [each.digest for each in posts(state)]


def test_the_corpus_has_every_status_and_every_need() -> None:
    assert {each.status for each in corpus()} >= {
        Status.CLARIFYING, Status.WORKING, Status.REPORTING, Status.COMPLETED, Status.INCOMPLETE,
    }  # fmt: skip
    asked = {one.need for each in corpus() for ticket in each.tickets.values() for one in ticket.decisions}
    assert asked == {*PersonNeed}


def test_what_an_agent_says_of_its_error_is_shown_and_marks_nothing() -> None:
    policy = Policy(retries=0, escalations=0)
    scenario = instructed(task(owner=FOR_AGENT), policy=policy)
    scenario.worked(failure="agent_error", detail="Error 529 <!channel> <https://evil.example|yours>")
    told = next(str(each.blocks) for each in posts(scenario.state) if each.key.startswith("decision"))
    assert "It answered with an error. Error 529" in told
    assert "<!channel>" not in told
    assert "<https://evil.example" not in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_is_told_in_words_of_its_own(language: Any) -> None:
    texts = texts_in(language)
    for told in ([end_text(each, texts) for each in EndReason], [need_text(each, texts) for each in PersonNeed]):
        assert len({*told}) == len(told)
    assert failure_text("timeout", "", texts) != failure_text("stalled", "", texts)
    for code in ("misconfigured", "agent_error"):
        assert "SOME_KEY is not set" in failure_text(code, "SOME_KEY is not set", texts)
