"""Whatever people and models say, however many they are: Slack takes every message, and no text mentions a channel."""

import re
from itertools import pairwise

from hypothesis import HealthCheck, given, settings

from bot.views.kit.post import Post
from bot.views.negotiation.button_values import CLARIFY, GO_ON, STOP, VoteButton
from bot.views.negotiation.presenter import posts
from bot.views.negotiation.voting.delegates import delegates_of
from engine.negotiation.state import Negotiation
from tests.examples import examples
from tests.negotiation.scenario import REQUESTER, STREAM
from tests.views.corpus import negotiations
from tests.views.message_contents import (
    CALL_TO_ALL,
    assert_as_slacks_types_say,
    assert_fit,
    assert_harmless,
    buttons,
    filled,
    in_lines,
    mrkdwn,
    plain_texts,
    shown,
)

STANDS = ("✅", "☑️", "💬", "✋", "👋", "⏳", "▫️", "🗳️")
"""How somebody stands: with one of these, their line begins."""

any_negotiation = settings(
    max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)

CUT_IN_TWO = re.compile("&(a|am|amp|l|lt|g|gt)?…")


@any_negotiation
@given(negotiations())
def test_every_message_fits(state: Negotiation) -> None:
    assert_fit(posts(state))
    for post in posts(state):
        for button in buttons(post).values():
            assert len(button.get("value", "")) <= 2_000


@any_negotiation
@given(negotiations())
def test_every_block_is_as_slacks_types_say(state: Negotiation) -> None:
    assert_as_slacks_types_say(posts(state))


@any_negotiation
@given(negotiations())
def test_only_our_own_marks_are_live(state: Negotiation) -> None:
    known = {REQUESTER, state.place.channel, *(each.user_id for each in state.invited.values())}
    known |= delegates_of(state) | ({state.reopened.by} if state.reopened else set())
    for text in mrkdwn(posts(state)):
        assert_harmless(text, known | {"!date"})
        assert not CUT_IN_TWO.search(text)


@any_negotiation
@given(negotiations())
def test_titles_and_buttons_call_nobody(state: Negotiation) -> None:
    for text in plain_texts(posts(state)):
        assert "<!" not in text
        assert not CALL_TO_ALL.search(text)


@any_negotiation
@given(negotiations())
def test_one_can_vote_in_the_open_round_and_nowhere_else(state: Negotiation) -> None:
    for post in posts(state):
        card, agent_id, *_ = (*post.key.split("/"), "")
        cards = (f"round-{state.current.number}", f"part-{state.current.number}") if state.current else ()
        votes = {name: button for name, button in buttons(post).items() if name.startswith("vote.")}
        if votes and state.current:  # of those for whom whoever asked speaks, where their twins have prepared a vote
            cards = (*cards, f"prepared-{state.current.number}")
        votable = card in cards and not post.is_late  # a delegate's, from whom it was taken back
        assert bool(votes) is votable
        waits = votable or (card == "root" and state.is_open) or not {CLARIFY, GO_ON}.isdisjoint(buttons(post))
        assert post.restored is waits
        for button in votes.values():
            carried = VoteButton.read(button["value"])
            assert state.current is not None
            assert (carried.stream, carried.round) == (STREAM, state.current.number)
            assert carried.digest == state.current.digest
            assert carried.agent_id == agent_id or card.startswith("prepared-")


@any_negotiation
@given(negotiations())
def test_a_card_has_one_filled_button_at_most(state: Negotiation) -> None:
    for post in posts(state):
        assert len(filled(post)) <= 1, post.key


@any_negotiation
@given(negotiations())
def test_one_can_stop_what_is_open(state: Negotiation) -> None:
    root, *others = posts(state)
    assert (STOP in buttons(root)) is state.is_open
    assert not any(STOP in buttons(post) for post in others if not is_decision(post))


def is_decision(post: Post) -> bool:
    """Return whether it asks what becomes of the demand without something; to stop is one of the answers."""
    return post.key.startswith("missing-") and {GO_ON, STOP} <= buttons(post).keys()


@any_negotiation
@given(negotiations())
def test_there_is_one_message_a_round_and_one_outcome(state: Negotiation) -> None:
    keys = [post.key for post in posts(state) if not post.to]
    rounds = [f"round-{each.number}" for each in state.rounds]
    questions = [f"question-{number}" for number, _ in enumerate(state.questions, start=1)]
    offers = ["offers"] if state.invited else []
    decisions = [f"missing-{number}" for number, _ in enumerate(state.decisions, start=1)]
    announced = ["announcement"] if state.proceeded and state.proceeded.announce else []
    assert keys == [
        "root",
        *questions,
        *offers,
        *decisions,
        *rounds,
        *([] if state.is_open else ["outcome"]),
        *announced,
    ]


@any_negotiation
@given(negotiations())
def test_the_same_state_looks_the_same(state: Negotiation) -> None:
    assert [post.digest for post in posts(state)] == [post.digest for post in posts(state)]


@any_negotiation
@given(negotiations(most_people=20))
def test_everybody_with_a_seat_is_in_the_message(state: Negotiation) -> None:
    """However long the texts are, they are shortened; people are not left out."""
    by_key = {post.key: post for post in posts(state)}

    def people(key: str) -> int:
        return sum(line.startswith(STANDS) for line in shown(in_lines(by_key[key])).split("\n"))

    for opened in state.rounds:
        assert state.current is not opened or people(f"round-{opened.number}") == len(opened.seats)
    plan = state.final.final_proposal if state.final else state.proposal
    if plan is not None:
        assert people("root") >= len(plan.assignments)


def test_there_is_nothing_to_show_before_a_demand() -> None:
    assert posts(Negotiation()) == ()


@any_negotiation
@given(negotiations())
def test_what_was_posted_stays_in_its_place(state: Negotiation) -> None:
    """Rounds follow each other; nothing is inserted between messages that are there already."""
    numbers = [int(post.key.removeprefix("round-")) for post in posts(state) if post.key.startswith("round-")]
    assert all(later == earlier + 1 for earlier, later in pairwise(numbers))
