"""The labels that several cards use: of what a model does, and of the answers to a demand."""

from collections.abc import Mapping

from bot.texts import Texts
from engine.negotiation.answers import OfferDecision


def step_names(texts: Texts) -> Mapping[str, str]:
    """Return the name of each step that concerns everybody, by its prompt."""
    return {
        "understand": texts.say("reading the demand"),
        "filter": texts.say("choosing whom to ask"),
        "aggregate": texts.say("weaving the proposal"),
        "adjust": texts.say("adjusting the proposal"),
        "verify": texts.say("looking at the plan once more"),
        "read_request": texts.say("reading a wish"),
        "gaps": texts.say("looking for what the plan lacks"),
        "recurse": texts.say("deciding whether others are asked for it"),
        "compromise": texts.say("looking for a way out"),
    }


def decision_label(decision: OfferDecision, texts: Texts) -> str:
    match decision:
        case OfferDecision.PARTICIPATE:
            return texts.say("Takes part")
        case OfferDecision.CONDITIONAL:
            return texts.say("Takes part on conditions")
        case OfferDecision.DECLINE:
            return texts.say("Cannot this time")
