"""How risky a ticket is, and who approves it: what is shown of it, and the form in which whoever leads says it."""

from collections.abc import Iterator
from typing import Final

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.delivery.names import whoever
from bot.views.kit.fields import Values, choice_field, entered_text, line_field, person_field, picked_option
from bot.views.kit.mrkdwn import Fit
from engine.delivery.outstanding import is_high_risk
from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import Task
from engine.delivery.tickets.owners import checker_of

RISK, REASON, CHECKER = "risk", "reason", "checker"
"""Names of fields: where the errors of a refused form belong."""
HIGH: Final = "high"
LONGEST_REASON: Final = 300


def risk_text(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> str:
    """That its risk is high, and why; empty where it is low."""
    if not is_high_risk(state, ticket):
        return ""
    if reason := fit.line(ticket.task.risk_reason, LONGEST_REASON):
        return texts.say("high risk: {why}", why=reason)
    return texts.say("high risk")


def checker_text(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> str:
    """Who approves it, where it names somebody; where that is somebody else than it names, why."""
    user, named = checker_of(state, ticket), ticket.task.checked_by
    if user == named:
        return texts.say("{who} approves it", who=whoever(state, user, texts, fit)) if user else ""
    it_was = whoever(state, named, texts, fit)
    if named == ticket.checker_gone:
        return _instead_of_gone(it_was, whoever(state, user, texts, fit) if user else "", texts)
    if not user:
        return texts.say("{named} was to approve it, but did it or showed it: choose somebody else", named=it_was)
    return texts.say(
        "{who} approves it instead of {named}, who did it or showed it",
        who=whoever(state, user, texts, fit),
        named=it_was,
    )


def _instead_of_gone(named: str, who: str, texts: Texts) -> str:
    if not who:
        return texts.say("{named} was to approve it, but has no account any more: choose somebody else", named=named)
    return texts.say("{who} approves it instead of {named}, who has no account any more", who=who, named=named)


def is_without_checker(state: Delivery, ticket: Ticket) -> bool:
    """Whether somebody has to be chosen who approves it: those who could have done it, or showed it."""
    return bool(ticket.task.checked_by) and not checker_of(state, ticket)


def checking_lines(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> Iterator[str]:
    yield from filter(None, (risk_text(state, ticket, texts, fit), checker_text(state, ticket, texts, fit)))


def checking_fields(texts: Texts, task: Task | None = None) -> list[Block]:
    risk = task.risk if task is not None else "low"
    options = [
        ("low", texts.say("Low: it can begin at once")),
        (HIGH, texts.say("High: how it is done is discussed first")),
    ]
    return [
        choice_field(RISK, texts.say("How high is the risk?"), options, risk),
        line_field(
            REASON,
            texts.say("Why is the risk high?"),
            texts.say("Such as: it cannot be undone"),
            initial=task.risk_reason if task is not None else "",
            longest=LONGEST_REASON,
            optional=True,
        ),
        person_field(
            CHECKER,
            texts.say("Who approves it?"),
            texts.say("Without a name, the Manager does, or whoever asked for all of it."),
            task.checked_by if task is not None else "",
        ),
    ]


def read_risk(values: Values) -> tuple[bool, str]:
    """Whether the risk is high, and why."""
    return picked_option(values, RISK) == HIGH, entered_text(values, REASON)
