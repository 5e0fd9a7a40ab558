"""The messages with which somebody is sent what earlier tickets have made."""

from collections.abc import Sequence

from bot.texts import Texts
from bot.views.delivery.owners_words import artifact_text, ticket_name
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import Fit
from engine.delivery.state import Ticket
from engine.delivery.terms import Artifact


def sent_above(before: Ticket, made: Artifact, texts: Texts) -> Block:
    """What stands above the file."""
    fit = Fit()
    return blocks.context(
        texts.say("From {ticket} – {what}", ticket=ticket_name(before, fit), what=artifact_text(made, texts, fit))
    )


def not_sent(missing: Sequence[Artifact], texts: Texts) -> str:
    fit = Fit()
    names = texts.say(", ").join(fit.line(each.label, 80) for each in missing)
    return texts.say("Not everything could be sent: {names}. Please try again in a moment.", names=names)
