"""What people, workers, states and failures of a delivery are called."""

from typing import assert_never

from bot.texts import Texts
from bot.views.kit.mrkdwn import Fit, bold, mention
from engine.delivery.state import Delivery, Ticket, TicketStatus
from engine.delivery.terms import MANAGER, SCHEDULER, EndReason, Owner, PersonNeed
from engine.errors import BudgetSpent, InvalidAnswer, ModelTimeout, ModelUnavailable

LONGEST_NAME = 48


def owner_name(state: Delivery, owner: Owner, texts: Texts, fit: Fit) -> str:
    """In bold, which notifies nobody; a person of whom no name is known is mentioned."""
    if owner.user_id:
        return _person(state, owner.user_id, owner.name, fit)
    if owner.role_id:
        role = state.roles.get(owner.role_id)
        return bold(fit.line(owner.name or (role.name if role else "") or owner.role_id, LONGEST_NAME))
    return texts.say("nobody yet")


def whoever(state: Delivery, by: str, texts: Texts, fit: Fit) -> str:
    """Who did something: the Manager, code, a worker, or a person, by name where there is one."""
    if by == MANAGER:
        return texts.say("the Manager")
    if by in (SCHEDULER, ""):
        return "ToWow"
    if (role := state.roles.get(by)) is not None:
        return bold(fit.line(role.name or by, LONGEST_NAME))
    return _person(state, by, "", fit)


def shown_for_them(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> str:
    """Who showed what was reported last for whoever has the ticket; empty where they did."""
    return _for_owner(state, ticket, ticket.report.shown_by, ticket.report.by, texts, fit) if ticket.report else ""


def claimed_for_them(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> str:
    """Who shows what is being checked for them; empty where they do."""
    claim, whose = ticket.claim, ticket.attempts[-1].by if ticket.attempts else ""
    return _for_owner(state, ticket, claim.by, whose, texts, fit) if claim is not None else ""


def blocked_for_them(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> str:
    """Who said for them that it is blocked; empty where they did."""
    whose = ticket.attempts[-1].by if ticket.attempts else ""
    return _for_owner(state, ticket, ticket.blocked_by, whose, texts, fit)


def starter_if_not_owner(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> str:
    """Who started it for them; empty where they did."""
    running = ticket.running
    return _for_owner(state, ticket, running.started_by, running.by, texts, fit) if running is not None else ""


def _for_owner(state: Delivery, ticket: Ticket, hand: str, whose: str, texts: Texts, fit: Fit) -> str:
    is_for_them = ticket.is_a_persons and whose == ticket.owner.user_id and hand not in ("", whose)
    return whoever(state, hand, texts, fit) if is_for_them else ""


def _person(state: Delivery, user: str, name: str, fit: Fit) -> str:
    known = name or next((each.name for each in state.brief.people if each.user_id == user), "")
    return bold(fit.line(known, LONGEST_NAME)) or mention(user) or fit.line(user, LONGEST_NAME) or "?"


def ticket_title(ticket: Ticket, fit: Fit, most: int = 160) -> str:
    """Its id and its title."""
    return f"*{ticket.ticket_id}* {fit.line(ticket.task.title, most)}"


def status_mark(ticket: Ticket) -> str:
    match ticket.status:
        case TicketStatus.DONE:
            return "✅"
        case TicketStatus.DROPPED:
            return "➖"
        case TicketStatus.ERROR:
            return "🔴"
        case TicketStatus.BLOCKED:
            return "⛔"
        case _ if ticket.need is not None:
            return "🟠"
        case TicketStatus.IN_PROGRESS:
            return "🔵"
        case TicketStatus.AWAITING_REVIEW:
            return "🟣"
        case TicketStatus.PENDING | TicketStatus.DISCUSSING:
            return "⚪"
        case _:
            assert_never(ticket.status)


def status_text(ticket: Ticket, texts: Texts) -> str:
    if ticket.need is not None and ticket.is_open:
        return need_text(ticket.need, texts)
    match ticket.status:
        case TicketStatus.PENDING:
            return texts.say("not begun")
        case TicketStatus.DISCUSSING:
            return texts.say("how to do it is being discussed")
        case TicketStatus.IN_PROGRESS if ticket.claim is not None:
            return texts.say("what was shown is being checked")
        case TicketStatus.IN_PROGRESS if ticket.running is None and ticket.is_a_persons:
            return texts.say("can be started")
        case TicketStatus.IN_PROGRESS if ticket.changes:
            return texts.say("changes are being made")
        case TicketStatus.IN_PROGRESS:
            return texts.say("in progress")
        case TicketStatus.BLOCKED:
            return texts.say("blocked")
        case TicketStatus.AWAITING_REVIEW:
            return texts.say("is being reviewed")
        case TicketStatus.DONE:
            return texts.say("done")
        case TicketStatus.ERROR:
            return texts.say("failed")
        case TicketStatus.DROPPED:
            return texts.say("dropped")
        case _:
            assert_never(ticket.status)


def need_text(need: PersonNeed, texts: Texts) -> str:
    """Why it waits for a decision."""
    match need:
        case PersonNeed.OWNER:
            return texts.say("nobody has it")
        case PersonNeed.BLOCKED:
            return texts.say("blocked: an answer is needed")
        case PersonNeed.PERMISSION:
            return texts.say("asks for permission")
        case PersonNeed.CONSENT:
            return texts.say("nobody has agreed to how it is to be done")
        case PersonNeed.REVIEW:
            return texts.say("waits for a review")
        case PersonNeed.FAILED:
            return texts.say("failed: a decision is needed")
        case PersonNeed.BUDGET:
            return texts.say("its budget is spent")
        case _:
            assert_never(need)


def failure_text(code: str, detail: str, texts: Texts) -> str:
    """Why an attempt came to nothing, in a sentence; empty for a code that says nothing to people.

    Args:
        detail: ready for Slack; of a model that failed, the class of its failure; of an agent, what is to be mended, or
            its error.
    """
    match code:
        case "timeout":
            return texts.say("It took too long.")
        case "stalled":
            return texts.say("It was silent for too long.")
        case "exit":
            return texts.say("It ended with an error.")
        case "not_started":
            return texts.say("It could not be started.")
        case "interrupted":
            return texts.say("It was interrupted.")
        case "protocol":
            return texts.say("What it sent could not be understood.")
        case "flood":
            return texts.say("It printed more than it may.")
        case "evidence_missing":
            return texts.say("It said that it was done, but an expected result is not there.")
        case "artifact_refused":
            return texts.say(
                "What it left could not be accepted: it is too large, empty, a link, or not what was said."
            )
        case "check_failed":
            return texts.say("The check of what it made did not pass.")
        case "budget":
            return texts.say("Its budget is spent.")
        case "role_missing":
            return texts.say("Its agent is no longer in the registry.")
        case "workers_off":
            return texts.say("No commands may run here.")
        case "not_isolated":
            return texts.say("It needs a sandbox that this machine does not have.")
        case "misconfigured":
            return " ".join((texts.say("Its settings have to be mended."), detail)).strip()
        case "agent_error":
            return " ".join((texts.say("It answered with an error."), detail)).strip()
        case "model_failed":
            return _model_failed(detail, texts)
        case _:
            return ""


def _model_failed(why: str, texts: Texts) -> str:
    match why:
        case InvalidAnswer.__name__:
            return texts.say("What the model answered could not be read.")
        case BudgetSpent.__name__:
            return texts.say("The budget for models is spent.")
        case ModelTimeout.__name__:
            return texts.say("The model did not answer in time.")
        case ModelUnavailable.__name__:
            return texts.say("The model could not be reached.")
        case _:
            return texts.say("No model answered.")


def end_text(reason: EndReason, texts: Texts) -> str:
    match reason:
        case EndReason.ALL_DONE:
            return texts.say("every ticket is settled")
        case EndReason.NO_PLAN:
            return texts.say("no plan could be made that can be carried out")
        case EndReason.NO_MODEL:
            return texts.say("no model made a plan: ask again later, or write the tickets down")
        case EndReason.STOPPED:
            return texts.say("somebody stopped it")
        case EndReason.TIME_IS_UP:
            return texts.say("the time was up")
        case EndReason.FORGOTTEN:
            return texts.say("words that it was about were erased")
        case _:
            assert_never(reason)
