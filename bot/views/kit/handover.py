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


def plan_it(stream: str, texts: Texts) -> Block:
    return blocks.button(texts.say("Argue it out"), PLAN_IT, StreamButton(stream=stream).value())


def make_tickets(stream: str, texts: Texts) -> Block:
    return blocks.button(texts.say("Make tickets"), CARRY_OUT, StreamButton(stream=stream).value())


def carry_out(stream: str, texts: Texts) -> Block:
    """The one next step of a plan that was argued out."""
    label = texts.say("Go: a ticket for each task")
    return blocks.button(label, CARRY_OUT, StreamButton(stream=stream).value(), style="primary")
