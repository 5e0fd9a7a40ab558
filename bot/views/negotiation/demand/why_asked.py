"""Tells a person why they were asked: what was needed, why they fit, and what their twin said."""

from typing import Any

from bot.texts import Texts
from bot.views.directory.buttons import PAUSE, Twin
from bot.views.kit import blocks
from bot.views.kit.modals import modal
from bot.views.kit.mrkdwn import Fit, channel_link
from bot.views.negotiation.names import bold_name, decision_label, requester
from bot.views.negotiation.root import facts_line
from engine.negotiation.events import OfferSubmitted
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Asked, Source


def why_asked(state: Negotiation, asked: Asked, texts: Texts, *, may_pause: bool = False) -> dict[str, Any]:
    """A modal that changes nothing in the negotiation.

    Args:
        may_pause: whether the reader may pause this twin.
    """
    fit = Fit()
    who = bold_name(asked.display_name, asked.agent_id, fit)
    return modal(
        texts.say("The reasons"),
        [
            *blocks.titled_list(texts.say("*The demand*"), _demand(state, texts, fit)),
            *blocks.titled_list(texts.say("*Why {who}*", who=who.strip("*")), _reason(asked, texts, fit)),
            *blocks.titled_list(texts.say("*What was understood*"), _understood(state, texts, fit)),
            *blocks.titled_list(texts.say("*What was offered*"), _offer(state.offers.get(asked.agent_id), texts, fit)),
            *(_pause(asked.agent_id, texts) if may_pause else []),
        ],
        texts,
    )


def _pause(agent_id: str, texts: Texts) -> list[blocks.Block]:
    return [
        blocks.context(texts.say("Is it too much? A paused twin answers nothing, until you let it answer again.")),
        blocks.actions(blocks.button(texts.say("Pause my twin"), PAUSE, Twin(agent_id=agent_id).value())),
    ]


def _demand(state: Negotiation, texts: Texts, fit: Fit) -> list[str]:
    said = fit.text(state.demand_text, 1_500)
    asked = texts.say("Asked by {who}", who=requester(state, fit))
    return [said, " · ".join(each for each in (asked, channel_link(state.place.channel)) if each)]


def _reason(asked: Asked, texts: Texts, fit: Fit) -> list[str]:
    how = (
        texts.say("The profile says outright that this fits.")
        if asked.match_type == "explicit"
        else texts.say("The profile does not say so outright: it was concluded from it.")
    )
    return [fit.text(asked.reason, 1_000) or texts.say("no reason was given"), how]


def _understood(state: Negotiation, texts: Texts, fit: Fit) -> list[str]:
    said = state.understanding
    if said is None:
        return []
    needs = texts.say(", ").join(fit.line(each, 80) for each in fit.first(said.capability_tags, 12))
    lines = [texts.say("Looked for: {needs}", needs=needs) if needs else "", facts_line(state, texts, fit)]
    return [each for each in lines if each]


def _offer(offer: OfferSubmitted | None, texts: Texts, fit: Fit) -> list[str]:
    if offer is None:
        return [texts.say("Nothing yet.")]
    if offer.degraded:
        return [texts.say("The twin could not answer.")]
    what = decision_label(offer.decision, texts)
    whose = texts.say("in person") if offer.source is Source.HUMAN else texts.say("said by the twin")
    lines = [
        texts.say("{what}: {detail}", what=whose, detail=what),
        fit.text(offer.contribution, 1_000),
        *(f"• {fit.line(each, 300)}" for each in fit.first(offer.conditions, 10)),
        fit.text(offer.decline_reason, 600),
        fit.text(offer.reasoning, 600),
    ]
    return [each for each in lines if each]
