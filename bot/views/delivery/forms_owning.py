"""The forms of those who have tickets: what is done, what is lacking, who takes it, and what they suggest."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.delivery.board import ticket_row
from bot.views.delivery.button_values import (
    APPROVE,
    BLOCK,
    CHANGES,
    CHECKING,
    DROP,
    FINISH,
    HAND_OVER,
    OWNER,
    RESET,
    SUGGEST,
    TICKET,
    TICKETS,
    OwnTicketButton,
    TicketButton,
)
from bot.views.delivery.owners_words import ticket_name
from bot.views.delivery.proof import proof
from bot.views.delivery.ticket_status import is_workable
from bot.views.kit import blocks
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fields import (
    InvalidForm,
    Values,
    choice_field,
    entered_text,
    file_field,
    grouped_choice_field,
    person_field,
    picked_files,
    picked_option,
    picked_person,
    text_block,
    text_field,
)
from bot.views.kit.modals import form, modal, read_metadata
from bot.views.kit.mrkdwn import Fit, plain_line
from engine.delivery.state import Delivery, Ticket, TicketStatus
from engine.delivery.terms import LONGEST_TEXT, Evidence, PersonNeed
from engine.delivery.tickets.owners import is_address

TEXT: Final = "text"
TO: Final = "to"
SUMMARY: Final = "summary"
"""Names of fields: where the errors of a refused form belong."""
LONGEST_LABEL: Final = 140


def shown_field(number: int) -> str:
    """The field for the text or the link of an expected output, counted from 1."""
    return f"shown-{number}"


def file_name(number: int) -> str:
    return f"file-{number}"


def is_shown_here(ticket: Ticket) -> bool:
    """Whether a text can be written beside *Done…*, so that no form has to be opened: where one result is expected."""
    return is_workable(ticket) and len(ticket.task.outputs) == 1


def result_field(ticket: Ticket, texts: Texts) -> dict[str, Any]:
    """The field for a ticket's one result on its own card."""
    return _text_of_output(1, ticket, texts).to_dict()


def read_result(values: Values, ticket: Ticket) -> tuple[Evidence, ...]:
    """What was written beside *Done…*; nothing where that is for the form."""
    said = entered_text(values, shown_field(1))
    if not said or len(ticket.task.outputs) != 1:
        return ()
    return (_evidence(ticket.task.outputs[0].label, said),)


def finish_form(state: Delivery, ticket: Ticket, texts: Texts) -> dict[str, Any]:
    name = ticket_name(ticket, Fit())
    is_only_one = len(ticket.task.outputs) == 1
    fields = [
        text_block(name if is_only_one else texts.say("{ticket}: show each result.", ticket=name)),
        *(field for number, _ in enumerate(ticket.task.outputs, 1) for field in _output(number, ticket, texts)),
        text_field(
            SUMMARY,
            texts.say("How did it go?"),
            texts.say("It stands in the report"),
            optional=True,
            longest=LONGEST_TEXT,
        ),
    ]
    return form(FINISH, texts.say("What is done"), texts.say("Send"), fields, texts, metadata=_metadata(state, ticket))


def _output(number: int, ticket: Ticket, texts: Texts) -> Iterator[Block]:
    yield _text_of_output(number, ticket, texts)
    is_only_one = len(ticket.task.outputs) == 1
    label = _label(number, ticket)
    or_file = texts.say("Or a file") if is_only_one else texts.say("Or a file: {label}", label=label)
    yield file_field(file_name(number), plain_line(or_file, LONGEST_LABEL))


def _text_of_output(number: int, ticket: Ticket, texts: Texts) -> Block:
    hint = texts.say("A text or a link")
    return text_field(shown_field(number), _label(number, ticket), hint, optional=True, longest=LONGEST_TEXT)


def _label(number: int, ticket: Ticket) -> str:
    return plain_line(ticket.task.outputs[number - 1].label, LONGEST_LABEL) or "…"


def block_form(state: Delivery, ticket: Ticket, texts: Texts) -> dict[str, Any]:
    told = texts.say("{ticket}: whoever asked for it is told, and answers you.", ticket=ticket_name(ticket, Fit()))
    field = text_field(
        TEXT,
        texts.say("What do you lack?"),
        texts.say("As concrete as you can: what, from whom, by when"),
        longest=LONGEST_TEXT,
    )
    return form(
        BLOCK,
        texts.say("Blocked"),
        texts.say("Send"),
        [text_block(told), field],
        texts,
        metadata=_metadata(state, ticket),
    )


def hand_over_form(state: Delivery, ticket: Ticket, texts: Texts) -> dict[str, Any]:
    told = texts.say("{ticket} is yours until your colleague takes it.", ticket=ticket_name(ticket, Fit()))
    field = person_field(
        TO,
        texts.say("Who shall take it?"),
        texts.say("They are asked first, and you are told what they say."),
        ticket.hand_over_to,
    )
    return form(
        HAND_OVER,
        texts.say("Hand over"),
        texts.say("Ask"),
        [text_block(told), field],
        texts,
        metadata=_metadata(state, ticket),
    )


def suggest_form(state: Delivery, ticket: Ticket, number: int, texts: Texts) -> dict[str, Any]:
    """Args:
    number: which proposal, counted from 1.
    """
    field = text_field(
        TEXT,
        texts.say("What should be done otherwise?"),
        texts.say("As concrete as you can: what, from whom, by when"),
        longest=LONGEST_TEXT,
    )
    button = OwnTicketButton(stream=state.session_id, ticket=ticket.ticket_id, number=number)
    return form(SUGGEST, texts.say("Suggest"), texts.say("Send"), [field], texts, metadata=button.value())


def _metadata(state: Delivery, ticket: Ticket) -> str:
    return OwnTicketButton(stream=state.session_id, ticket=ticket.ticket_id).value()


def read_button(view: Mapping[str, Any]) -> OwnTicketButton:
    """What a form remembers."""
    return read_metadata(view, OwnTicketButton)


def read_text(view: Mapping[str, Any]) -> str:
    return entered_text(view["state"]["values"], TEXT)


def read_colleague(view: Mapping[str, Any]) -> str:
    """The user who was chosen; empty for nobody."""
    return picked_person(view["state"]["values"], TO)


def read_summary(view: Mapping[str, Any]) -> str:
    return entered_text(view["state"]["values"], SUMMARY)


def read_evidence(view: Mapping[str, Any], ticket: Ticket, texts: Texts) -> tuple[Evidence, ...]:
    """What is shown for each expected output.

    Raises:
        InvalidForm: nothing, or two things, for one of them.
    """
    values: Values = view["state"]["values"]
    errors: dict[str, str] = {}
    found = []
    for number, output in enumerate(ticket.task.outputs, 1):
        said, files = entered_text(values, shown_field(number)), picked_files(values, file_name(number))
        if said and files:
            errors[shown_field(number)] = texts.say("Give either a text or a file for this, not both.")
        elif not said and not files:
            errors[shown_field(number)] = texts.say("Nothing is shown for this yet: give a text, a link or a file.")
        elif len(said) > LONGEST_TEXT:
            errors[shown_field(number)] = texts.say("This is too long for a text; give it as a file.")
        elif files:
            file_id, name = files[0]
            found.append(Evidence(label=output.label, file_id=file_id, file_name=name))
        else:
            found.append(_evidence(output.label, said))
    if errors:
        raise InvalidForm(errors)
    return tuple(found)


def _evidence(label: str, said: str) -> Evidence:
    return Evidence(label=label, link=said) if is_address(said) else Evidence(label=label, text=said)


WHICH: Final = "which"
ACTION: Final = "action"
"""Names of fields: where the errors of a refused form belong."""
MOST_OPTIONS: Final = 100


def tickets_form(state: Delivery, texts: Texts) -> dict[str, Any]:
    ordered = sorted(state.tickets.values(), key=lambda each: not each.is_open)
    options = [(each.ticket_id, f"{each.ticket_id} {each.task.title}") for each in ordered]
    label = texts.say("Which ticket?")
    field = choice_field if len(options) <= MOST_OPTIONS else grouped_choice_field
    metadata = StreamButton(stream=state.session_id).value()
    fields = [field(WHICH, label, options)]
    return form(TICKETS, texts.say("Change a ticket"), texts.say("Next"), fields, texts, metadata=metadata)


def ticket_form(state: Delivery, ticket: Ticket, texts: Texts, *, may_approve: bool) -> dict[str, Any]:
    """What is known of it, and what can be done; where nothing can, only the first.

    Args:
        may_approve: whether whoever looks at it may approve what was reported.
    """
    fit = Fit()
    task = ticket.task
    shown: list[Any] = [blocks.section(ticket_row(state, ticket, texts, fit))]
    shown += blocks.sections([fit.text(task.description, 1_200)])
    shown += blocks.titled_list(texts.say("*Expected*"), [f"• {fit.line(each.label, 200)}" for each in task.outputs])
    shown += proof(state, ticket, texts, fit)
    heading = ticket.ticket_id
    options = actions(ticket, texts, may_approve=may_approve)
    if not options:
        return modal(heading, shown, texts)
    value = TicketButton(
        stream=state.session_id, ticket=ticket.ticket_id, decision=0, report=len(ticket.reports)
    ).value()
    fields = [*shown, choice_field(ACTION, texts.say("What is to be done about it?"), options)]
    return form(TICKET, heading, texts.say("Next"), fields, texts, metadata=value)


def actions(ticket: Ticket, texts: Texts, *, may_approve: bool) -> Sequence[tuple[str, str]]:
    """By the name of the button that does the same elsewhere."""
    found = []
    is_returned = ticket.status is TicketStatus.IN_PROGRESS and ticket.report is not None
    if may_approve and (ticket.status is TicketStatus.AWAITING_REVIEW or is_returned):
        found.append((APPROVE, texts.say("Approve what was reported")))
    if ticket.status in (TicketStatus.AWAITING_REVIEW, TicketStatus.DONE):
        found.append((CHANGES, texts.say("Request changes…")))
    if ticket.status is TicketStatus.ERROR or ticket.need is PersonNeed.FAILED:
        found.append((RESET, texts.say("Try again")))
    if ticket.is_open:
        found.append((OWNER, texts.say("Change owner…")))
        found.append((CHECKING, texts.say("Risk, and who approves it…")))
        found.append((DROP, texts.say("Drop…")))
    return found


def read_which(view: Mapping[str, Any]) -> tuple[str, str]:
    """The stream, and the ticket that was chosen."""
    return read_metadata(view, StreamButton).stream, picked_option(view["state"]["values"], WHICH) or ""


def read_action(view: Mapping[str, Any]) -> tuple[TicketButton, str]:
    """What it was opened for, and what is to be done."""
    return read_metadata(view, TicketButton), picked_option(view["state"]["values"], ACTION) or ""
