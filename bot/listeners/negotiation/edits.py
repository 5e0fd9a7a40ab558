"""Whoever asked, or an admin, says the demand otherwise, or answers what was not clear in it."""

from functools import partial
from typing import Final

from bot.listeners.forms import FormView
from bot.listeners.negotiation.form_handlers import OwnerForm
from bot.texts import Texts
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import CLARIFY, EDIT
from bot.views.negotiation.demand.edit_form import clarified, clarify_form, edit_form, read_answers, read_edit
from engine.errors import IllegalStep, Refusal
from engine.negotiation.commands import EditDemand
from engine.negotiation.demand.gathering import check_edit
from engine.negotiation.state import Negotiation


def _edited(_: Negotiation, view: FormView) -> partial[EditDemand]:
    return partial(EditDemand, raw_input=read_edit(view))


def _clarified(state: Negotiation, view: FormView) -> partial[EditDemand]:
    return partial(EditDemand, raw_input=clarified(state.raw_input, read_answers(view)))


def _refused(refusal: Refusal, texts: Texts) -> str:
    return notices.demand_stands(texts) if isinstance(refusal, IllegalStep) else notices.refused(refusal, texts)


EDITED: Final = OwnerForm(EDIT, check_edit, edit_form, _edited, _refused)
CLARIFIED: Final = OwnerForm(CLARIFY, check_edit, clarify_form, _clarified, _refused)
