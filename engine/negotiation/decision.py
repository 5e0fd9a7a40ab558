"""What whoever asked is to decide while offers are collected."""

from msgspec import Struct

from engine.negotiation.answers import Need
from engine.negotiation.events import RequesterAsked, RequesterDecided


class Decision(Struct, frozen=True, gc=False):
    """What whoever asked was asked about needs that nobody covers, and what came of it."""

    asked: RequesterAsked
    needs: tuple[Need, ...]
    made: RequesterDecided | None = None
