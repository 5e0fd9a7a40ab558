"""Whoever asked, or an admin, decides that the plan is carried out."""

from functools import partial
from typing import Final

from bot.listeners.forms import FormView
from bot.listeners.negotiation.form_handlers import OwnerForm
from bot.texts import Texts
from bot.views.negotiation import notices
from bot.views.negotiation.afterwards.proceed_form import proceed_form, read_proceed
from bot.views.negotiation.button_values import PROCEED
from engine.errors import Duplicate, Refusal
from engine.negotiation.afterwards.proceeding import check_proceeding
from engine.negotiation.commands import Proceed
from engine.negotiation.state import Negotiation


def _decided(_: Negotiation, view: FormView) -> partial[Proceed]:
    return partial(Proceed, announce=read_proceed(view))


def _refused(refusal: Refusal, texts: Texts) -> str:
    return notices.goes_ahead_already(texts) if isinstance(refusal, Duplicate) else notices.refused(refusal, texts)


DECIDED: Final = OwnerForm(PROCEED, check_proceeding, proceed_form, _decided, _refused)
