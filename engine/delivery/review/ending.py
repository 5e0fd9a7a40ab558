"""How a delivery ends: what came of it is summed up, by the Manager or by code."""

from typing import Final

from engine.delivery.commands import RecordFinalReport
from engine.delivery.drafting import DeliveryDraft
from engine.delivery.events import DeliveryEnded, FinalReportWritten, ReportBegun
from engine.delivery.state import Delivery, Status, TicketStatus
from engine.delivery.terms import EndReason
from engine.delivery.tickets.owners import language
from engine.kernel import Millis

# ── the report ────────────────────────────────────────────────────────────────────────────────────────────────────────
# The final report where no model writes it.


SUMMARY: Final = {
    "en": "{done} of {all} tickets are done, with {artifacts} results. {cost}",
    "zh": "{all} 张工单中已完成 {done} 张，成果 {artifacts} 项。{cost}",
}
LEFT: Final = {"en": "Not done: {titles}.", "zh": "未完成：{titles}。"}


def code_report(state: Delivery, at: Millis) -> FinalReportWritten:
    """Count what is there."""
    kept = [each for each in state.tickets.values() if each.status is not TicketStatus.DROPPED]
    done = [each for each in kept if each.status is TicketStatus.DONE]
    left = [each for each in kept if each.status is not TicketStatus.DONE]
    spoken = language(state)
    summary = SUMMARY[spoken].format(
        done=len(done), all=len(kept), artifacts=sum(len(each.artifacts) for each in done), cost=""
    )
    steps = (LEFT[spoken].format(titles=", ".join(each.task.title for each in left)),) if left else ()
    return FinalReportWritten(session_id=state.session_id, summary=summary.strip(), next_steps=steps, at=at)


# ── the end ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def stop(draft: DeliveryDraft, reason: EndReason, at: Millis, by: str = "") -> None:
    """Do nothing more; what runs is ended."""
    draft.happens(ReportBegun(**draft.ids, reason=reason, by=by, at=at))


def reported(draft: DeliveryDraft, command: RecordFinalReport) -> None:
    state = draft.state
    if state.status is not Status.REPORTING or state.report is not None:
        return
    answer = command.answer
    report = (
        FinalReportWritten(
            **draft.ids,
            summary=answer.summary,
            learned=answer.learned,
            next_steps=answer.next_steps,
            at=command.at,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
        if answer
        else code_report(state, command.at)
    )
    draft.happens(report)
    reason = state.reason or EndReason.ALL_DONE
    draft.happens(DeliveryEnded(**draft.ids, is_complete=is_complete(state), reason=reason, at=command.at))


def is_complete(state: Delivery) -> bool:
    """Whether something was done, and everything that was not dropped is."""
    kept = [each for each in state.tickets.values() if each.status is not TicketStatus.DROPPED]
    return bool(kept) and all(each.status is TicketStatus.DONE for each in kept)
