"""Builds and reads the form in which the requester decides that the plan is carried out."""

from collections.abc import Mapping
from typing import Any

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.fields import multi_choice_field, picked_options
from bot.views.kit.fit import Fit
from bot.views.negotiation.agreement.outcome import may_be_announced, missing_text, risk_text, unconfirmed_names
from bot.views.negotiation.button_values import PROCEED
from bot.views.negotiation.owner_form import owner_form
from bot.views.negotiation.plan import plan
from engine.negotiation.afterwards.proceeding import plan_of
from engine.negotiation.events import ForceFinalized
from engine.negotiation.state import Negotiation

ANNOUNCE = "announce"
"""Name of the field: where the errors of a refused form belong. Negotiations without a channel have no such field."""


def proceed_form(state: Negotiation, texts: Texts) -> dict[str, Any]:
    """
    Raises:
        IllegalStep: there is no plan.
    """
    fit, final = Fit(), plan_of(state)
    shown = [blocks.section(fit.text(final.final_proposal.summary, 1_500) or "…")]
    shown += blocks.sections([missing_text(state, texts, fit)])
    if isinstance(final, ForceFinalized):
        shown += blocks.sections([risk_text(final, unconfirmed_names(state, final, texts, fit), texts)])
    unanswered = texts.say("enough had agreed before it could be taken up")
    shown += plan.requests(state, final.open_requests, texts.say("*Still open*"), unanswered, texts, fit)
    shown.append(
        blocks.context(
            texts.say(
                "Everybody who takes part hears that the plan is carried out. For ten minutes, that can be undone."
            )
        )
    )
    if may_be_announced(state):
        options = [(ANNOUNCE, texts.say("Also tell the channel"))]
        shown.append(multi_choice_field(ANNOUNCE, texts.say("Who should know?"), options).to_dict())
    return owner_form(
        PROCEED, state.channel_id, texts, heading=texts.say("Proceed"), send=texts.say("Proceed"), shown=shown
    )


def read_proceed(view: Mapping[str, Any]) -> bool:
    """Whether the plan is also announced in the channel."""
    return ANNOUNCE in picked_options(view["state"]["values"], ANNOUNCE)
