"""The result of a demand, as one object for ``towow ask --json`` and as an exit code."""

from typing import Any, Final

from bot.views.negotiation.demand.question import plain_question
from bot.views.negotiation.search.gap_search import GapSearch, gap_searches
from engine.kernel import StreamKey, Validated, plain
from engine.negotiation.events import EVENTS
from engine.negotiation.plan.told_clashes import ClashTold, clashes_now
from engine.negotiation.plan.told_needs import NeedTold, lacking, needs_in_round, needs_now
from engine.negotiation.state import Negotiation, Round, Status
from engine.negotiation.terms import Outcome, Source, Verdict
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.tally import sums_of
from engine.runtime.envelope import Envelope, envelope
from engine.store.port import Store


class Vote(Validated):
    agent_id: str
    feedback_type: FeedbackType
    source: Source


class RoundReport(Validated):
    round: int
    proposal: dict[str, Any]
    votes: tuple[Vote, ...]
    accepts: int
    negotiates: int
    rejects: int
    withdraws: int
    abstains: int
    silent: int
    decision: Verdict | None
    needs: tuple[NeedTold, ...]
    """As this version covers them."""


class Report(Validated):
    demand_id: str
    channel_id: str
    status: Status
    outcome: Outcome | None
    rounds: tuple[RoundReport, ...]
    question: str | None
    """What whoever asked is asked before anybody else is; null where nothing is."""
    final_proposal: dict[str, Any] | None
    needs: tuple[NeedTold, ...]
    """What the demand takes, as the plan, or else the newest version, covers it."""
    clashes: tuple[ClashTold, ...]
    """People and rooms that other plans take at the same time."""
    lacks: tuple[str, ...]
    """What is essential and nobody who agreed to the plan covers."""
    confirmed_participants: tuple[str, ...]
    optional_participants: tuple[str, ...]
    gaps: tuple[dict[str, Any], ...]
    """What the plan lacks, each with what became of looking for it: ``search`` and the subnet's ``channel_id``."""
    degraded: tuple[dict[str, Any], ...]
    events: tuple[Envelope, ...]


EXIT_CODES: Final = {Status.FINALIZED: 0, Status.FORCE_FINALIZED: 0, Status.FAILED: 3, Status.CANCELLED: 4}
UNFINISHED: Final = 1


def exit_code(status: Status) -> int:
    """Return how a command ends whose demand came to this: 0 where there is a plan."""
    return EXIT_CODES.get(status, UNFINISHED)


async def report(store: Store, key: StreamKey, state: Negotiation) -> Report:
    stored = await store.load(key)
    final = state.final
    return Report(
        demand_id=state.demand_id,
        channel_id=state.channel_id,
        status=state.status,
        outcome=state.outcome,
        rounds=tuple(_round(each, state) for each in state.rounds),
        question=plain_question(state),
        final_proposal=plain(final.final_proposal) if final else None,
        needs=needs_now(state),
        clashes=clashes_now(state),
        lacks=tuple(each.what for each in lacking(state)),
        confirmed_participants=final.confirmed_participants if final else (),
        optional_participants=final.optional_participants if final else (),
        gaps=tuple(_gap(each) for each in gap_searches(state)),
        degraded=tuple(
            {"prompt": each.prompt, "why": each.why, "agent_id": each.agent_id, "round": each.round}
            for each in state.degraded
        ),
        events=tuple(envelope(each, EVENTS) for each in stored.events) if stored else (),
    )


def _gap(lack: GapSearch) -> dict[str, Any]:
    told, subnet = plain(lack.gap), lack.subnet
    if subnet is None:
        return {**told, "search": "none", "channel_id": None}
    ended = "found" if subnet.completed else "failed"
    return {
        **told,
        "search": "running" if subnet.is_running else ended,
        "channel_id": subnet.triggered.sub_channel_id,
    }


def _round(each: Round, state: Negotiation) -> RoundReport:
    tally = each.tally
    return RoundReport(
        round=each.number,
        proposal=plain(state.proposals[each.version - 1]),
        votes=tuple(
            Vote(agent_id=agent_id, feedback_type=seat.vote.feedback_type, source=seat.vote.source)
            for agent_id, seat in each.seats.items()
            if seat.vote is not None
        ),
        **sums_of(tally),
        decision=tally.decision if tally else None,
        needs=needs_in_round(state, each),
    )
