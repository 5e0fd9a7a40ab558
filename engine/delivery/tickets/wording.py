"""Texts that people write about a ticket, and what code says of one in the language of the brief."""

from typing import Final

from engine.delivery.errors import InvalidText
from engine.delivery.state import Delivery
from engine.delivery.terms import LONGEST_TEXT
from engine.facts.language import Language, catalogue_of
from engine.facts.visible import without_surrogates

NOT_REACHED: Final = {
    "en": "{name} has no account in Slack any more, so nobody could be told.",
    "zh": "{name} 在 Slack 中已经没有账号，所以通知不到任何人。",
}


def said(text: str, what: str, most: int = LONGEST_TEXT, *, may_be_empty: bool = False) -> str:
    """Return what somebody wrote, without blanks around it."""
    written = without_surrogates(text).strip()
    if not written and not may_be_empty:
        raise InvalidText(f"The {what} has no words in it. Write a sentence.")
    if len(written) > most:
        raise InvalidText(f"The {what} has {len(written)} characters; {most} are the most. Use fewer words.")
    return written


def language(state: Delivery) -> Language:
    return catalogue_of(state.brief.spoken)


def not_reached(state: Delivery, name: str) -> str:
    return NOT_REACHED[language(state)].format(name=name)
