"""Negotiations as they really come about: every state here was reached through the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from hypothesis import strategies as st

from engine.kernel import Command, Place
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Change,
    Circumstances,
    Compromise,
    ConditionAnswer,
    Milestone,
    ProposalDraft,
    RequestDeclined,
    Resolution,
    Timeline,
)
from engine.negotiation.commands import (
    RecordCompromise,
    Reopen,
)
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.state import Negotiation, Status
from tests.negotiation.scenario import REQUESTER, Scenario

THREAD = Place(channel="C_LOBBY", thread="1800000000.000100")
COMMAND = Place(channel="C_LOBBY")
"""A demand by slash command has no message of its own."""


@dataclass
class Story(Scenario):
    """A negotiation in the making, as people get to see it: what the rules refuse is a fault of the test."""

    policy: Policy = field(default_factory=Policy)
    place: Place = THREAD

    def obeys(self, order: Command) -> Self:
        super().obeys(order)
        if self.refused is not None:
            raise self.refused
        return self

    def time_is_up(self) -> Self:
        """The open round's deadline passes."""
        opened = self.state.rounds[-1]
        self.now = opened.deadline
        self.rings(f"twins/{opened.number}")
        self.now = max(self.now, self.state.rounds[-1].deadline)
        return self.rings(f"close/{opened.number}") if self.state.current else self


def voting(*agents: str, demand: str = "An AI meetup for 50 people", **fields: Any) -> Story:
    """Round 1 is open, and everybody was asked."""
    story = Story(**fields).demand(demand).understood(surface_demand=demand).shortlisted(*agents)
    for each in agents:
        story.offers(each)
    return story.drafted(*agents)


NASTY = (
    "<!channel> <@U_EVIL> <!here|here> <https://evil.example|click> &amp; <b>",
    "@here @channel @everyone @Here",
    "```\ncode that swallows",
    "*bold _italic_ ~gone~ `tick`",
    "\u202eturned\u2066 around\x00\x07",
    "多行\r\n\r\n\r\n中文「引号」，标点。",
    '"quotes" and \\backslashes\\ and\ttabs',
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "a plain sentence of a person",
)

pieces = st.sampled_from(NASTY) | st.text(max_size=30)


@st.composite
def words(draw: st.DrawFn, longest: int = 10_000) -> str:
    piece = draw(pieces)
    length = draw(st.sampled_from((0, 1, 20, 80, 300, 3_000, longest)) | st.integers(0, longest))
    return (piece * (length // (len(piece) or 1) + 1))[:length]


@st.composite
def negotiations(draw: st.DrawFn, most_people: int = 40) -> Negotiation:
    """Any state that people may get to see."""
    texts = draw(st.lists(words(), min_size=1, max_size=6))
    draws = draw(st.randoms(use_true_random=False))

    def text() -> str:
        return draws.choice(texts)

    def some(most: int = 12) -> tuple[str, ...]:
        return tuple(text() for _ in range(draws.randrange(most + 1)))

    agents = [f"user_agent_{number}" for number in range(draw(st.integers(1, most_people)))]
    story = Story(
        policy=draws.choice(list(PRESETS.values())).model_copy(
            update={
                "max_candidates": most_people,
                "max_rounds": draws.randint(1, 5),
                "human_window": draws.choice((0, 3600)),
            }
        ),
        place=draws.choice((THREAD, COMMAND)),
        linked={each: f"U{number:010}" for number, each in enumerate(agents) if draws.random() < 0.5},
        names={each: text() for each in agents},
    )
    steps = draw(st.integers(1, 12))
    last = draws.choice(("goes on", "stopped"))

    def told() -> None:
        story.demand(("x" + text())[:4_000])
        if steps < 2:
            return
        story.understood(
            surface_demand=text() or "x",
            uncertainties=some(),
            context=Circumstances(location=text(), expected_attendees=draws.choice((None, 1, 50)), date=text()),
        )
        if steps < 3:
            return
        chosen = agents if draws.random() < 0.95 else []
        story.shortlisted(
            *chosen, possibly=[f"reserve_{n}" for n in range(draws.randrange(5))], reason=text(), analysis=text()
        )
        if steps < 4:
            return
        for each in story.state.invited:
            if story.state.status is Status.COLLECTING and draws.random() < 0.9:
                story.offers(
                    each,
                    draws.choice(("participate", "participate", "conditional", "decline")),
                    degraded=draws.choice((None, None, None, "E004")),
                    contribution=text(),
                    conditions=some(8),
                    decline_reason=text(),
                )
        if steps < 5:
            return
        story.now = max(story.now, story.state.offers_due)
        story.rings("offers")
        for _ in range(6, steps):
            if story.state.status in (Status.AGGREGATING, Status.PROPOSAL_SENT):
                _draft(story, draws, text, some)
            elif story.state.current is not None:
                _vote(story, draws, text)
            elif story.state.is_open:
                _step_in(story, draws, text)

    told()
    if story.state.final is not None and draws.random() < 0.5:
        story.goes_ahead(announce=draws.random() < 0.5)
    if story.state.status is Status.FAILED and draws.random() < 0.7:
        story.does(RecordCompromise, compromise=_compromise(agents, text, some), model=draws.choice(("offline", "m")))
    if story.state.status is Status.FAILED and draws.random() < 0.4:
        by, balanced = draws.choice((REQUESTER, "U_ADMIN")), draws.random() < 0.5
        said = f"x{text()}"[:4_000]
        story.does(Reopen, by=by, as_admin=by != REQUESTER, raw_input=said, balanced=balanced, asks_possible=True)
    if last == "stopped" and story.state.is_open and story.state.status is not Status.BROADCASTING:
        story.stopped(text())
    return story.state


def _compromise(agents: Sequence[str], text: Any, some: Any) -> Compromise:
    return Compromise(
        summary=text() or "x",
        facts=some(),
        assignments=tuple(Assignment(agent_id=each, role=text(), responsibility=text()) for each in agents),
        compromises=tuple(Resolution(issue=text(), resolution=each or "x", rationale=text()) for each in some()),
        unresolved=some(),
        suggestions=some(),
    )


def _draft(story: Story, draws: Any, text: Any, some: Any) -> None:
    offered = [each.agent_id for each in story.state.participants if each.agent_id not in story.state.withdrawn]
    made = ProposalDraft(
        summary=text() or "x",
        assignments=tuple(
            Assignment(agent_id=each, role=text(), responsibility=text(), core=draws.random() < 0.2) for each in offered
        )
        or (Assignment(agent_id="nobody"),),
        timeline=Timeline(
            start_date=text(),
            milestones=tuple(Milestone(name=each, date=text(), deliverable=text()) for each in some(20)),
        ),
        gaps=some(20),
        conditions=tuple(
            ConditionAnswer(agent_id=each, condition=text(), met=draws.random() < 0.5, reason=text())
            for each in offered
        ),
        adjustment_summary=AdjustmentSummary(
            changes_made=tuple(Change(aspect=each, before=text(), after=text()) for each in some(20)),
            requests_declined=tuple(RequestDeclined(agent_id=each, request=text(), reason=text()) for each in offered),
        ),
    )
    story.proposed(made if draws.random() < 0.9 else None)


def _step_in(story: Story, draws: Any, text: Any) -> None:
    """Whoever is asked for an empty core seat answers, or does not."""
    for asked in story.state.vacancies.values():
        agent_id = asked.agent_id
        if agent_id in story.state.offers or not story.state.is_open:
            continue
        if draws.random() < 0.5:
            story.offers(agent_id, draws.choice(("participate", "decline")), contribution=text())
        else:
            story.now = max(story.now, asked.deadline)
            story.rings(f"substitute/{agent_id}")
        return


def _vote(story: Story, draws: Any, text: Any) -> None:
    def sits(agent_id: str) -> bool:
        """A vote may be the last of its round, and the next one begin at once, without whoever has left."""
        return story.state.current is not None and agent_id in story.state.current.seats

    for number, (agent_id, seat) in enumerate(story.state.rounds[-1].seats.items()):
        if sits(agent_id) and seat.user_id and draws.random() < 0.2:
            story.delegates(seat.user_id, agent_id, draws.choice(("U_DEL", "")))
        # Somebody stays: a proposal for nobody is nothing to look at.
        votes = ("accept", "accept", "negotiate", "reject", "withdraw")[: 5 if number else 4]
        if not sits(agent_id) or draws.random() < 0.1:
            continue
        if draws.random() < 0.2:
            story.twin_fails(agent_id).reached(agent_id)
        else:
            story.twin(agent_id, draws.choice(votes), text(), text())
        if sits(agent_id) and draws.random() < 0.3:
            story.clicks(story.state.hands(agent_id)[-1], agent_id, draws.choice(votes), f"x{text()}"[:4_000])
    if story.state.current is not None and draws.random() < 0.7:
        story.time_is_up()
