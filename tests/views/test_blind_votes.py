"""While a blind round is open nobody can tell what anybody else has voted, wherever they look."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.models import needed_prompts
from bot.registry import PROTOCOLS
from bot.texts import Texts, texts_in
from bot.views.directory.home_page import Home, home
from bot.views.kit.digest import Listed, digest
from bot.views.kit.fit import draw_whole
from bot.views.kit.home_part import Agenda
from bot.views.kit.post import Post
from bot.views.negotiation.agenda import agenda
from bot.views.negotiation.demand.why_asked import why_asked
from bot.views.negotiation.export.file import as_json
from bot.views.negotiation.export.markdown import markdown
from bot.views.negotiation.export.steps import EXPORTED, EndedNegotiation
from bot.views.negotiation.home import NegotiationDigest, sections
from bot.views.negotiation.presenter import posts
from engine.directory.profile import Profiles
from engine.facts.language import Language
from engine.kernel import Ask, later
from engine.negotiation.agreement.compromise import COMPROMISE
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import CloseRound
from engine.negotiation.drafting import DURATION
from engine.negotiation.policy import Policy
from engine.negotiation.public.build import Times
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Outcome
from tests.examples import examples
from tests.negotiation.scenario import NOON, REQUESTER
from tests.views.message_contents import shown
from tests.views.stories import Story, post_of, voting

LINKED = {"aya": "U_AYA", "bo": "U_BO", "late": "U_LATE"}
"""Nobody but her twin ever votes for the last of them, so that the round stays open."""
AGENTS = (*LINKED, "chen", "dee")
"""The last two belong to no one here."""
DEL = "U_DEL"
READERS = (*LINKED.values(), REQUESTER, DEL, "U_NOBODY")
ASKS = NegotiationAsks(needed_prompts(PROTOCOLS), Profiles({}))
WAY_OUT = Ask(name=COMPROMISE, scope=COMPROMISE, prompt=COMPROMISE)
"""What a model is told where there is no agreement: what it makes of that, everybody reads."""
BLIND = Policy(fail_below=None, blind_votes=True)
KINDS = ("accept", "negotiate", "reject", "withdraw")

kinds = st.sampled_from(KINDS)
said = st.text(min_size=1, max_size=40).map(lambda text: f"x{text}") | st.just("x" * 3_500)


class CastVote(NamedTuple):
    """What somebody might vote, and what they might vote instead."""

    agent: str
    by: str
    """Empty for the twin."""
    votes: tuple[str, str]
    words: tuple[str, str]


@st.composite
def cast_votes(draw: st.DrawFn) -> list[CastVote]:
    """First the twins, some of whom do not answer, then people, in any order and more than once."""
    found = [CastVote(each, "", (draw(kinds), draw(kinds)), (draw(said), draw(said))) for each in AGENTS]
    actors = {"aya": ["U_AYA", DEL], "bo": ["U_BO"], "chen": [REQUESTER], "dee": [REQUESTER]}
    choices = st.sampled_from([(agent, by) for agent, users in actors.items() for by in users])
    for number, (agent, by) in enumerate(draw(st.lists(choices, max_size=6))):
        # Each in words of its own: the very same vote once more is none.
        words = (f"{number}{draw(said)}", f"{number}{draw(said)}")
        found.append(CastVote(agent, by, (draw(kinds), draw(kinds)), words))
    return found


class Course(NamedTuple):
    """What does not differ."""

    asked: frozenset[str]
    """Whose twins answer."""
    round: int
    is_half: bool
    taken_back: bool
    """Whether Aya's delegate is none any more."""
    ends: Literal["", "stopped", "exhausted"]
    """Without an evaluation, if at all."""


courses = st.builds(
    Course,
    st.frozensets(st.sampled_from(AGENTS)),
    st.sampled_from((1, 2)),
    st.booleans(),
    st.booleans(),
    st.sampled_from(("", "stopped", "exhausted")),
)


def played(course: Course, cast: Sequence[CastVote], which: int, policy: Policy = BLIND) -> Story:
    """Up to a round in which it was voted, and which is not evaluated."""
    story = voting(*AGENTS, linked=LINKED, policy=policy).delegates("U_AYA", "aya", DEL)
    if course.round == 2:
        for agent in AGENTS:
            story.twin(agent, "negotiate")
        story.does(CloseRound, by=REQUESTER, round=1).drafted(*AGENTS)
    for each in cast:
        vote, words = each.votes[which], each.words[which]
        if each.by:
            story.clicks(each.by, each.agent, vote, words)
        elif each.agent in course.asked:
            story.twin(each.agent, vote, words, words if vote == "negotiate" else "")
        else:
            story.twin_fails(each.agent)
    if course.taken_back:
        story.delegates("U_AYA", "aya")
    if course.is_half:
        story.now += 1_800_000
        story.rings(f"remind/{course.round}")
    if course.ends == "stopped":
        story.stopped("never mind")
    elif course.ends == "exhausted":
        exhausted(story)
    assert story.state.rounds[-1].tally is None
    return story


def exhausted(story: Story) -> Story:
    """ToWow is away again and again, until it gives up."""
    while story.state.is_open:
        story.now = later(story.state.until, 2 * story.policy.stuck_grace)
        story.rings(DURATION)
    assert story.state.outcome is Outcome.RECOVERY_EXHAUSTED
    return story


def read_by(user: str, state: Negotiation, language: Language) -> list[Any]:
    """Everything that this person may get to see."""
    words = texts_in(language)
    theirs = [each for each in posts(state, lambda *_: language) if each.to in ("", user)]
    return [
        [_everything(each) for each in theirs],
        agenda([state], [state], user, 0, words),
        home(Home(user, None, [sections(Agenda([state], [state], [state]), user, words)]), words),
        _digest(user, state, words),
        [why_asked(state, asked, words) for asked in state.invited.values()],
        state.open_requests(),
        _taken_along(state, words),
        ASKS.compose(state, WAY_OUT).given if state.status is Status.FAILED else {},
    ]


def _digest(user: str, state: Negotiation, words: Texts) -> Any:
    part = NegotiationDigest()
    listed = [Listed(part, state, each.item.item) for each in part.waiting(state, user)]
    return digest(1, listed, 0, user, words)


def _taken_along(state: Negotiation, words: Texts) -> list[str]:
    """The files that can be made of it."""
    if state.status not in EXPORTED:
        return []
    ended = EndedNegotiation(state, Times(ended_at=NOON))
    return [markdown(ended, words), as_json(ended)]


def _everything(post: Post) -> list[Any]:
    in_full = draw_whole(post.card) if post.card else []
    return [post.key, post.text, post.as_text, post.blocks, post.restored, post.is_late, post.broadcast, in_full]


def own(user: str, state: Negotiation) -> set[str]:
    """The seats whose votes this person may know: their own, and those they decide for or did."""
    seats = state.rounds[-1].seats.values()
    return {each.agent_id for each in seats if user in (each.user_id, each.delegate, *each.former_delegates)}


@settings(
    max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(courses, cast_votes(), st.sampled_from(READERS), st.sampled_from(("en", "zh")))
def test_no_card_of_anybody_else_depends_on_what_was_voted(
    course: Course, cast: list[CastVote], reader: str, language: Language
) -> None:
    theirs = own(reader, played(course, cast, 0).state)
    cast = [_known(each) if each.agent in theirs else each for each in cast]

    one, other = (played(course, cast, which).state for which in (0, 1))

    assert read_by(reader, one, language) == read_by(reader, other, language)


def _known(cast: CastVote) -> CastVote:
    """The same vote of a seat that the reader may know about."""
    (vote, _), (words, _) = cast.votes, cast.words
    return cast._replace(votes=(vote, vote), words=(words, words))


@pytest.mark.parametrize("ends", ["", "stopped", "exhausted"])
def test_the_property_would_see_a_difference(ends: Literal["", "stopped", "exhausted"]) -> None:
    course = Course(frozenset(AGENTS), 1, is_half=False, taken_back=False, ends=ends)
    cast = [CastVote(each, "", ("accept", "negotiate"), ("because", "because")) for each in AGENTS]
    seen = BLIND.model_copy(update={"blind_votes": False})

    one, other = (played(course, cast, which, seen).state for which in (0, 1))

    assert read_by("U_NOBODY", one, "en") != read_by("U_NOBODY", other, "en")
    one, other = (played(course, cast, which).state for which in (0, 1))
    assert read_by("U_AYA", one, "en") != read_by("U_AYA", other, "en")  # her own part


# ── what is shown instead ─────────────────────────────────────────────────────────────────────────────────────────


def opened() -> Story:
    story = voting("aya", "bo", "chen", linked=LINKED, policy=BLIND).delegates("U_AYA", "aya", DEL)
    return story.twin("aya", "negotiate", "", "until ten").twin("bo", "accept", "it suits").twin_fails("chen")


def test_everybody_sees_that_a_seat_has_voted_and_by_whose_hand() -> None:
    story = opened().clicks("U_BO", "bo", "withdraw", "I am away").clicks(DEL, "aya", "accept")

    card = shown(post_of(story, "round-1"))

    assert "🗳️ *Aya* has voted (by <@U_DEL>)\n🗳️ *Bo* has voted\n⏳ *Chen*: the twin could not answer" in card
    assert "2 of 3 have voted · 1 still to come · 80% are needed" in card
    assert "What was voted is shown here once this round is over." in card
    assert "in favour" not in card
    assert "until ten" not in card
    assert "🗳️ *Bo* has voted (twin)" in shown(post_of(opened(), "round-1"))


def test_everybody_still_sees_their_own_vote_and_so_does_their_delegate() -> None:
    story = opened()

    mine, delegates = shown(post_of(story, "part-1/aya")), shown(post_of(story, f"part-1/aya/{DEL}"))

    assert "💬 Your twin asks for a change – until ten" in mine
    assert "💬 <@U_AYA> asks for a change (twin) – until ten" in delegates
    for card in (mine, delegates):
        assert "Until this round is over, the others see only that there is a vote, not what it is." in card


def test_once_the_round_is_over_everything_shows_as_it_does_elsewhere() -> None:
    def closed(policy: Policy) -> Story:
        story = voting("aya", "bo", "chen", linked=LINKED, policy=policy)
        story.twin("aya", "negotiate", "", "until ten").twin("bo", "accept", "it suits").twin_fails("chen")
        return story.does(CloseRound, by=REQUESTER, round=1)

    blind, seen = closed(BLIND), closed(BLIND.model_copy(update={"blind_votes": False}))

    assert [_everything(each) for each in posts(blind.state)] == [_everything(each) for each in posts(seen.state)]
    assert "1 of 3 in favour" in shown(post_of(blind, "round-1"))


def test_a_round_that_was_stopped_is_not_opened_afterwards() -> None:
    story = opened().stopped()

    card = post_of(story, "round-1")

    assert story.state.status is Status.CANCELLED
    assert "2 of 3 have voted · 1 without an answer. Stopped before this round was over." in shown(card)
    assert card.text == "Proposal 1 · round 1 of 5: 2 of 3 have voted · 1 without an answer"
    assert "💬 Your twin asks for a change" in shown(post_of(story, "part-1/aya"))


def test_one_that_ended_by_itself_is_not_opened_either() -> None:
    story = exhausted(opened())

    told = markdown(EndedNegotiation(story.state, Times(ended_at=NOON)), texts_in("en"))
    assert "2 of 3 have voted · 1 without an answer" in told
    assert "🗳️ Aya has voted (twin)" in told
    votes = json.loads(as_json(EndedNegotiation(story.state, Times(ended_at=NOON))))["rounds"][0]["votes"]
    assert [(each["agent_id"], each["source"]) for each in votes] == [("aya", "agent"), ("bo", "agent"), ("chen", None)]
    assert {(each["feedback_type"], each["reason"], each["is_carried"]) for each in votes} == {(None, "", False)}


def test_a_wish_of_a_round_before_is_neither_lost_nor_settled_in_a_secret_one() -> None:
    story = voting("aya", "bo", linked=LINKED, policy=BLIND).twin("aya", "accept").twin("bo", "accept")
    story.clicks("U_AYA", "aya", "negotiate", "until ten").does(CloseRound, by=REQUESTER, round=1)
    story.drafted("aya", "bo").clicks("U_AYA", "aya", "accept")

    assert [each.request for each in exhausted(story).state.open_requests()] == ["until ten"]


@pytest.mark.parametrize(
    ("vote", "mark"), [("accept", "accepts"), ("negotiate", "asks"), ("reject", "says no"), ("withdraw", "withdraws")]
)
def test_a_vote_of_any_kind_looks_the_same(vote: str, mark: str) -> None:
    story = voting("aya", "bo", linked=LINKED, policy=BLIND).twin("aya", vote, "because", "because")

    written = json.dumps([each.blocks for each in posts(story.state) if not each.to], ensure_ascii=False)

    assert mark not in written
    assert "because" not in written
