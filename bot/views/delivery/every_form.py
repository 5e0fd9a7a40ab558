"""Draws the forms of a delivery as they open for a state, so that Slack can check each."""

from collections.abc import Iterator, Mapping
from typing import Any

from bot.texts import Texts
from bot.views.delivery import forms_leading as leading
from bot.views.delivery import forms_owning as owning
from bot.views.delivery.button_values import EXPORT, TicketButton
from bot.views.delivery.forms_owning import ticket_form, tickets_form
from bot.views.kit.export.form import FILES, export_form
from engine.delivery.state import Delivery


def every_form(state: Delivery, texts: Texts) -> Iterator[Mapping[str, Any]]:
    yield leading.add_form(state, texts)
    yield leading.budget_form(state, texts)
    yield export_form(EXPORT, state.session_id, FILES, "", texts)
    if not state.tickets:
        return
    yield tickets_form(state, texts)
    for each in state.tickets.values():
        button = TicketButton(stream=state.session_id, ticket=each.ticket_id)
        yield ticket_form(state, each, texts, may_approve=True)
        yield leading.owner_form(state, each, button, texts)
        yield leading.checking_form(state, each, button, texts)
        yield leading.drop_form(state, each, button, texts)
        yield leading.changes_form(state, each, button, texts)
        yield leading.block_answer_form(state, each, button, texts)
        yield owning.finish_form(state, each, texts)
        yield owning.block_form(state, each, texts)
        yield owning.hand_over_form(state, each, texts)
