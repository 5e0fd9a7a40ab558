"""Whoever asked, or an admin, says which seats the plan falls with."""

from functools import partial

from slack_bolt.async_app import AsyncApp

from bot.listeners.gateway import CommandGateway
from bot.listeners.negotiation import form_handlers
from bot.listeners.negotiation.form_handlers import FormView, Steering
from bot.views.negotiation.button_values import CORE
from bot.views.negotiation.core_form import core_form, read_core
from engine.negotiation.commands import ChooseCore
from engine.negotiation.core import check_core
from engine.negotiation.state import Negotiation


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    form_handlers.register(app, gateway, Steering(CORE, check_core, core_form, _chosen))


def _chosen(_: Negotiation, view: FormView) -> partial[ChooseCore]:
    return partial(ChooseCore, agent_ids=read_core(view))
