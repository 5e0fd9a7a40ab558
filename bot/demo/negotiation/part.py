"""What negotiations add to the demo."""

from typing import Final

from bot.demo.demo import DemoSettings
from bot.demo.negotiation.report import exit_code
from bot.demo.negotiation.suggestions import FIRST, SUGGESTIONS
from bot.demo.part import DemoPart
from engine.negotiation.policy import Policy

WINDOWS: Final = {"human_window": 300.0, "override_window": 20.0, "first_window": 20.0}
"""Seconds in which people may correct and overrule twins: long enough to read a thread, become somebody and vote.
Whoever has seen enough skips ahead."""


def on_the_page(policy: Policy) -> Policy:
    return policy.model_copy(update=WINDOWS)


async def in_terminal(demand: str | None, settings: DemoSettings) -> int:
    from bot.demo.negotiation.terminal_seat import play  # only where there is a terminal that is read key by key

    return exit_code(await play(demand, settings))


PART: Final = DemoPart(SUGGESTIONS, FIRST, on_the_page, in_terminal)
