"""Whoever asked, or an admin, decides that the plan is carried out."""

from functools import partial

from slack_bolt.async_app import AsyncApp

from bot.listeners import steering
from bot.listeners.desk import Desk
from bot.listeners.steering import FormView, Steering
from bot.texts import Texts
from bot.views import notices
from bot.views.ballot import PROCEED
from bot.views.proceed_form import proceed_form, read_proceed
from engine.errors import Duplicate, Refusal
from engine.negotiation.commands import Proceed
from engine.negotiation.proceeding import check_proceeding
from engine.negotiation.state import Negotiation


def register(app: AsyncApp, desk: Desk) -> None:
    steering.register(app, desk, Steering(PROCEED, check_proceeding, proceed_form, _decided, _no))


def _decided(_: Negotiation, view: FormView) -> partial[Proceed]:
    return partial(Proceed, announce=read_proceed(view))


def _no(refusal: Refusal, words: Texts) -> str:
    return notices.goes_ahead_already(words) if isinstance(refusal, Duplicate) else notices.refused(refusal, words)
