"""The buttons by which another protocol goes on from what a stream has agreed on. Each carries the stream."""

from collections.abc import Collection
from typing import Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton

PLAN_IT: Final = "handover.plan"
CARRY_OUT: Final = "handover.carry_out"
CARRIED_OUT_IN: Final = "deliver-"
"""With which the name of the stream begins in which another one is carried out; then comes the other's name."""


PLANNED_IN: Final = "plan-"
"""The same of the stream in which another one is planned."""


def is_planned(taken_up: Collection[str]) -> bool:
    """Return whether one of the streams that go on from another one plans it."""
    return any(each.startswith(PLANNED_IN) for each in taken_up)


def is_carried_out(taken_up: Collection[str]) -> bool:
    """Return whether one of the streams that go on from another one carries it out."""
    return any(each.startswith(CARRIED_OUT_IN) for each in taken_up)


def carry_out(stream: str, texts: Texts) -> Block:
    sure = blocks.confirm(
        texts.say("Have this carried out?"),
        texts.say(
            "Each task becomes a ticket of whoever has it, a person or an agent. It is done once what was expected is "
            "there, and approved."
        ),
        yes=texts.say("Carry it out"),
        no=texts.say("Not now"),
    )
    return blocks.button(texts.say("Carry it out"), CARRY_OUT, StreamButton(stream=stream).value(), confirm=sure)
