"""Generated negotiations: one corpus of any state that people may get to see, shared by every suite of the views.

The corpus is the same in every run, and made once in a process. ``make test-all`` lets hypothesis draw negotiations of
its own instead (the profile ``exhaustive``), which finds more and takes longer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, Final, Generic, TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Change,
    Circumstances,
    Compromise,
    ConditionAnswer,
    Milestone,
    Need,
    ProposalDraft,
    RequestDeclined,
    Resolution,
    Timeline,
)
from engine.negotiation.commands import (
    RecordCompromise,
    Reopen,
)
from engine.negotiation.policy import MOST_CANDIDATES, PRESETS
from engine.negotiation.state import Negotiation, Status
from tests.negotiation.scenario import REQUESTER
from tests.views.stories import COMMAND, NASTY, THREAD, Story, words

SIZE: Final = 200
"""Negotiations in the corpus, for each number of people."""

NEEDS: Final = tuple(Need(need_id=f"need_{number}", what="x") for number in range(1, 11))

PIECES: Final = (*NASTY, "", "x", "\ud55c\uae00 e\u0301 \u0130", "\x7f\u2028\uffff")


S = TypeVar("S")


class Generated(Generic[S]):
    """
    Args:
        played: plays a scenario of a source of chance, in which everybody says one of these texts.
        size: how many are in the corpus.
    """

    def __init__(self, played: Callable[[Random, Sequence[str]], Any], size: int = 120) -> None:
        self._played = played
        self._size = size
        self.corpus = cache(self._corpus)
        """Returns the states that are the same in every run."""

    def _corpus(self) -> tuple[S, ...]:
        return tuple(self.scenario(Random(seed)).state for seed in range(self._size))  # noqa: S311 - of a test

    def scenario(self, draws: Random) -> Any:
        return self._played(draws, [text_of(draws) for _ in range(draws.randint(1, 6))])

    def any(self, where: Callable[[S], bool] = lambda _: True) -> st.SearchStrategy[S]:
        """Any state that is as ``where`` says."""
        if settings.get_current_profile_name() == "exhaustive":
            return self._drawn().filter(where)
        return st.deferred(lambda: st.sampled_from([each for each in self.corpus() if where(each)]))

    def _drawn(self) -> st.SearchStrategy[S]:
        @st.composite
        def drawn(draw: st.DrawFn) -> S:
            pieces = draw(st.lists(words(), min_size=1, max_size=6))
            state: S = self._played(draw(st.randoms(use_true_random=False)), pieces).state
            return state

        return drawn()


def _anything(_state: Negotiation) -> bool:
    return True


def negotiations(
    most_people: int = 40, where: Callable[[Negotiation], bool] = _anything
) -> st.SearchStrategy[Negotiation]:
    """Any negotiation that is as ``where`` says."""
    if settings.get_current_profile_name() == "exhaustive":
        return _drawn(most_people).filter(where)
    return st.deferred(lambda: st.sampled_from([each for each in corpus(most_people) if where(each)]))


@cache
def corpus(most_people: int) -> tuple[Negotiation, ...]:
    """The negotiations that are the same in every run."""
    return tuple(_made(Random(seed), most_people) for seed in range(SIZE))  # noqa: S311 - of a test


def _made(draws: Random, most_people: int) -> Negotiation:
    return story(draws, most_people).state


def story(draws: Random, most_people: int) -> Story:
    """Play the negotiation of a source of chance."""
    texts = [text_of(draws) for _ in range(draws.randint(1, 6))]
    return _played(draws, texts, draws.randint(1, most_people), draws.randint(1, 12), most_people)


def text_of(draws: Random) -> str:
    piece = draws.choice(PIECES)
    length = draws.choice((0, 1, 20, 80, 300, 3_000, 10_000, draws.randrange(10_000)))
    return (piece * (length // (len(piece) or 1) + 1))[:length]


@st.composite
def _drawn(draw: st.DrawFn, most_people: int) -> Negotiation:
    texts = draw(st.lists(words(), min_size=1, max_size=6))
    draws = draw(st.randoms(use_true_random=False))
    return negotiation(draws, texts, draw(st.integers(1, most_people)), draw(st.integers(1, 12)), most_people)


def negotiation(draws: Random, texts: Sequence[str], people: int, steps: int, most_people: int) -> Negotiation:
    return _played(draws, texts, people, steps, most_people).state


def _played(draws: Random, texts: Sequence[str], people: int, steps: int, most_people: int) -> Story:
    """Play a negotiation by the rules.

    Args:
        texts: everything that anybody says in it is one of these.
        steps: how far it gets, from 1 (just asked) to 12.
        most_people: how many may be asked.
    """

    def text() -> str:
        return draws.choice(texts)

    def some(most: int = 12) -> tuple[str, ...]:
        return tuple(text() for _ in range(draws.randrange(most + 1)))

    agents = [f"user_agent_{number}" for number in range(people)]
    story = Story(
        policy=draws.choice(list(PRESETS.values())).model_copy(
            update={
                "max_candidates": min(most_people, MOST_CANDIDATES),
                "max_rounds": draws.randint(1, 5),
                "human_window": draws.choice((0, 3600)),
            }
        ),
        place=draws.choice((THREAD, COMMAND)),
        linked={each: f"U{number:010}" for number, each in enumerate(agents) if draws.random() < 0.5},
        names={each: text() for each in agents},
        preparing=agents[3::4],
    )
    last = draws.choice(("goes on", "stopped"))

    def told() -> None:
        story.demand(("x" + text())[:4_000])
        if steps < 2:
            return
        needed = draws.choice(((), *(NEEDS[:number] for number in range(1, len(NEEDS) + 1))))
        story.understood(
            surface_demand=text() or "x",
            needs=tuple(replace(each, what=text().strip() or "x", essential=draws.random() < 0.5) for each in needed),
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
                    covers=[need.need_id for need in needed if draws.random() < 0.6],
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
            elif story.state.status is Status.COLLECTING:
                story.now = max(story.now, story.state.offers_due)
                story.rings("offers")
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
    return story


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
            story.clicks(story.state.actors_for(agent_id)[-1], agent_id, draws.choice(votes), f"x{text()}"[:4_000])
    if story.state.current is not None and draws.random() < 0.7:
        story.time_is_up()
