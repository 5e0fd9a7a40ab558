"""That somebody was asked how something stands that is due, and what they said."""

from msgspec import Struct

from engine.negotiation.events import CheckInAnswered, CheckInAsked


class CheckIn(Struct, frozen=True, gc=False):
    asked: CheckInAsked
    answer: CheckInAnswered | None = None
