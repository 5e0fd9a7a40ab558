"""What a twin has only prepared is shown to whoever may give it, and to nobody else."""

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.texts import texts_in
from bot.views.kit.home_part import Agenda
from bot.views.negotiation.button_values import ACCEPT, VOTE_PREPARED
from bot.views.negotiation.home import sections
from bot.views.negotiation.presenter import posts
from bot.views.negotiation.voting.accept_all import ACCEPT_ALL
from bot.views.negotiation.voting.vote_forms import WHY, OpenedVoteForm, vote_form
from bot.views.negotiation.voting.wish_fields import ABOUT, CHANGE
from engine.facts.data import Days
from engine.negotiation.answers import FeedbackAnswer
from engine.negotiation.commands import RecordFeedback
from engine.negotiation.events import PreparedVote
from engine.negotiation.policy import Policy
from engine.negotiation.voting.kinds import FeedbackType
from tests.examples import examples
from tests.negotiation.scenario import REQUESTER
from tests.views.message_contents import shown
from tests.views.stories import Story, post_of, voting
from tests.views.test_blind_votes import read_by

LINKED = {"aya": "U_AYA", "bo": "U_BO"}
DEL = "U_DEL"
PATIENT = Policy(human_window=3600, override_window=30)
EVERYBODY = ("U_AYA", "U_BO", DEL, REQUESTER, "U_NOBODY")
MINE = {"aya": {"U_AYA", DEL}, "bo": {"U_BO"}, "chen": {REQUESTER}}
"""Who may give the vote of each seat."""
OTHERS = [(agent, reader) for agent, users in MINE.items() for reader in EVERYBODY if reader not in users]

kinds = st.sampled_from([each.value for each in FeedbackType if each.kind.by_twin])
votes = st.tuples(kinds, st.text(min_size=1, max_size=40).map(lambda text: f"x{text}"))


def prepared(**votes: tuple[str, str]) -> Story:
    """By agent id, what the twin of each has prepared, and in which words."""
    story = voting("aya", "bo", "chen", linked=LINKED, preparing=("aya", "bo", "chen"), policy=PATIENT)
    story.delegates("U_AYA", "aya", DEL)
    for agent, (vote, words) in votes.items():
        story.twin(agent, vote, words, words if vote == "negotiate" else "")
    return story


def buttons(post: Any) -> list[tuple[str, str]]:
    """Name and style of each."""
    rows = [block for block in post.blocks if block["type"] == "actions"]
    return [(each["action_id"], each.get("style", "")) for row in rows for each in row["elements"]]


# ── nobody else ───────────────────────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(votes, votes, st.sampled_from(OTHERS), st.sampled_from(["en", "zh"]))
def test_nothing_that_anybody_else_may_see_depends_on_it(
    vote: tuple[str, str], instead: tuple[str, str], whose: tuple[str, str], language: Any
) -> None:
    agent, reader = whose
    one, two = prepared(**{agent: vote}), prepared(**{agent: instead})

    assert read_by(reader, one.state, language) == read_by(reader, two.state, language)


def test_the_property_would_see_a_difference() -> None:
    one, two = (
        prepared(aya=("accept", "so"), chen=("accept", "so")),
        prepared(aya=("withdraw", "so"), chen=("reject", "")),
    )
    for reader in ("U_AYA", DEL, REQUESTER):
        assert read_by(reader, one.state, "en") != read_by(reader, two.state, "en")


def test_in_the_thread_there_is_only_that_they_are_waited_for() -> None:
    story = prepared(aya=("accept", "it suits me"), chen=("negotiate", "at ten"))

    card = shown(post_of(story, "round-1"))

    assert "⏳ waits for *Aya*" in card
    assert "⏳ *Chen*: waits for whoever asked" in card
    assert "A twin’s vote stands" not in card
    for each in posts(story.state):
        if not each.to:
            assert "it suits me" not in json.dumps(each.blocks)
            assert "would" not in shown(each)


# ── whoever may give it ───────────────────────────────────────────────────────────────────────────────────────────────


def test_the_person_reads_what_the_twin_would_say_and_makes_it_theirs_with_one_button() -> None:
    card = post_of(prepared(aya=("accept", "it suits me")), "part-1/aya")

    assert "📝 Your twin would accept – it suits me\nPress to make it yours" in shown(card)
    assert "If you say nothing, nobody takes it for a yes." in shown(card)
    assert "stands unless" not in shown(card)
    assert [each for each in buttons(card) if each[1] == "primary"] == [(VOTE_PREPARED, "primary")]


def test_it_is_gone_once_they_have_voted_and_after_the_round() -> None:
    story = prepared(aya=("negotiate", "at ten")).clicks("U_AYA", "aya", "accept")
    card = post_of(story, "part-1/aya")
    assert "✅ You accept" in shown(card)
    assert "would" not in shown(card)
    assert (VOTE_PREPARED, "primary") not in buttons(card)
    assert (ACCEPT, "primary") in buttons(card)
    assert "Let your twin prepare your vote again?" in json.dumps(card.blocks)

    over = prepared(aya=("negotiate", "at ten")).time_is_up()
    assert "▫️ Nobody answered for you." in shown(post_of(over, "part-1/aya"))
    assert "at ten" not in shown(post_of(over, "part-1/aya"))


def test_a_delegate_may_give_it_too_and_reads_it() -> None:
    card = post_of(prepared(aya=("withdraw", "I am away")), f"part-1/aya/{DEL}")

    assert "📝 <@U_AYA>: the twin would withdraw – I am away" in shown(card)
    assert (VOTE_PREPARED, "primary") in buttons(card)


def test_whoever_asked_is_told_of_those_who_are_linked_to_nobody() -> None:
    story = prepared(aya=("accept", "it suits me"), chen=("negotiate", "at ten"))
    card = post_of(story, "prepared-1")

    assert (card.to, card.restored) == (REQUESTER, True)
    assert "📝 *Chen*: the twin would ask for a change – at ten" in shown(card)
    assert "it suits me" not in shown(card)
    assert (VOTE_PREPARED, "primary") in buttons(card)
    story.presses(REQUESTER, "chen")
    assert "💬 *Chen* asks for a change" in shown(post_of(story, "prepared-1"))
    assert (buttons(post_of(story, "prepared-1")), post_of(story, "prepared-1").restored) == ([], False)
    assert "💬 *Chen* asks for a change (by <@U_ASKS>, for them) – at ten" in shown(post_of(story, "round-1"))


def test_a_wish_that_is_data_alone_is_told_in_the_readers_language() -> None:
    wish = FeedbackAnswer(feedback_type=FeedbackType.NEGOTIATE, change=Days(weekdays=("mon",)))
    story = prepared().does(RecordFeedback, agent_id="aya", round=1, answer=wish)
    for language, words in (("en", "Monday"), ("zh", "周一")):
        card = next(each for each in posts(story.state, partial(spoken, language)) if each.key == "part-1/aya")
        assert words in shown(card)


def spoken(language: str, *_: str) -> str:
    return language


def test_the_reminder_says_that_it_is_there() -> None:
    story = prepared(aya=("accept", "it suits me"), bo=("accept", ""))
    story.delegates("U_AYA", "aya", "")
    story.now += 1_800_000
    story.rings("remind/1")

    assert "Your twin has prepared a vote, and it is yours to give by" in post_of(story, "reminder-1/aya").text


def test_home_lists_it_and_all_that_twins_would_accept_can_be_given_at_once() -> None:
    states = [prepared(aya=("accept", "it suits me")).state, prepared(aya=("accept", "so does this")).state]
    shown_at_home = sections(Agenda(undecided=states), "U_AYA", texts_in("en")).undecided
    written = json.dumps(shown_at_home, ensure_ascii=False)

    assert "📝 Your twin would accept – it suits me" in written
    assert written.count(VOTE_PREPARED) == 2
    assert ACCEPT_ALL in written


# ── the form ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("opened", "draft", "begins"),
    [
        ("negotiate", "negotiate", {CHANGE: "at ten", WHY: "too early"}),
        ("negotiate", "accept", {CHANGE: None, WHY: None}),
        ("withdraw", "withdraw", {WHY: "too early"}),
        ("withdraw", "negotiate", {WHY: None}),
    ],
)
def test_the_form_of_the_same_kind_begins_with_the_twins_words(opened: str, draft: str, begins: dict[str, Any]) -> None:
    story = prepared()
    seat = story.state.rounds[-1].seats["aya"]
    kind = FeedbackType(opened)
    said = PreparedVote(
        feedback_type=FeedbackType(draft),
        reasoning="too early",
        adjustment_request="at ten" if draft == "negotiate" else "",
    )
    remembers = OpenedVoteForm(stream="s", round=1, digest="d", channel="C", ts="1", vote=kind, agent_id="aya")
    view = vote_form(remembers, [seat], texts_in("en"), prepared=said)

    fields = {each["block_id"]: each["element"] for each in view["blocks"] if each["type"] == "input"}
    fields.pop(ABOUT, None)
    assert {name: each.get("initial_value") for name, each in fields.items()} == begins
