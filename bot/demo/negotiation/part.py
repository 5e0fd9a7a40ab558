"""What a negotiation adds to the demo."""

from collections.abc import Mapping
from typing import Final

from bot.demo.demo import DemoSettings
from bot.demo.part import DemoPart
from engine.kernel import StreamKey
from engine.negotiation.events import EVENTS
from engine.negotiation.policy import Policy
from engine.negotiation.public.build import Knows, public, times_of
from engine.negotiation.public.models import PublicNegotiation
from engine.negotiation.state import Negotiation, Status
from engine.runtime.streams import Envelope, envelope, opened
from engine.store.port import Store


class Report(PublicNegotiation):
    """All that is told, and how it came about."""

    events: tuple[Envelope, ...]


EXIT_CODES: Final = {Status.FINALIZED: 0, Status.FORCE_FINALIZED: 0, Status.FAILED: 3, Status.CANCELLED: 4}
UNFINISHED: Final = 1


def exit_code(status: Status) -> int:
    """Return how a command ends whose demand came to this: 0 where there is a plan."""
    return EXIT_CODES.get(status, UNFINISHED)


async def report(store: Store, key: StreamKey, state: Negotiation) -> Report:
    stored = await store.load(key)
    assert stored is not None  # noqa: S101 - it has just come to its end
    times = times_of((each.at, opened(each, EVENTS)) for each in stored.events)
    told = public(state, times, Knows(is_told_all=True, has_asked=True))
    return Report(**dict(told), events=tuple(envelope(each, EVENTS) for each in stored.events))


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

    return exit_code(await play(demand, settings))


PART: Final = DemoPart(SUGGESTIONS, FIRST, on_the_page, in_terminal)
