"""What is left out of every answer of a model: secrets, and ids that nobody and nothing has."""

import logging
from collections.abc import Iterator

import pytest

from engine.facts import own_secrets
from engine.facts.own_secrets import keep_secret
from engine.negotiation.answers import (
    Assignment,
    Covering,
    FeedbackAnswer,
    Milestone,
    Need,
    NotChosen,
    OfferAnswer,
    OfferDecision,
    ProposalDraft,
    StatedCondition,
    Timeline,
)
from engine.negotiation.plan.cleaning import cleaned
from engine.negotiation.policy import PRESETS
from engine.negotiation.voting.kinds import FeedbackType
from tests.negotiation.scenario import Scenario

OURS = "ours-and-nobody-elses"


@pytest.fixture(autouse=True)
def ours() -> Iterator[None]:
    keep_secret([OURS])
    yield
    own_secrets._OURS.discard(OURS)


def asked(text: str = "A party") -> Scenario:
    scenario = Scenario(policy=PRESETS["balanced"]).demand(text)
    return scenario.understood(needs=(Need(need_id="need_1", what="a room"),)).shortlisted("a", "b")


@pytest.mark.parametrize("secret", ["xoxb-1234567890-abcdefghijkl", "sk-ant-api03-AAAABBBBCCCC1111", OURS])
def test_no_secret_stays_in_any_answer(secret: str) -> None:
    said = f"Use {secret} for it. The password is never sent by mail."
    masked = "Use (left out) for it. The password is never sent by mail."
    offer = OfferAnswer(
        decision=OfferDecision.CONDITIONAL,
        contribution=said,
        conditions=(StatedCondition(text=said),),
        covers=(Covering(need_id="need_1", quote=said),),
    )
    step = Milestone(name=said, deliverable=said)
    draft = ProposalDraft(
        summary=said,
        assignments=(Assignment(agent_id="a", responsibility=said),),
        timeline=Timeline(milestones=(step,)),
        risks=(said,),
    )
    vote = FeedbackAnswer(feedback_type=FeedbackType.ACCEPT, reasoning=said, concerns=(said,))
    state = asked().offers("a").state

    clean_offer, clean_draft, clean_vote = (cleaned(state, "a", each) for each in (offer, draft, vote))

    assert (clean_offer.contribution, clean_offer.conditions[0].text, clean_offer.covers[0].quote) == (masked,) * 3
    assert (clean_draft.summary, clean_draft.assignments[0].responsibility, *clean_draft.risks) == (masked,) * 3
    assert clean_draft.timeline.milestones == (Milestone(name=masked, deliverable=masked),)
    assert (clean_vote.reasoning, clean_vote.concerns) == (masked, (masked,))


def test_a_secret_is_found_though_what_nobody_sees_is_in_it() -> None:
    vote = FeedbackAnswer(feedback_type=FeedbackType.ACCEPT, reasoning="xoxb-12345\u200b67890-abcdefghijkl")

    assert cleaned(asked().state, "a", vote).reasoning == "(left out)"


@pytest.mark.parametrize("before", ["\n", "\t", '"', "\\", "\\\\n "], ids=repr)
@pytest.mark.parametrize("secret", ["xoxb-1234567890-abcdefghijkl", OURS])
def test_a_secret_is_found_behind_a_break_or_a_mark_that_is_written_otherwise(before: str, secret: str) -> None:
    vote = FeedbackAnswer(feedback_type=FeedbackType.ACCEPT, reasoning=f"Here:{before}{secret}")

    assert cleaned(asked().state, "a", vote).reasoning == f"Here:{before}(left out)"


def test_what_stands_in_the_demand_may_be_said_again_and_nothing_else_is_edited() -> None:
    said = f"Revokes {OURS}; mail to bo@example.org, +49 170 1234567, https://example.org\u200b."
    vote = FeedbackAnswer(feedback_type=FeedbackType.ACCEPT, reasoning=said)

    assert cleaned(asked(f"Revoke {OURS}, please").state, "a", vote) == vote


def test_unknown_ids_are_dropped_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    seat = Assignment(agent_id="a", covers=("need_1", "need_9"), after=("b", "ghost_1"))
    steps = (
        Milestone(name="open", agent_id="ghost_2", need_id="need_8"),
        Milestone(name="shut", agent_id="b", need_id="need_1"),
    )
    draft = ProposalDraft(
        summary="A party",
        assignments=(seat,),
        timeline=Timeline(milestones=steps),
        not_chosen=(NotChosen(agent_id="ghost_3"), NotChosen(agent_id="b")),
    )
    state = asked().offers("a").offers("b").state

    with caplog.at_level(logging.WARNING):
        clean = cleaned(state, "", draft)

    assert clean.assignments == (Assignment(agent_id="a", covers=("need_1",), after=("b",)),)
    assert clean.timeline.milestones == (Milestone(name="open"), steps[1])
    assert clean.not_chosen == (NotChosen(agent_id="b"),)
    assert all(each in caplog.text for each in ("ghost_1", "ghost_2", "ghost_3", "need_8", "need_9"))


def test_an_offer_covers_needs_that_there_are_by_id_or_in_their_words() -> None:
    covers = tuple(Covering(need_id=each) for each in ("need_1", "A room", "need_7"))
    offer = OfferAnswer(decision=OfferDecision.PARTICIPATE, covers=covers)

    assert cleaned(asked().state, "a", offer).covers == covers[:2]
