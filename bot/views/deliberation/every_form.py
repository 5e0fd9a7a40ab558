"""Draws the forms and modals of a deliberation as they open for a state, so that Slack can check each."""

from collections.abc import Iterator, Mapping
from typing import Any

from bot.texts import Texts
from bot.views.deliberation.forms import ask_form, decide_form, point_form
from bot.views.deliberation.positions import arguments
from bot.views.deliberation.values import EXPORT, DecideButton
from bot.views.kit.export.form import FILES, export_form
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import DEBATERS


def every_form(state: Deliberation, texts: Texts) -> Iterator[Mapping[str, Any]]:
    yield point_form(state, texts)
    yield ask_form(state, texts)
    yield arguments(state, texts)
    yield export_form(EXPORT, state.session_id, FILES, "", texts)
    if all(state.last_output(each) for each in DEBATERS):
        yield decide_form(state, DecideButton(stream=state.session_id, round=len(state.rounds)), texts)
