"""Whoever asked, or an admin, takes up again what has failed."""

from functools import partial
from typing import Final

from bot.listeners.forms import FormView
from bot.listeners.intake import NotThere, check_place
from bot.listeners.negotiation.form_handlers import OwnerForm
from bot.texts import Texts
from bot.views.kit.notices import begin_elsewhere
from bot.views.negotiation import notices
from bot.views.negotiation.afterwards.reopen_form import read_reopen, reopen_form
from bot.views.negotiation.button_values import REOPEN
from engine.directory.messages import Settings
from engine.errors import Duplicate, Refusal
from engine.negotiation.afterwards.reopening import check_reopening
from engine.negotiation.commands import Reopen
from engine.negotiation.state import Negotiation


def _wished(_: Negotiation, view: FormView) -> partial[Reopen]:
    return partial(Reopen, **read_reopen(view)._asdict())


def _check_place(settings: Settings, state: Negotiation) -> None:
    check_place(settings, state.place)


def _refused(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case Duplicate():
            return notices.reopened_already(texts)
        case NotThere():
            return begin_elsewhere(refusal.channels, texts)
        case _:
            return notices.refused(refusal, texts)


REOPENED: Final = OwnerForm(REOPEN, check_reopening, reopen_form, _wished, _refused, _check_place)
