"""The direct messages of those who have tickets, or are asked to take one."""

from collections.abc import Sequence

from bot.views.kit.post import Post
from bot.views.kit.readers import KnownLanguage
from engine.delivery.state import Delivery


def readers(state: Delivery) -> Sequence[str]:
    """Return the users who may be written to."""
    return ()


def posts(state: Delivery, known: KnownLanguage) -> Sequence[Post]:
    """Return every direct message that should exist."""
    return ()
