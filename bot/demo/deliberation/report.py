"""The result of a deliberation, as one object for ``towow plan --json`` and as an exit code."""

from typing import Final

from engine.deliberation.closing.decision_record import DecisionRecord, decision_record
from engine.deliberation.envelopes.outputs import Plan
from engine.deliberation.envelopes.session import SessionState
from engine.deliberation.events import EVENTS
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.session_json.outputs import plan_of
from engine.deliberation.session_json.session import session_state
from engine.deliberation.state import Deliberation, Status
from engine.kernel import StreamKey, Validated
from engine.runtime.streams import Envelope, envelope
from engine.store.port import Store


class PlanReport(Validated):
    session_id: str
    status: Status
    reason: str
    """Why it ended; empty where it has not."""
    session: SessionState
    """All that was said."""
    plan: Plan | None
    """The plan that it ended with; null where no agent made one."""
    report: str
    """Markdown."""
    decision_record: DecisionRecord
    events: tuple[Envelope, ...]


EXIT_CODES: Final = {Status.CONVERGED: 0, Status.TERMINATED: 3}
UNFINISHED: Final = 1


def exit_code(status: Status) -> int:
    """Return how a command ends whose deliberation came to this: 0 where there is agreement."""
    return EXIT_CODES.get(status, UNFINISHED)


async def report(store: Store, key: StreamKey, state: Deliberation) -> PlanReport:
    stored = await store.load(key)
    final = final_plan(state)
    return PlanReport(
        session_id=state.session_id,
        status=state.status,
        reason=state.reason or "",
        session=session_state(state),
        plan=plan_of(final.plan) if final else None,
        report=state.report.content if state.report else "",
        decision_record=decision_record(state),
        events=tuple(envelope(each, EVENTS) for each in stored.events) if stored else (),
    )
