"""What comes of a demand in the terminal, and how a command ends."""

from typing import Final

from engine.kernel import StreamKey
from engine.negotiation.events import EVENTS
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
