"""The final report where no model writes it."""

from typing import Final

from engine.delivery.events import FinalReportWritten
from engine.delivery.state import Delivery, TicketStatus
from engine.delivery.wording import language
from engine.kernel import Millis

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
