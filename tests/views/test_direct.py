"""People's direct messages: each is about the reader's own part, in words that fit their case."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.views.kit.fit import draw_whole
from bot.views.kit.post import Post
from bot.views.negotiation.button_values import (
    ACCEPT,
    CANNOT,
    DELEGATE,
    NEGOTIATE,
    WHY,
    WITHDRAW,
    SeatButton,
    VoteButton,
)
from bot.views.negotiation.presenter import posts
from bot.views.negotiation.voting.participant_card import card_round
from engine.facts.circumstances import When
from engine.llm.port import OFFLINE
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Circumstances,
    ConditionAnswer,
    ProposalDraft,
    RequestAddressed,
    RequestDeclined,
    Timeline,
)
from engine.negotiation.policy import Policy
from engine.negotiation.state import Negotiation, Seat, Status
from tests.examples import examples
from tests.negotiation.scenario import REQUESTER
from tests.views.message_contents import OURS, buttons, shown, texts_within
from tests.views.stories import Story, voting

LINKED = {"aya": "U_AYA", "bo": "U_BO", "chen": "U_CHEN", "dee": "U_DEE"}
EVERYBODY = (*LINKED, "alone")


def direct(state: Negotiation, user: str = "U_AYA") -> list[Post]:
    return [post for post in posts(state) if post.to == user]


def everything_in(post: Post) -> str:
    """Also what is behind *Show all*."""
    drawn = draw_whole(post.card) if post.card else []
    return "\n".join((post.text, post.as_text, shown(post), *(each["text"] for each in texts_within(drawn))))


# ── anything people may do ────────────────────────────────────────────────────────────────────────────────────────


def by(agent: str, what: str) -> str:
    """A text of which one can see whose it is."""
    return f"{what} ⟦{agent}⟧ " * 40


def history(choose: Random) -> list[Negotiation]:
    """A negotiation after each step, in which everybody's texts bear their name."""
    story = Story(linked=LINKED, policy=Policy(fail_below=None, max_rounds=3, finalize_at=100))
    story.demand().understood().shortlisted(*EVERYBODY)
    seen = [story.state]
    for each in EVERYBODY:
        story.offers(each, "conditional", contribution=by(each, "offer"), conditions=(by(each, "condition"),))
    while story.state.is_open and len(seen) < 60:
        if story.state.current is None:
            _propose(story)
            continue
        seen.append(story.state)
        for each in story.state.rounds[-1].seats:
            if story.state.current is not None and choose.random() < 0.9:
                _twin_votes(story, each, choose)
                seen.append(story.state)
        for each, user in LINKED.items():
            if story.state.current is not None and each in story.state.current.seats and choose.random() < 0.4:
                story.clicks(user, each, choose.choice(VOTES), by(each, "wish"))
                seen.append(story.state)
        if story.state.current is not None:
            if choose.random() < 0.7:
                story.now = story.state.current.window.people_until - 1_800_000
                seen.append(story.rings(f"remind/{story.state.round}").state)
            seen.append((story.stopped() if choose.random() < 0.1 else story.time_is_up()).state)
    return seen


VOTES = ("accept", "negotiate", "negotiate", "reject", "withdraw")


def _twin_votes(story: Story, agent: str, choose: Random) -> None:
    if choose.random() < 0.3:
        story.twin_fails(agent)
    else:
        story.twin(agent, choose.choice(VOTES[:4]), by(agent, "reason"), by(agent, "wish"))


def _propose(story: Story) -> None:
    seated = [each for each in EVERYBODY if each not in story.state.withdrawn and each != "dee"]
    number = len(story.state.proposals)
    story.proposed(
        ProposalDraft(
            summary="An evening together",
            assignments=tuple(
                Assignment(agent_id=each, role=by(each, "role"), responsibility=by(each, f"duty {number}"))
                for each in seated
            ),
            conditions=tuple(
                ConditionAnswer(agent_id=each, condition=by(each, "condition"), met=False, reason=by(each, "why not"))
                for each in seated
            ),
            adjustment_summary=AdjustmentSummary(
                requests_declined=tuple(
                    RequestDeclined(agent_id=each, request=by(each, "wish"), reason=by(each, "no")) for each in seated
                )
            ),
        )
    )


any_history = settings(max_examples=examples(6), deadline=None)
chance = st.randoms(use_true_random=False)


@any_history
@given(chance)
def test_nobody_reads_what_belongs_to_somebody_else(choose: Random) -> None:
    seen = history(choose)
    for post in posts(seen[-1]):
        if post.to:
            mine = {agent for agent, user in LINKED.items() if user == post.to}
            assert set(re.findall(r"⟦(\w+)⟧", everything_in(post))) <= mine


@any_history
@given(chance)
def test_everything_that_is_ones_own_is_there(choose: Random) -> None:
    seen = history(choose)
    state = seen[-1]
    for user, post in ((post.to, post) for post in posts(state) if post.key.startswith("part-")):
        number, agent = post.key.removeprefix("part-").split("/")
        assert LINKED[agent] == user
        text = re.sub(r"\s+", " ", everything_in(post))
        proposal = state.proposals[state.rounds[int(number) - 1].version - 1]
        [mine] = [each for each in proposal.assignments if each.agent_id == agent]
        asked = [each for each in proposal.conditions if each.agent_id == agent]
        for word in (
            mine.role,
            mine.responsibility,
            *(text for each in asked for text in (each.condition, each.reason)),
        ):
            assert word.strip() in text


@any_history
@given(chance)
def test_a_message_changes_only_with_what_concerns_its_reader(choose: Random) -> None:
    seen = history(choose)
    for before, after in pairwise(seen):
        if before.current is None or after.current is None or before.round != after.round:
            continue
        for agent, user in LINKED.items():
            seats = [each.current.seats.get(agent) for each in (before, after) if each.current]
            if seats[0] == seats[1] and before.current.reminded == after.current.reminded:
                assert direct(before, user) == direct(after, user)


@any_history
@given(chance)
def test_what_was_said_once_stays_as_it_is_and_where_it_is(choose: Random) -> None:
    """Nothing is put in between, and only the parts change."""
    seen = history(choose)
    for before, after in pairwise(seen):
        for user in LINKED.values():
            old, new = direct(before, user), direct(after, user)
            assert [post.key for post in new][: len(old)] == [post.key for post in old]
            for was, now in zip(old, new, strict=False):
                assert was.key.startswith("part-") or was.digest == now.digest


def is_told(seat: Seat) -> bool:
    """Whether there is something new for the person: a vote of theirs that stands as before is none."""
    return not seat.human.carried if seat.human else not seat.twin_asked


@any_history
@given(chance)
def test_whoever_has_a_twin_to_overrule_gets_each_round_and_the_others_nothing(choose: Random) -> None:
    for state in (seen := history(choose)):
        for agent, user in LINKED.items():
            rounds = [each for each in state.rounds if agent in each.seats]
            settled = [each for each in rounds if is_told(each.seats[agent])]
            parts = [post.key for post in direct(state, user) if post.key.startswith("part-")]
            shown_in = (card_round(state, each.number - 1, agent) for each in settled)
            assert parts == [*dict.fromkeys(f"part-{each.number}/{agent}" for each in shown_in)]
        told = [post.key for post in direct(state, REQUESTER)]
        is_over = state.rounds and not state.is_open and state.status is not Status.CANCELLED
        assert told == (["ending-asked"] if is_over else [])
    assert [post.key for post in direct(seen[-1], "U_DEE")] == ["thanks/dee"]


# ── in words ──────────────────────────────────────────────────────────────────────────────────────────────────────


def round_two(agent_answers: AdjustmentSummary, role: str = "aya's role") -> Story:
    story = voting("aya", "bo", "chen", linked=LINKED, policy=Policy(fail_below=None))
    for each in ("aya", "bo", "chen"):
        story.twin(each, "negotiate", wish="shorter, please")
    return story.time_is_up().proposed(
        ProposalDraft(
            summary="An evening, later",
            assignments=tuple(
                Assignment(agent_id=each, role=role, responsibility=f"{each} helps") for each in ("aya", "bo", "chen")
            ),
            adjustment_summary=agent_answers,
        )
    )


def last(story: Story) -> str:
    return shown(direct(story.state)[-1])


Happens = Callable[[Story], Story]


@pytest.mark.parametrize(
    ("happens", "says"),
    [
        pytest.param(
            lambda story: story.twin("aya", "accept", "it suits"), ["✅ Your twin accepts – it suits"], id="yes"
        ),
        pytest.param(
            lambda story: story.twin("aya", "negotiate", wish="later"),
            ["💬 Your twin asks for a change – later", "Your twin’s vote stands unless you decide otherwise by"],
            id="change",
        ),
        pytest.param(lambda story: story.twin("aya", "reject", "why"), ["✋ Your twin says no – why"], id="no"),
        pytest.param(
            lambda story: story.twin("aya", "withdraw", "why"), ["👋 Your twin withdraws – why"], id="withdraws"
        ),
        pytest.param(
            lambda story: story.twin("aya", "reject").clicks("U_AYA", "aya", "accept"),
            ["✅ You accept", "You can change your mind as long as the round is open"],
            id="overruled",
        ),
        pytest.param(
            lambda story: story.twin("aya", "accept").clicks("U_AYA", "aya", "negotiate", "later"),
            ["💬 You ask for a change – later"],
            id="own wish",
        ),
        pytest.param(
            lambda story: story.twin("aya", "accept").clicks("U_AYA", "aya", "reject", "never"),
            ["✋ You say no – never"],
            id="own no",
        ),
        pytest.param(
            lambda story: story.twin_fails("aya"),
            [
                "⏳ Your twin could not answer. It is yours to decide.",
                "If you say nothing, that counts as no objection.",
            ],
            id="no answer",
        ),
        pytest.param(
            lambda story: story.twin_fails("aya").stopped(),
            ["▫️ Nobody answered for you.", "Stopped before this round was over."],
            id="stopped",
        ),
    ],
)
def test_the_part_says_how_the_vote_stands(happens: Happens, says: Sequence[str]) -> None:
    part = direct(happens(voting("aya", "bo", "chen", linked=LINKED)).state)[0]
    for each in says:
        assert each in shown(part)


def test_where_silence_means_nothing_it_says_so() -> None:
    story = voting("aya", "bo", linked=LINKED, policy=Policy(silence="silent")).twin_fails("aya")
    assert "If you say nothing, nobody takes it for a yes." in last(story)


def test_it_says_what_became_of_ones_wish_and_of_ones_part() -> None:
    taken = AdjustmentSummary(
        requests_addressed=(RequestAddressed(agent_id="aya", request="shorter, please"),),
        requests_declined=(RequestDeclined(agent_id="bo", request="shorter, please", reason="it is short"),),
    )
    story = round_two(taken, role="the speaker").twin("aya", "accept").twin("bo", "accept")
    assert "○ Your wish was taken up: shorter, please" in last(story)
    assert "The part was: aya helps" in last(story)
    assert "Your wish was not taken up: shorter, please – it is short" in shown(direct(story.state, "U_BO")[-1])
    assert "What changed for you" not in shown(direct(story.state)[0])


def test_the_buttons_are_for_that_seat_and_that_round() -> None:
    story = voting("aya", "bo", linked=LINKED).twin("aya", "accept")
    [part] = direct(story.state)
    assert list(buttons(part)) == [ACCEPT, NEGOTIATE, WITHDRAW, CANNOT, DELEGATE, WHY]
    values = {VoteButton.read(buttons(part)[each]["value"]) for each in (ACCEPT, NEGOTIATE, WITHDRAW)}
    [value] = values
    assert {SeatButton.read(buttons(part)[each]["value"]).agent_id for each in (DELEGATE, WHY)} == {"aya"}
    opened = story.state.current
    assert opened is not None
    assert (value.agent_id, value.round, value.digest) == ("aya", 1, opened.digest)


@pytest.mark.parametrize(
    ("end", "says"),
    [
        (("accept", "accept", "accept"), ["we have a plan", "You are confirmed. Your part:\naya's role\naya helps"]),
        (("negotiate", "accept", "accept"), ["with partial agreement", "You have not confirmed your part yet:"]),
        (("reject", "reject", "accept"), ["no agreement this time", "fewer than 50% accepted", "Nothing is expected"]),
    ],
    ids=["confirmed", "not confirmed", "failed"],
)
def test_the_end_says_what_it_means_for_its_reader(end: tuple[str, ...], says: Sequence[str]) -> None:
    story = voting("aya", "bo", "chen", linked=LINKED, policy=Policy(max_rounds=1))
    for agent, vote in zip(("aya", "bo", "chen"), end, strict=True):
        story.twin(agent, vote)
    for each in says:
        assert each in last(story.time_is_up())


def test_nobody_is_told_that_they_have_confirmed_what_rules_alone_agree_to() -> None:
    story = voting("aya", "bo", linked=LINKED).twin("aya", "accept", model=OFFLINE).twin("bo", "accept", model=OFFLINE)
    text = last(story.time_is_up())
    assert "a draft by simple rules" in text
    assert "Your twin would, by simple rules; you were not asked yourself. Your part:\naya's role" in text


def test_the_end_says_when_and_where_its_reader_is_needed() -> None:
    told = Circumstances(location="Room 301", when=When(first="2027-03-14", last="2027-03-14"))
    story = Story(linked=LINKED).demand("A meetup").understood(context=told).shortlisted("aya").offers("aya")
    text = last(story.drafted("aya").twin("aya", "accept").time_is_up())
    assert "aya helps\n📅 Sunday, March 14\n📍 Room 301" in text


CHINESE = "五月办一场五十人的聚会"


def chinese_stories() -> Iterator[Story]:
    def begun() -> Story:
        story = Story(linked=LINKED, names=dict.fromkeys(EVERYBODY, "某人"), policy=Policy(max_rounds=2))
        story.demand(CHINESE, "zh").understood(surface_demand=CHINESE).shortlisted("aya", "bo", "chen", "dee")
        for each in ("aya", "bo", "chen", "dee"):
            story.offers(each)
        return story.proposed(proposal)

    proposal = ProposalDraft(
        summary="一起度过一个晚上",
        assignments=tuple(
            Assignment(agent_id=each, role="主持", responsibility="开场", dependencies=("场地",), core=True)
            for each in ("aya", "bo", "chen")
        ),
        timeline=Timeline(start_date="五月"),
        conditions=(ConditionAnswer(agent_id="aya", condition="投影仪", met=True),),
    )
    for vote in ("accept", "negotiate", "reject"):
        story = begun().twin("aya", vote, "可以", "晚一点").twin_fails("bo").twin("chen", "accept", "可以")
        story.now = story.state.rounds[-1].window.people_until - 1_800_000
        story.rings("remind/1").clicks("U_BO", "bo", vote, "晚一点")
        yield story.time_is_up().proposed(proposal)
        yield begun().twin("aya", vote, "可以", "晚一点").stopped()
    yield begun().twin_fails("aya").reached("aya").twin("bo", "accept").twin("chen", "accept").time_is_up()


def test_in_chinese_nothing_is_left_in_english() -> None:
    for story in chinese_stories():
        for user in LINKED.values():
            for post in direct(story.state, user):
                assert not re.findall("[A-Za-z]{2,}", OURS_TOO.sub("", everything_in(post))), post.key
                assert "。 " not in post.text


OURS_TOO = re.compile(OURS.pattern + r"|<[^>]*>")
