"""Somebody asks by writing to ToWow: what they need begins a negotiation, and their agenda is told on request."""

from typing import Final

from bot.listeners.conversation import Conversation, Utterance
from bot.listeners.negotiation.intake import begin, why_not
from bot.listeners.negotiation.prompts import suggested
from bot.listeners.negotiation.status import asks_for_status, status_of
from bot.listeners.negotiation.volunteering import offers_help
from bot.views.negotiation import notices
from engine.errors import Refusal


async def _take(utterance: Utterance) -> str | None:
    if asks_for_status(utterance.text):
        return await status_of(utterance)
    place = await utterance.place()
    utterance.check_colleague()
    await begin(
        utterance.services,
        utterance.tenant,
        cause=utterance.cause,
        by=utterance.actor,
        text=utterance.text,
        place=place,
    )
    return None


def _refused(refusal: Refusal, utterance: Utterance) -> str:
    return why_not(refusal, utterance.text, utterance.texts)


CONVERSATION: Final = Conversation(
    _take,
    _refused,
    notices.usage,
    suggested=suggested,
    aside=offers_help,
    reply=notices.replies_change_nothing,
)
"""Whatever no other protocol claims is a demand."""
