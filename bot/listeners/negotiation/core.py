"""Whoever asked, or an admin, says which seats the plan falls with."""

from functools import partial
from typing import Final

from bot.listeners.forms import FormView
from bot.listeners.negotiation.form_handlers import OwnerForm
from bot.views.negotiation.button_values import CORE
from bot.views.negotiation.voting.core_form import core_form, read_core
from engine.negotiation.commands import ChooseCore
from engine.negotiation.plan.core import check_core
from engine.negotiation.state import Negotiation


def _chosen(_: Negotiation, view: FormView) -> partial[ChooseCore]:
    return partial(ChooseCore, agent_ids=read_core(view))


CHOSEN: Final = OwnerForm(CORE, check_core, core_form, _chosen)
