"""Whoever asked, or an admin, says the demand otherwise, or answers what was not clear in it."""

from functools import partial

from slack_bolt.async_app import AsyncApp

from bot.listeners.gateway import CommandGateway
from bot.listeners.negotiation import form_handlers
from bot.listeners.negotiation.form_handlers import FormView, Steering
from bot.texts import Texts
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import CLARIFY, EDIT
from bot.views.negotiation.edit_form import clarified, clarify_form, edit_form, read_answers, read_edit
from engine.errors import IllegalStep, Refusal
from engine.negotiation.commands import EditDemand
from engine.negotiation.gathering import check_edit
from engine.negotiation.state import Negotiation


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    form_handlers.register(app, gateway, Steering(EDIT, check_edit, edit_form, _edited, _no))
    form_handlers.register(app, gateway, Steering(CLARIFY, check_edit, clarify_form, _clarified, _no))


def _edited(_: Negotiation, view: FormView) -> partial[EditDemand]:
    return partial(EditDemand, raw_input=read_edit(view))


def _clarified(state: Negotiation, view: FormView) -> partial[EditDemand]:
    return partial(EditDemand, raw_input=clarified(state.raw_input, read_answers(view)))


def _no(refusal: Refusal, texts: Texts) -> str:
    return notices.demand_stands(texts) if isinstance(refusal, IllegalStep) else notices.refused(refusal, texts)
