"""What a negotiation adds to the demo."""

from collections.abc import Mapping
from typing import Final

from bot.demo.demo import DemoSettings
from bot.demo.negotiation.ask import exit_code
from bot.demo.part import DemoPart
from engine.negotiation.policy import Policy

SUGGESTIONS: Final = (
    "我想在北京办一场50人的AI主题聚会，下周六晚上7点到9点，需要场地、摄影和两位讲大模型的嘉宾",
    "We need two speakers on AI, a photographer and catering for 40 people in Beijing next Saturday, 18:00 to 21:00",
    "A prototype of a mobile app in six weeks; we need UX design, mobile development and QA",
    "六周内做出一个移动应用的原型，需要用户体验设计、移动开发和测试",
)

FIRST: Final[Mapping[str, str]] = {"en": SUGGESTIONS[2], "zh": SUGGESTIONS[0]}
"""The demand whose thread the demo opens in, by language: colleagues who speak it answer."""


WINDOWS: Final = {"human_window": 300.0, "override_window": 20.0, "first_window": 20.0}
"""Seconds in which people may correct and overrule twins: long enough to read a thread, become somebody and vote.
Whoever has seen enough skips ahead."""


def on_the_page(policy: Policy) -> Policy:
    return policy.model_copy(update=WINDOWS)


async def in_terminal(demand: str | None, settings: DemoSettings) -> int:
    from bot.demo.negotiation.terminal_seat import play  # only where there is a terminal that is read key by key

    return exit_code(await play(demand, settings, SUGGESTIONS))


PART: Final = DemoPart(SUGGESTIONS, FIRST, on_the_page, in_terminal)
