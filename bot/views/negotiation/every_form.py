"""Draws the forms and modals of a negotiation as they open for a state, so that Slack can check each."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bot.texts import Texts
from bot.views.kit.action_form import ActionForm, draw
from bot.views.kit.button_values import ActionButton
from bot.views.kit.export.form import Format, export_form
from bot.views.negotiation import action_forms as forms
from bot.views.negotiation.afterwards import REOPEN_FORM
from bot.views.negotiation.agreement.decision_record import why_this_plan
from bot.views.negotiation.agreement.forwarded import share_form
from bot.views.negotiation.button_values import EXPORT
from bot.views.negotiation.demand.demand_form import EDIT_FORM, Origin, form_from_message, new_form
from bot.views.negotiation.demand.why_asked import why_asked
from bot.views.negotiation.offers.help_form import help_form
from bot.views.negotiation.offers.offer_form import choose_form, offer_form
from bot.views.negotiation.plan.plan import versions_beside_each_other
from bot.views.negotiation.voting.vote_forms import OpenedVoteForm, vote_form
from engine.negotiation.actions import BY_NAME
from engine.negotiation.state import Negotiation

OF_ANY: Final[Mapping[str, ActionForm[Any]]] = {
    "demand.edit": EDIT_FORM,
    "seat.delegate": forms.DELEGATE_FORM,
    "plan.change": forms.CHANGE_FORM,
    "seat.give_up": forms.GIVE_UP_FORM,
    "check_in.late": forms.LATE_FORM,
}
"""By the names of their actions; the others need more than a demand."""


def every_form(state: Negotiation, texts: Texts) -> Iterator[Mapping[str, Any]]:
    """Yield those that the state has what they need for."""
    stream, people = state.channel_id, [*state.invited.values()]
    yield new_form(texts)
    yield form_from_message(Origin(channel=state.place.channel), state.demand_text, texts)
    yield help_form(state, texts)
    yield export_form(EXPORT, stream, tuple(Format), "", texts)
    yield share_form(stream, texts)
    for each in people:
        yield offer_form(stream, each, state.offers.get(each.agent_id), texts, may_tell=True)
        yield why_asked(state, each, texts, may_pause=True)
    if people:
        yield choose_form(stream, people, texts)
    of_actions = {**OF_ANY}
    if state.proposals:
        of_actions["core.choose"] = forms.CORE_FORM
        yield why_this_plan(state, texts)
    if len(state.proposals) > 1:
        yield versions_beside_each_other(state, len(state.proposals), texts)
    if state.final is not None:
        of_actions["plan.proceed"] = forms.PROCEED_FORM
    if not state.is_open:
        of_actions["demand.reopen"] = REOPEN_FORM
    for name, form in of_actions.items():
        action, button = BY_NAME[name], ActionButton(stream=stream)
        asked = action.command_of(
            button.about(action.about), command_id="", at=0, by=state.requester_id, as_admin=False
        )
        yield draw(action, name, form.words(state, asked, texts), button.value(), texts)
    if state.rounds:
        yield from _votes(state, texts)


def _votes(state: Negotiation, texts: Texts) -> Iterator[Mapping[str, Any]]:
    shown = state.rounds[-1]
    for vote in state.kinds_of_vote:
        opened = OpenedVoteForm(
            stream=state.channel_id,
            round=shown.number,
            digest=shown.digest,
            channel=state.place.channel,
            ts=state.place.message_ts,
            vote=vote,
        )
        yield vote_form(opened, [*shown.seats.values()], texts, may_tell=True)
