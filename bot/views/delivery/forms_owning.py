"""The forms of those who have tickets: what is done, what is lacking, who takes it, and what they suggest."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.delivery.owners_buttons import BLOCK, FINISH, HAND_OVER, SUGGEST, OwnTicketButton
from bot.views.delivery.owners_words import ticket_name
from bot.views.delivery.ticket_status import is_workable
from bot.views.kit.fields import (
    InvalidForm,
    Values,
    entered_text,
    file_field,
    person_field,
    picked_files,
    picked_person,
    text_block,
    text_field,
)
from bot.views.kit.modals import form, read_metadata
from bot.views.kit.mrkdwn import Fit, plain_line
from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import LONGEST_TEXT, Evidence
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
