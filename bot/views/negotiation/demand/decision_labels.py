"""The labels of the answers to a demand."""

from bot.texts import Texts
from engine.negotiation.answers import OfferDecision


def decision_label(decision: OfferDecision, texts: Texts) -> str:
    match decision:
        case OfferDecision.PARTICIPATE:
            return texts.say("Takes part")
        case OfferDecision.CONDITIONAL:
            return texts.say("Takes part on conditions")
        case OfferDecision.DECLINE:
            return texts.say("Cannot this time")
