"""How a delivery is described in the log, in metrics, on the demo's page, in its story's timeline and in replays.

Nothing here quotes anybody's words.
"""

import logging
from collections.abc import Callable
from typing import Any, Final, TypeVar

from bot.descriptions import Aside, Descriptions, Ending, Fields, LogLine, Names, Telling, plain_line
from bot.texts import Texts
from bot.views.delivery.names import end_text, failure_text, need_text, owner_name, whoever
from bot.views.kit.story.model import Narration
from engine.delivery import events as said
from engine.delivery.events import EVENTS
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, TicketStatus
from engine.delivery.terms import ReviewDecision, TicketEvent

TicketT = TypeVar("TicketT", bound=TicketEvent)


class DeliveryNarration(Narration[Delivery]):
    def person(self, by: str) -> str:
        return whoever(self.state, by, self.texts, self.fit)


def _ticket(
    event: type[TicketT],
    summary: Callable[[TicketT], str] | None = None,
    line: Callable[[TicketT, Any], str] | None = None,
    log: Callable[[TicketT], LogLine] | None = plain_line,
) -> Telling[TicketT]:
    """Tell of one ticket, which is named everywhere.

    Args:
        summary: what stands after its name.
        log: None where it is not worth a line of the log.
    """

    def told(it: TicketT, _: Aside) -> str:
        return f"{it.ticket_id}{summary(it)}" if summary else it.ticket_id

    def told_in_line(it: TicketT, words: DeliveryNarration) -> str:
        what = line(it, words) if line else ""
        return words.say("{what}: {detail}", what=f"*{it.ticket_id}*", detail=what) if what else ""

    return Telling(event, told, told_in_line, log)


def _logged(text: str, event: TicketEvent, level: int = logging.INFO, **fields: Any) -> LogLine:
    return LogLine(text, {"ticket": event.ticket_id, **fields}, level)


def _end_line(event: said.DeliveryEnded, words: DeliveryNarration) -> str:
    if event.is_complete:
        return words.say("✅ Everything is done")
    return words.say("⏹ It has ended: {why}", why=end_text(event.reason, words.texts))


def _attempt_line(event: said.AttemptFailed, words: DeliveryNarration) -> str:
    failed = failure_text(event.code, event.detail if event.code == "model_failed" else "", words.texts)
    return words.say("⚠️ an attempt came to nothing") + (f" – {failed}" if failed else "")


def _ending(fields: Fields) -> Ending:
    reason = str(fields["reason"])
    if reason in ("stopped", "forgotten"):
        return Ending(reason)
    return Ending(reason, is_success=bool(fields["is_complete"]))


TELLINGS: Final = (
    Telling(
        said.DeliveryOpened,
        line=lambda it, words: words.say("{who} wants it carried out", who=words.person(it.requester_id)),
        log=lambda it: LogLine(
            "something is carried out",
            {"origin": it.brief.origin, "is_planned": it.is_planned, "roles": len(it.roles)}),
    ),
    Telling(
        said.ClarificationAsked, line=lambda it, words: words.say("The Manager has questions first"), log=plain_line,
    ),
    Telling(
        said.ClarificationAnswered,
        line=lambda it, words: words.say("{who} has answered them", who=words.person(it.by)),
    ),
    Telling(
        said.PlanRefused,
        log=lambda it: LogLine("a plan cannot be carried out", {"faults": len(it.faults)}, logging.WARNING),
    ),
    Telling(
        said.PlanReceived, lambda it, _: f"{len(it.tasks)} tickets, by {it.by}",
        lambda it, words: words.count("The plan has {n} ticket", "The plan has {n} tickets", len(it.tasks)),
        lambda it: LogLine("a plan became tickets", {"tickets": len(it.tasks), "by": str(it.by)}),
    ),
    Telling(
        said.BudgetRaised, line=lambda it, words: words.say("{who} has raised the budget", who=words.person(it.by)),
        log=plain_line,
    ),
    Telling(
        said.BudgetSpent, line=lambda it, words: words.say("⚠️ The budget is spent"),
        log=lambda _: LogLine("a delivery has cost what it may", level=logging.WARNING),
    ),
    Telling(
        said.EnvelopeRejected,
        log=lambda it: LogLine(
            "an envelope was invalid and moved nothing",
            {"source": it.source, "ticket": it.ticket_id, "code": it.code}, logging.WARNING),
    ),
    Telling(
        said.ReportBegun, lambda it, _: it.reason.replace("_", " "),
        lambda it, words: words.say("Nothing more is done: {why}", why=end_text(it.reason, words.texts)), plain_line,
    ),
    Telling(said.FinalReportWritten, line=lambda it, words: words.say("The report is written")),
    Telling(
        said.DeliveryEnded, lambda it, _: it.reason.replace("_", " "), _end_line,
        lambda it: LogLine("a delivery ended", {"complete": it.is_complete, "why": str(it.reason)}), _ending,
    ),
    Telling(said.WordsErased, line=lambda it, words: words.say("Words were erased")),
    # tickets
    _ticket(
        said.TicketAdded, line=lambda it, words: words.say("{who} has added it", who=words.person(it.by)),
        log=lambda it: _logged("a ticket was added", it),
    ),
    _ticket(
        said.TicketDropped, line=lambda it, words: words.say("{who} has dropped it", who=words.person(it.by)),
        log=lambda it: _logged("a ticket was dropped", it),
    ),
    _ticket(
        said.CheckingChanged,
        line=lambda it, words: words.say(
            "{who} has said how risky it is, and who approves it", who=words.person(it.by)),
        log=lambda it: _logged("a ticket’s risk or its approval was settled", it),
    ),
    _ticket(
        said.OwnerChanged,
        line=lambda it, words: words.say(
            "now {who} has it", who=owner_name(words.state, it.owner, words.texts, words.fit)),
        log=lambda it: _logged("a ticket has another owner", it, why=it.why or "decided"),
    ),
    _ticket(
        said.HandOverAsked, line=lambda it, words: words.say("{who} is asked to take it", who=words.person(it.to)),
        log=None,
    ),
    _ticket(said.HandOverDeclined, log=None),
    _ticket(said.ProposalNeeded, log=None),
    _ticket(said.ProposalMade, log=None),
    _ticket(said.ProposalAnswered, log=None),
    _ticket(
        said.ProposalUnanswered,
        line=lambda it, words: words.say(
            "{who} gives no answer that can be read to how it is to be done", who=words.person(it.by)),
    ),
    _ticket(said.InstructionGiven, log=None),
    _ticket(
        said.WorkStarted, line=lambda it, words: words.say("{who} begins", who=words.person(it.started_by or it.by)),
        log=lambda it: _logged("an attempt began", it, attempt=it.attempt),
    ),
    _ticket(
        said.WorkClaimed, line=lambda it, words: words.say("{who} says that it is done", who=words.person(it.by)),
        log=None,
    ),
    _ticket(
        said.WorkReported, lambda it: f" with {len(it.artifacts)} results",
        lambda it, words: words.say("it was shown to be done, and is reviewed"),
        lambda it: _logged("a ticket was reported with proof", it, artifacts=len(it.artifacts)),
    ),
    _ticket(
        said.WorkBlocked, line=lambda it, words: words.say("blocked"),
        log=lambda it: _logged("a ticket is blocked", it),
    ),
    _ticket(
        said.AttemptFailed, lambda it: f" attempt {it.attempt}: {it.code}".replace("_", " "), _attempt_line,
        lambda it: _logged("an attempt failed", it, logging.WARNING, attempt=it.attempt, why=it.code),
    ),
    _ticket(
        said.PermissionAsked, line=lambda it, words: words.say("{who} asks for permission", who=words.person(it.by)),
        log=lambda it: _logged("an agent asks for leave", it, kind=it.permission.kind, digest=it.permission.digest),
    ),
    _ticket(
        said.PermissionAnswered, lambda it: f" {it.choice}".replace("_", " "),
        lambda it, words: words.say("{who} has answered", who=words.person(it.by)),
        lambda it: _logged("leave was answered", it, choice=str(it.choice), digest=it.digest),
    ),
    _ticket(said.AdviceGiven, log=None),
    _ticket(said.Unblocked),
    _ticket(
        said.PersonNeeded, lambda it: f": {it.need}", lambda it, words: need_text(it.need, words.texts),
        lambda it: _logged("a ticket waits for a person", it, need=str(it.need)),
    ),
    _ticket(
        said.ReviewGiven, lambda it: f" {it.decision}".replace("_", " "),
        lambda it, words: words.say("✅ {who} approves it", who=words.person(it.by))
        if it.decision is ReviewDecision.APPROVED else words.say("{who} wants changes", who=words.person(it.by)),
        lambda it: _logged("a ticket was reviewed", it, decision=str(it.decision)),
    ),
    _ticket(said.EvidenceOpened, log=None),
    _ticket(
        said.TicketFailed, line=lambda it, words: words.say("failed"),
        log=lambda it: _logged("a ticket failed", it, logging.WARNING, why=it.code or ""),
    ),
    _ticket(said.TicketReset, line=lambda it, words: words.say("{who} begins it anew", who=words.person(it.by))),
    _ticket(said.DependencyLate),
    _ticket(said.OwnerReminded, log=None),
    _ticket(said.TicketOverdue, line=lambda it, words: words.say("⚠️ its last day is over")),
)  # fmt: skip


def deadline(alarm: str, _names: Names, texts: Texts) -> str:
    """What happens then, by the alarm's name up to its first dash."""
    told = {
        "clarify": texts.say("Questions that nobody has answered are not waited for any longer"),
        "end": texts.say("It has lasted too long: what there is is summed up"),
        "retry": texts.say("An attempt that failed is begun again"),
        "discuss": texts.say("Whoever was asked about a proposal is not waited for any longer"),
        "late": texts.say("A ticket has waited a long time for others"),
        "remind": texts.say("A ticket’s owner is reminded"),
        "due": texts.say("A ticket’s last day is over"),
    }
    return told.get(alarm.partition("-")[0], alarm)


def public_payload(_event_type: str, fields: Fields) -> dict[str, object]:
    """All that is left without private fields: numbers, ids and codes."""
    return dict(fields)


def status(state: Delivery) -> str:
    if not state.tickets:
        return f"{state.status}"
    done = sum(each.status is TicketStatus.DONE for each in state.tickets.values())
    return f"{state.status}, {done} of {len(state.tickets)} tickets done"


DESCRIPTIONS: Final = Descriptions(
    RULEBOOK.protocol,
    EVENTS,
    plural="deliveries",
    tellings=TELLINGS,
    success="Of the deliveries that ended by themselves, the part in which everything was done",
    public_payload=public_payload,
    actors=("by", "requester_id"),
    deadline=deadline,
    distant_alarms=frozenset({"end"}),
    status=status,
    leaving={"StopDelivery": "it is stopped"},
    in_every_event=frozenset({"session_id"}),
)
