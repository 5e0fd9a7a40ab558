"""What happened in a delivery, one line a step. Nobody's words are in it."""

from collections.abc import Iterator, Sequence

from bot.texts import Texts
from bot.views.delivery.names import end_text, failure_text, need_text, owner_name, whoever
from bot.views.kit.mrkdwn import Fit
from bot.views.kit.story.model import Happening, Told
from engine.delivery import events as said
from engine.delivery.state import Delivery
from engine.delivery.terms import ReviewDecision, TicketEvent
from engine.kernel import Event


def timeline(state: Delivery, happened: Sequence[Told], texts: Texts, fit: Fit) -> Sequence[Happening]:
    """The newest first."""
    return [Happening(each.at, text) for each in reversed(happened) if (text := _line(state, each.event, texts, fit))]


def _line(state: Delivery, event: Event, texts: Texts, fit: Fit) -> str:
    if isinstance(event, TicketEvent):
        what = next(_of_ticket(state, event, texts, fit), "")
        return texts.say("{what}: {detail}", what=f"*{event.ticket_id}*", detail=what) if what else ""
    return next(_of_the_whole(state, event, texts, fit), "")


def _of_the_whole(state: Delivery, event: Event, texts: Texts, fit: Fit) -> Iterator[str]:
    match event:
        case said.DeliveryOpened():
            yield texts.say("{who} wants it carried out", who=whoever(state, event.requester_id, texts, fit))
        case said.ClarificationAsked():
            yield texts.say("The Manager has questions first")
        case said.ClarificationAnswered():
            yield texts.say("{who} has answered them", who=whoever(state, event.by, texts, fit))
        case said.PlanReceived():
            yield texts.count("The plan has {n} ticket", "The plan has {n} tickets", len(event.tasks))
        case said.BudgetRaised():
            yield texts.say("{who} has raised the budget", who=whoever(state, event.by, texts, fit))
        case said.BudgetSpent():
            yield texts.say("⚠️ The budget is spent")
        case said.ReportBegun():
            yield texts.say("Nothing more is done: {why}", why=end_text(event.reason, texts))
        case said.FinalReportWritten():
            yield texts.say("The report is written")
        case said.DeliveryEnded() if event.is_complete:
            yield texts.say("✅ Everything is done")
        case said.DeliveryEnded():
            yield texts.say("⏹ It has ended: {why}", why=end_text(event.reason, texts))
        case said.WordsErased():
            yield texts.say("Words were erased")


def _of_ticket(state: Delivery, event: TicketEvent, texts: Texts, fit: Fit) -> Iterator[str]:
    def who(by: str) -> str:
        return whoever(state, by, texts, fit)

    match event:
        case said.TicketAdded():
            yield texts.say("{who} has added it", who=who(event.by))
        case said.TicketDropped():
            yield texts.say("{who} has dropped it", who=who(event.by))
        case said.CheckingChanged():
            yield texts.say("{who} has said how risky it is, and who approves it", who=who(event.by))
        case said.OwnerChanged():
            yield texts.say("now {who} has it", who=owner_name(state, event.owner, texts, fit))
        case said.HandOverAsked():
            yield texts.say("{who} is asked to take it", who=who(event.to))
        case said.ProposalUnanswered():
            yield texts.say("{who} gives no answer that can be read to how it is to be done", who=who(event.by))
        case said.WorkStarted():
            yield texts.say("{who} begins", who=who(event.by))
        case said.WorkClaimed():
            yield texts.say("{who} says that it is done", who=who(event.by))
        case said.WorkReported():
            yield texts.say("it was shown to be done, and is reviewed")
        case said.WorkBlocked():
            yield texts.say("blocked")
        case said.AttemptFailed():
            failed = failure_text(event.code, event.detail, texts)
            yield texts.say("⚠️ an attempt came to nothing") + (f" – {failed}" if failed else "")
        case said.PermissionAsked():
            yield texts.say("{who} asks for permission", who=who(event.by))
        case said.PermissionAnswered():
            yield texts.say("{who} has answered", who=who(event.by))
        case said.PersonNeeded():
            yield need_text(event.need, texts)
        case said.ReviewGiven() if event.decision is ReviewDecision.APPROVED:
            yield texts.say("✅ {who} approves it", who=who(event.by))
        case said.ReviewGiven():
            yield texts.say("{who} wants changes", who=who(event.by))
        case said.TicketFailed():
            yield texts.say("failed")
        case said.TicketReset():
            yield texts.say("{who} begins it anew", who=who(event.by))
        case said.TicketOverdue():
            yield texts.say("⚠️ its last day is over")
