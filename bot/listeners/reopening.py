"""Whoever asked, or an admin, takes up again what has failed."""

from functools import partial

from slack_bolt.async_app import AsyncApp

from bot.listeners import steering
from bot.listeners.desk import Desk
from bot.listeners.intake import NotThere, check_place
from bot.listeners.steering import FormView, Steering
from bot.texts import Texts
from bot.views import notices
from bot.views.ballot import REOPEN
from bot.views.reopen_form import read_reopen, reopen_form
from engine.directory.messages import Settings
from engine.errors import Duplicate, Refusal
from engine.negotiation.commands import Reopen
from engine.negotiation.reopening import check_reopening
from engine.negotiation.state import Negotiation


def register(app: AsyncApp, desk: Desk) -> None:
    steering.register(app, desk, Steering(REOPEN, check_reopening, reopen_form, _wished, _no, _check_place))


def _wished(_: Negotiation, view: FormView) -> partial[Reopen]:
    return partial(Reopen, **read_reopen(view)._asdict())


def _check_place(settings: Settings, state: Negotiation) -> None:
    check_place(settings, state.place)


def _no(refusal: Refusal, words: Texts) -> str:
    match refusal:
        case Duplicate():
            return notices.reopened_already(words)
        case NotThere():
            return notices.begin_elsewhere(refusal.channels, words)
        case _:
            return notices.refused(refusal, words)
