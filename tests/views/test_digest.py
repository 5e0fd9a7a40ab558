"""The digest of anybody, whatever is in it: Slack takes it, it calls nobody, and it votes for what it shows."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.local_slack.blocks import block_problems
from bot.texts import texts_in
from bot.views.kit.digest import LONGEST, Listed, digest, fits, replaced_digest
from bot.views.kit.post import Post
from bot.views.negotiation.button_values import ACCEPT, VoteButton
from bot.views.negotiation.home import NegotiationDigest
from bot.views.negotiation.voting.accept_all import (
    ACCEPT_ALL,
    LONGEST_VALUE,
    accept_all_button,
    read_accept_all,
    twin_accepts,
)
from engine.facts.language import Language
from engine.negotiation.state import Negotiation
from tests.examples import examples
from tests.views.corpus import negotiations
from tests.views.message_contents import CALL_TO_ALL, ESCAPED, OURS, shown, texts_within
from tests.views.stories import Story, voting

anything = settings(
    max_examples=examples(13),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
PART = NegotiationDigest()
AYA, DEL = "U_AYA", "U_DEL"
languages = st.sampled_from(("en", "zh"))


def waiting_in(state: Negotiation, user: str) -> list[Listed]:
    return [Listed(PART, state, each.item.item) for each in PART.waiting(state, user)]


def drawn(listed: Sequence[Listed], user: str = AYA, language: Language = "en", hidden: int = 0) -> Post:
    return digest(1, listed, hidden, user, texts_in(language))


def buttons(post: Post, action: str) -> list[str]:
    elements = (each for block in post.blocks for each in block.get("elements", ()))
    return [each["value"] for each in elements if each.get("action_id") == action]


def opened(number: int, vote: str = "accept") -> Story:
    story = voting("aya", "bo", linked={"aya": AYA, "bo": "U_BO"}, stream=f"collab-{number:08}")
    return story.twin("aya", vote)


@anything
@given(st.lists(negotiations(most_people=8, where=lambda each: each.current is not None), min_size=1, max_size=4),
       languages)  # fmt: skip
def test_whatever_is_listed_slack_takes_it_and_it_calls_nobody(states: list[Negotiation], language: Language) -> None:
    users = {each.user_id for state in states for each in state.rounds[-1].seats.values() if each.user_id}
    for user in sorted(users):
        post = drawn([each for state in states for each in waiting_in(state, user)][:8], user, language, hidden=3)
        assert block_problems(list(post.blocks), "message") == []
        for text in texts_within(list(post.blocks)):
            assert not CALL_TO_ALL.search(text["text"])
            if text["type"] == "mrkdwn":
                rest = OURS.sub("", text["text"])
                assert "<" not in rest
                assert "&" not in ESCAPED.sub("", rest)


@anything
@given(negotiations(most_people=8, where=lambda each: each.current is not None))
def test_what_waits_is_what_one_can_vote_for_oneself(state: Negotiation) -> None:
    latest = state.rounds[-1]
    for seat in latest.seats.values():
        if not seat.user_id:
            continue
        listed = waiting_in(state, seat.user_id)
        for value in buttons(drawn(listed, seat.user_id), ACCEPT):
            button = VoteButton.read(value)
            assert (button.round, button.digest) == (latest.number, latest.digest)
            assert seat.user_id in state.actors_for(button.agent_id)
            assert latest.seats[button.agent_id].human is None
            assert not latest.seats[button.agent_id].twin_asked


@pytest.mark.parametrize("count", [0, 1, 12])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_says_how_many_wait(count: int, language: Language) -> None:
    post = drawn([each for number in range(count) for each in waiting_in(opened(number).state, AYA)], AYA, language)

    said = {0: ("Nothing of this", "已没有"), 1: ("1 decision is", "1 件事"), 12: ("12 decisions are", "12 件事")}
    assert said[count][language == "zh"] in post.text
    assert len(buttons(post, ACCEPT)) == count
    assert post.is_late is (count == 0)
    assert post.restored is (count > 0)
    assert len(buttons(post, ACCEPT_ALL)) == (count > 1)


def test_twelve_are_too_long_and_a_few_are_not() -> None:
    listed = [each for number in range(12) for each in waiting_in(opened(number).state, AYA)]

    assert not fits(drawn(listed))
    most = max(number for number in range(13) if fits(drawn(listed[:number])))
    assert most >= 6
    assert len(json.dumps(drawn(listed[:most]).blocks, ensure_ascii=False).encode()) <= LONGEST


def test_bytes_count_and_not_characters() -> None:
    post = drawn(waiting_in(opened(1).state, AYA))
    wide = ({"type": "section", "text": {"type": "mrkdwn", "text": "汉" * 2_900}},)

    assert fits(post)
    assert not fits(Post("digest-1/U_AYA", "", (*wide, *post.blocks)))


def test_what_is_voted_or_over_has_no_buttons_and_stays_listed() -> None:
    story = opened(1)
    [listed] = waiting_in(story.state, AYA)
    story.clicks(AYA, "aya", "accept")

    post = drawn([Listed(PART, story.state, listed.item)])

    assert "✓ You have voted." in shown(post)
    assert not buttons(post, ACCEPT)
    story.stopped("never mind")
    assert not buttons(drawn([Listed(PART, story.state, listed.item)], DEL), ACCEPT)


def test_a_part_of_another_round_is_another_decision() -> None:
    story = voting("aya", "bo", "chen", linked={"aya": AYA})
    story.twin("aya", "accept").twin("bo", "accept").twin("chen", "negotiate")
    [first] = waiting_in(story.state, AYA)
    story.time_is_up().drafted("aya", "bo", "chen").twin("aya", "accept")

    [second] = waiting_in(story.state, AYA)

    assert (first.item, second.item) == ("1/aya", "2/aya")
    assert "Nothing to decide here any more" in PART.row(story.state, first.item, AYA, texts_in("en")).text


def test_an_older_digest_has_nothing_to_press_and_is_not_posted_anew() -> None:
    post = replaced_digest(3, AYA, texts_in("en"))

    assert post.is_late
    assert [each["type"] for each in post.blocks] == ["context"]


# ── accepting all ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("vote", "is_offered"), [("accept", True), ("negotiate", False), ("reject", False), ("withdraw", False)]
)
def test_only_what_the_own_twin_accepts_is_accepted_together(vote: str, is_offered: bool) -> None:
    listed = [each for number in range(2) for each in waiting_in(opened(number, vote).state, AYA)]

    assert bool(buttons(drawn(listed), ACCEPT_ALL)) is is_offered


def test_a_delegate_accepts_nothing_together() -> None:
    """The twin is another person's."""
    stories = [opened(number).delegates(AYA, "aya", DEL) for number in range(2)]
    listed = [each for story in stories for each in waiting_in(story.state, DEL)]

    assert len(buttons(drawn(listed, DEL), ACCEPT)) == 2
    assert not buttons(drawn(listed, DEL), ACCEPT_ALL)


def test_a_twin_accepts_only_where_nobody_has_voted_in_person() -> None:
    story = opened(1)
    seat = next(each for each in story.state.rounds[-1].seats.values() if each.user_id == AYA)

    assert twin_accepts(seat, AYA)
    assert not twin_accepts(seat, "U_BO")
    assert not twin_accepts(replace(seat, human=seat.twin), AYA)
    assert not twin_accepts(replace(seat, twin=None), AYA)


@given(st.integers(0, 60), st.text(max_size=30), st.integers(1, 99))
def test_the_button_names_as_many_votes_as_slack_takes(count: int, name: str, number: int) -> None:
    votes = [
        VoteButton(stream=f"collab-{each:08}", round=number, digest="0123456789abcdef", agent_id=name)
        for each in range(count)
    ]

    found = accept_all_button(votes, texts_in("en"))

    if count < 2:
        assert found == []
        return
    [button] = found
    assert len(button["value"]) <= LONGEST_VALUE
    assert read_accept_all(button["value"]) == votes[: len(read_accept_all(button["value"]))]
    assert button["text"]["text"].endswith(f"({len(read_accept_all(button['value']))})")
