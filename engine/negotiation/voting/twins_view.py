"""What a twin is shown of a version: the plan without other people's words, its own seat, and what became of what it
asked for.

What others have offered, wished or thought is written by them and could tell the twin how to vote. So of the others it
sees which needs they cover and when, and of their votes how many said what; a sentence of the plan that repeats what
somebody has offered or said is left out. The person themself sees all of it on their card.
"""

from collections.abc import Iterable, Iterator, Mapping

from engine.facts.circumstances import When
from engine.facts.quoting import Quoted
from engine.kernel import Message
from engine.negotiation.answers import (
    AdjustmentSummary,
    Change,
    ConditionAnswer,
    Milestone,
    ProposalDraft,
    RequestDeclined,
    Timeline,
    Understanding,
)
from engine.negotiation.events import AgentWithdrawn, OfferSubmitted
from engine.negotiation.remembering import remembered
from engine.negotiation.state import Negotiation, Round
from engine.negotiation.terms import Asked


class SharedSeat(Message):
    """Somebody's seat as the others' twins see it."""

    agent_id: str
    covers: tuple[str, ...] = ()
    when: When = When()
    attends: bool = False


class SharedPlan(Message):
    """A version as every twin is given it: the same for all, so that a provider may cache it."""

    summary: str
    objective: str = ""
    seats: tuple[SharedSeat, ...] = ()
    timeline: Timeline = Timeline()
    when: When = When()
    gaps: tuple[str, ...] = ()
    success_criteria: tuple[str, ...] = ()


class OwnAnswers(Message):
    """What became of what one person asked for."""

    conditions: tuple[ConditionAnswer, ...] = ()
    requests_addressed: tuple[str, ...] = ()
    requests_declined: tuple[RequestDeclined, ...] = ()
    changes_made: tuple[Change, ...] = ()
    """Of their own seat."""


def shared_plan(plan: ProposalDraft, words: Quoted) -> SharedPlan:
    """
    Args:
        words: what the people in the plan have offered and said.
    """
    return SharedPlan(
        summary=words.without(plan.summary),
        objective=words.without(plan.objective),
        seats=tuple(
            SharedSeat(agent_id=each.agent_id, covers=each.covers, when=each.when, attends=each.attends)
            for each in plan.assignments
        ),
        timeline=Timeline(
            start_date=words.without(plan.timeline.start_date),
            milestones=tuple(
                Milestone(
                    name=words.without(each.name),
                    date=words.without(each.date),
                    deliverable=words.without(each.deliverable),
                    day=each.day,
                    agent_id=each.agent_id,
                    need_id=each.need_id,
                )
                for each in plan.timeline.milestones
            ),
        ),
        when=plan.when,
        gaps=_kept(plan.gaps, words),
        success_criteria=_kept(plan.success_criteria, words),
    )


def own_answers(plan: ProposalDraft, agent_id: str) -> OwnAnswers:
    summary = plan.adjustment_summary or AdjustmentSummary()
    conditions = [ConditionAnswer.fields_of(each) for each in plan.conditions if each.agent_id == agent_id]
    return OwnAnswers(
        conditions=tuple([ConditionAnswer(**each) for each in conditions]),
        requests_addressed=tuple([each.request for each in summary.requests_addressed if each.agent_id == agent_id]),
        requests_declined=tuple([each for each in summary.requests_declined if each.agent_id == agent_id]),
        changes_made=tuple([each for each in summary.changes_made if each.agent_id == agent_id]),
    )


Texts = tuple[str, ...]


def everybodys_words(state: Negotiation, public: Texts = (), shown: ProposalDraft | None = None) -> Quoted:
    """Return what people who still take part have offered and said in votes, besides what everybody may know."""
    return others_words(state, "", public, shown)


def others_words(state: Negotiation, agent_id: str, public: Texts = (), shown: ProposalDraft | None = None) -> Quoted:
    """Return what people who still take part have offered and said in votes, besides what the demand and the person
    with this id say as well.

    Args:
        public: what public profiles say, which anybody may repeat.
        shown: the version that everybody has seen.
    """
    # A round in which nobody has voted yet has no words, so those of the plan that it is about are made once.
    voted = [each for each in state.rounds if any(seat.twin or seat.human for seat in each.seats.values())]
    known = public, shown
    return _words(
        agent_id, state.raw_input, state.understanding, state.invited, state.offers, state.withdrawn, *known, *voted
    )


@remembered
def _words(
    agent_id: str,
    raw_input: str,
    understanding: Understanding | None,
    invited: Mapping[str, Asked],
    offers: Mapping[str, OfferSubmitted],
    withdrawn: Mapping[str, AgentWithdrawn],
    public: Texts,
    shown: ProposalDraft | None,
    *voted: Round,
) -> Quoted:
    words: list[str] = []
    own: list[str] = []
    for said in (_offered(offers), *map(_voted, voted)):
        for who, texts in said:
            if who not in withdrawn:
                (own if who == agent_id else words).extend(texts)
    words += [each.display_name for each in invited.values() if each.agent_id != agent_id]
    demand = (understanding.surface_demand, *(each.what for each in understanding.needs)) if understanding else ()
    return Quoted(words, (*own, raw_input, *demand, *public, *(_said_in(shown) if shown else ())))


def _said_in(plan: ProposalDraft) -> Iterator[str]:
    """The texts of a version that everybody reads who is in it."""
    yield from (plan.summary, plan.objective, *plan.success_criteria, *plan.gaps)
    for seat in plan.assignments:
        yield from (seat.role, seat.responsibility, *seat.dependencies)
    for each in plan.timeline.milestones:
        yield from (each.name, each.date, each.deliverable)


@remembered
def _offered(offers: Mapping[str, OfferSubmitted]) -> list[tuple[str, tuple[str, ...]]]:
    """Return who has offered what, in all their words."""
    return [
        (each.agent_id, (each.contribution, *each.conditions, each.reasoning, each.decline_reason))
        for each in offers.values()
    ]


@remembered
def _voted(round_: Round) -> list[tuple[str, tuple[str, ...]]]:
    """Return who has said what with the votes of a round: with their twin's, and with their own."""
    return [
        (seat.agent_id, (vote.reasoning, vote.adjustment_request, *vote.concerns))
        for seat in round_.seats.values()
        for vote in (seat.twin, seat.human)
        if vote
    ]


def _kept(texts: Iterable[str], words: Quoted) -> tuple[str, ...]:
    return tuple(each for each in texts if not words.is_in(each))
