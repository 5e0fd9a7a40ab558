"""How what somebody asked for stands, as a reaction on their message tells the channel."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final


class Reaction(StrEnum):
    """Named as Slack names the emoji."""

    WAITING = "hourglass_flowing_sand"
    AGREED = "white_check_mark"
    """There is a plan, or it is done."""
    DRAFTED = "memo"
    """There is what people are still to be asked about."""
    STOPPED = "octagonal_sign"
    """Somebody has stopped it."""
    FAILED = "x"


_ORDER: Final = (Reaction.WAITING, Reaction.AGREED, Reaction.DRAFTED, Reaction.STOPPED, Reaction.FAILED)


def joint_reaction(reactions: Iterable[Reaction]) -> Reaction:
    """Return how a demand stands that several streams are about, as where it was taken up again.

    Args:
        reactions: each stream's; at least one.
    """
    return min(reactions, key=_ORDER.index)
