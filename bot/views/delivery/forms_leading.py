"""The forms of whoever leads a delivery: tickets are added, changed, answered, reviewed, given away and dropped."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.delivery.button_values import (
    ADD,
    ANSWER,
    BUDGET,
    CHANGES,
    CHECKING,
    CLARIFY,
    DROP,
    OWNER,
    OWNERS,
    AskedOwner,
    ClarifyButton,
    OwnersButton,
    TicketButton,
)
from bot.views.delivery.checking import checking_fields
from bot.views.delivery.names import ticket_title
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fields import (
    InvalidForm,
    Values,
    choice_field,
    day_field,
    entered_decimal,
    entered_number,
    entered_text,
    line_field,
    multi_choice_field,
    number_field,
    person_field,
    picked_day,
    picked_option,
    picked_options,
    picked_person,
    text_block,
    text_field,
)
from bot.views.kit.modals import form, read_metadata
from bot.views.kit.mrkdwn import Fit, plain_line, safe_line
from engine.delivery.state import Clarification, Delivery, Ticket
from engine.delivery.terms import LONGEST_TEXT, PersonNeed, Role

TITLE, TEXT, PERSON, WORKER, AFTER, DAY, RESULT = "title", "text", "person", "worker", "after", "day", "result"
USD, TOKENS = "usd", "tokens"
"""Names of fields: where the errors of a refused form belong."""

LONGEST_TITLE: Final = 200
LONGEST_RESULT: Final = 300
MOST_USD: Final = 10_000
MOST_TOKENS: Final = 1_000_000_000
LONGEST_LABEL: Final = 150
MOST_OWNERS: Final = 40
"""Tickets for which owners are chosen at once."""
MOST_CHOICES: Final = 100


def answer_field(number: int) -> str:
    """Name of the field for the answer to a question, counted from 1."""
    return f"answer-{number}"


# ── tickets ───────────────────────────────────────────────────────────────────────────────────────────────────────


def add_form(state: Delivery, texts: Texts) -> dict[str, Any]:
    open_tickets = [each for each in state.tickets.values() if each.is_open][-MOST_CHOICES:]
    fields = [
        line_field(TITLE, texts.say("What is to be done?"), texts.say("Such as: book the room"), longest=LONGEST_TITLE),
        text_field(
            TEXT,
            texts.say("What does whoever does it have to know?"),
            "",
            optional=True,
            longest=LONGEST_TEXT,
        ),
        line_field(
            RESULT,
            texts.say("What is there when it is done?"),
            texts.say("Such as: the confirmation of the booking"),
            longest=LONGEST_RESULT,
            optional=True,
        ),
        *_owner_fields(state, texts),
        day_field(DAY, texts.say("By when?")),
        *checking_fields(texts),
    ]
    if open_tickets:
        options = [(each.ticket_id, f"{each.ticket_id} {each.task.title}") for each in open_tickets]
        fields.append(multi_choice_field(AFTER, texts.say("After which tickets?"), options))
    metadata = StreamButton(stream=state.session_id).value()
    return form(ADD, texts.say("Add a ticket"), texts.say("Add"), fields, texts, metadata=metadata)


def owner_form(state: Delivery, ticket: Ticket, button: TicketButton, texts: Texts) -> dict[str, Any]:
    fields = [_about(ticket), *_owner_fields(state, texts, ticket.owner.user_id, ticket.owner.role_id)]
    return form(OWNER, texts.say("Who does it?"), texts.say("Save"), fields, texts, metadata=button.value())


def owners_form(state: Delivery, texts: Texts) -> dict[str, Any]:
    """Who does each of the tickets that nobody has, with one question for all of a person who has no account here.

    Whoever is left out is asked about again.
    """
    fields: list[Block] = []
    groups = by_person(without_owner(state))
    for tickets in groups:
        ticket = tickets[0]
        ids = texts.say(", ").join(each.ticket_id for each in tickets)
        what = f"{ticket.owner.name}: {ids}" if len(tickets) > 1 else f"{ids} {ticket.task.title}"
        label = plain_line(what, LONGEST_LABEL)
        fields.append(
            person_field(owner_of(PERSON, ticket.ticket_id), label, texts.say("They get it as a direct message."))
        )
        if roles := workers(state):
            options = [(each.role_id, each.name or each.role_id) for each in roles]
            fields.append(
                choice_field(owner_of(WORKER, ticket.ticket_id), texts.say("Or which agent?"), options, optional=True)
            )
    asked = tuple(
        tuple(
            AskedOwner(ticket=each.ticket_id, decision=each.open_decision.number if each.open_decision else 0)
            for each in tickets
        )
        for tickets in groups
    )
    metadata = OwnersButton(stream=state.session_id, fields=asked).value()
    return form(OWNERS, texts.say("Who does which?"), texts.say("Save"), fields, texts, metadata=metadata)


def without_owner(state: Delivery) -> list[Ticket]:
    found = [each for each in state.tickets.values() if each.is_open and each.need is PersonNeed.OWNER]
    return found[:MOST_OWNERS]


def by_person(tickets: Sequence[Ticket]) -> list[list[Ticket]]:
    """Return the tickets that were agreed for the same person together, each of the others alone."""
    found: dict[str, list[Ticket]] = {}
    for each in tickets:
        found.setdefault(each.owner.person_id or each.ticket_id, []).append(each)
    return [*found.values()]


def owner_of(field: str, ticket_id: str) -> str:
    """Name of the field in which the person, or the agent, of one of several tickets is chosen."""
    return f"{field}-{ticket_id}"


class ChosenOwner(NamedTuple):
    asked: AskedOwner
    field: str
    """Where what is wrong with it is said."""
    person: str
    role_id: str
    """One of both is empty."""


def read_owners(values: Values, button: OwnersButton, texts: Texts) -> list[ChosenOwner]:
    """Who was chosen for each ticket for which anybody was, as it was asked when the form was opened."""
    found: list[ChosenOwner] = []
    for tickets in button.fields:
        field = owner_of(PERSON, tickets[0].ticket)
        person, role = picked_person(values, field), picked_option(values, owner_of(WORKER, tickets[0].ticket)) or ""
        if person and role:
            raise InvalidForm({field: texts.say("Choose either a person or an agent, and not both.")})
        if person or role:
            found += [ChosenOwner(each, field, person, role) for each in tickets]
    return found


def decided_since(ticket: Ticket, texts: Texts) -> str:
    return texts.say(
        "Somebody has decided about {ticket} since this form was opened, so nothing was changed about it. "
        "Leave it out.",
        ticket=ticket.ticket_id,
    )


def checking_form(_: Delivery, ticket: Ticket, button: TicketButton, texts: Texts) -> dict[str, Any]:
    fields = [_about(ticket), *checking_fields(texts, ticket.task)]
    title = texts.say("Risk and approval")
    return form(CHECKING, title, texts.say("Save"), fields, texts, metadata=button.value())


def workers(state: Delivery) -> list[Role]:
    return [each for each in state.roles.values() if not each.is_manager]


def _owner_fields(state: Delivery, texts: Texts, user: str = "", role_id: str = "") -> list[Block]:
    hint = texts.say("They get it as a direct message.")
    fields = [person_field(PERSON, texts.say("Which person?"), hint, user)]
    if roles := workers(state):
        options = [(each.role_id, each.name or each.role_id) for each in roles]
        label = texts.say("Or which agent?")
        fields.append(choice_field(WORKER, label, options, role_id, optional=True))
    return fields


def drop_form(_: Delivery, ticket: Ticket, button: TicketButton, texts: Texts) -> dict[str, Any]:
    told = texts.say("Nobody has to do it any more. Tickets that wait for it go on without it.")
    why = text_field(TEXT, texts.say("Why?"), "", optional=True, longest=LONGEST_TEXT)
    fields = [_about(ticket), text_block(told), why]
    return form(DROP, texts.say("Drop a ticket"), texts.say("Drop"), fields, texts, metadata=button.value())


def changes_form(_: Delivery, ticket: Ticket, button: TicketButton, texts: Texts) -> dict[str, Any]:
    field = text_field(
        TEXT, texts.say("What should change?"), texts.say("Whoever does it reads this"), longest=LONGEST_TEXT
    )
    fields = [_about(ticket), field]
    return form(CHANGES, texts.say("Request changes"), texts.say("Send"), fields, texts, metadata=button.value())


def block_answer_form(_: Delivery, ticket: Ticket, button: TicketButton, texts: Texts) -> dict[str, Any]:
    fit = Fit()
    lacking = [f"• {fit.line(each, 300)}" for each in ticket.issues[:6]]
    shown = [text_block("\n".join(lacking))] if lacking else []
    question = fit.text(ticket.question, 900)
    asked = [text_block(question)] if question else []
    field = text_field(TEXT, texts.say("Your answer"), texts.say("Whoever does it reads this"), longest=LONGEST_TEXT)
    fields = [_about(ticket), *shown, *asked, field]
    return form(ANSWER, texts.say("Answer"), texts.say("Send"), fields, texts, metadata=button.value())


def _about(ticket: Ticket) -> Block:
    return text_block(ticket_title(ticket, Fit(), 200))


# ── the whole ─────────────────────────────────────────────────────────────────────────────────────────────────────


def clarification_form(state: Delivery, asked: Clarification, texts: Texts) -> dict[str, Any]:
    fields: list[Block] = []
    if understood := safe_line(asked.intent_summary, 600):
        fields.append(text_block(texts.say("What was understood: {summary}", summary=understood)))
    for number, each in enumerate(asked.questions, 1):
        fields.append(text_block(f"{number}. {Fit().text(each.text, 900)}"))
        label = texts.say("Your answer to {number}", number=number)
        fields.append(text_field(answer_field(number), label, "", optional=True, longest=LONGEST_TEXT))
    value = ClarifyButton(stream=state.session_id, number=asked.number).value()
    return form(CLARIFY, texts.say("Answer"), texts.say("Send"), fields, texts, metadata=value)


def budget_form(state: Delivery, texts: Texts) -> dict[str, Any]:
    spent = texts.say(
        "${usd} and {tokens} tokens were spent so far, as far as it was reported. Whatever you add holds for this "
        "delivery and for each of its tickets.",
        usd=f"{state.spent.usd:.2f}",
        tokens=f"{state.spent.tokens:,}",
    )
    fields = [
        text_block(spent),
        number_field(USD, texts.say("How many dollars more?"), None, least=0, most=MOST_USD, decimal=True),
        number_field(TOKENS, texts.say("How many tokens more?"), None, least=0, most=MOST_TOKENS),
    ]
    metadata = StreamButton(stream=state.session_id).value()
    return form(BUDGET, texts.say("Raise the budget"), texts.say("Raise"), fields, texts, metadata=metadata)


# ── what was filled in ────────────────────────────────────────────────────────────────────────────────────────────


def read_owner(values: Values, texts: Texts) -> tuple[str, str]:
    """The user who was chosen, and the role; at most one of them."""
    person, role = picked_person(values, PERSON), picked_option(values, WORKER) or ""
    if person and role:
        raise InvalidForm({PERSON: texts.say("Choose either a person or an agent, and not both.")})
    return person, role


def read_after(values: Values) -> Sequence[str]:
    return picked_options(values, AFTER)


def read_day(values: Values) -> str:
    return picked_day(values, DAY)


def read_budget(view: Mapping[str, Any], texts: Texts) -> tuple[str, float, int]:
    """The stream, dollars, and tokens."""
    values = view["state"]["values"]
    stream = read_metadata(view, StreamButton).stream
    usd, tokens = entered_decimal(values, USD) or 0.0, entered_number(values, TOKENS) or 0
    if usd < 0 or tokens < 0 or usd > MOST_USD or tokens > MOST_TOKENS or not (usd or tokens):
        raise InvalidForm({USD: texts.say("Say how much more, in dollars or in tokens.")})
    return stream, usd, tokens


def read_answers(view: Mapping[str, Any]) -> tuple[ClarifyButton, tuple[str, ...]]:
    """Which questions, and the answers in their order."""
    values = view["state"]["values"]
    fields = [each for each in (answer_field(number) for number in range(1, 11)) if each in values]
    return read_metadata(view, ClarifyButton), tuple(entered_text(values, each) for each in fields)
