"""Whoever asked for a delivery, or an admin, answers: the Manager's questions, and what a blocked ticket lacks."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.delivery.deciding import read_as_leader, read_decided, read_delivery, send
from bot.listeners.interaction import Click, Form, beside, on_click, on_form
from bot.listeners.services import Services
from bot.views.delivery import notices
from bot.views.delivery.button_values import ANSWER, CLARIFY, ClarifyButton, TicketButton
from bot.views.delivery.forms_leading import TEXT, answer_field, block_answer_form, clarification_form, read_answers
from bot.views.kit.fields import entered_text
from bot.views.kit.modals import read_metadata
from engine.delivery.commands import AnswerBlock, AnswerClarification
from engine.errors import IllegalStep, Outdated


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, CLARIFY, _asked, notices.refused)
    on_form(app, services, CLARIFY, _clarified, notices.refused, beside(answer_field(1)))
    on_click(app, services, ANSWER, _clicked, notices.refused)
    on_form(app, services, ANSWER, _answered, notices.refused, beside(TEXT))


async def _asked(click: Click) -> None:
    button = ClarifyButton.read(click.value)
    state = await read_as_leader(click, button.stream)
    asked = state.open_clarification
    if asked is None:
        raise IllegalStep("Nothing is asked at the moment.")
    if asked.number != button.number:
        raise Outdated("Other questions have been asked since.")
    await click.open(clarification_form(state, asked, await click.texts()))


async def _clarified(form: Form) -> None:
    button, answers = read_answers(form.view)
    await read_delivery(form, button.stream)
    await send(
        form,
        button.stream,
        AnswerClarification(
            command_id=form.cause,
            at=form.now(),
            by=form.actor,
            as_admin=await form.is_admin(),
            number=button.number,
            answers=answers,
        ),
    )


async def _clicked(click: Click) -> None:
    button = TicketButton.read(click.value)
    _, ticket = await read_decided(click, button)
    await click.open(block_answer_form(ticket, button, await click.texts()))


async def _answered(form: Form) -> None:
    button = read_metadata(form.view, TicketButton)
    await read_delivery(form, button.stream)
    await send(
        form,
        button.stream,
        AnswerBlock(
            command_id=form.cause,
            at=form.now(),
            by=form.actor,
            as_admin=await form.is_admin(),
            ticket_id=button.ticket,
            decision=button.decision,
            text=entered_text(form.values, TEXT),
        ),
    )
