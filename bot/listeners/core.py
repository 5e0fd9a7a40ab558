"""Whoever asked, or an admin, says which seats the plan falls with."""

from functools import partial

from slack_bolt.async_app import AsyncApp

from bot.listeners import steering
from bot.listeners.desk import Desk
from bot.listeners.steering import FormView, Steering
from bot.views.ballot import CORE
from bot.views.core_form import core_form, read_core
from engine.negotiation.commands import ChooseCore
from engine.negotiation.core import check_core
from engine.negotiation.state import Negotiation


def register(app: AsyncApp, desk: Desk) -> None:
    steering.register(app, desk, Steering(CORE, check_core, core_form, _chosen))


def _chosen(_: Negotiation, view: FormView) -> partial[ChooseCore]:
    return partial(ChooseCore, agent_ids=read_core(view))
