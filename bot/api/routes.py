"""Everything that can be called: what no protocol owns, and each protocol's own routes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from bot.api import events, health
from bot.api.part import parts_of
from bot.api.route import PLAIN, PREFIX, OpenRoute, Route
from bot.api.schemas import Health, Readiness, RecentAsked, RecentEvents
from bot.api.tokens import Scope

if TYPE_CHECKING:
    from bot.protocol_row import Protocol

OPEN: Final = (
    OpenRoute("/healthz", health.healthz, "Whether the process lives", Health),
    OpenRoute("/readyz", health.readyz, "Whether it can serve: the store answers, and Slack reaches us", Readiness,
         may_be_unavailable=True),
)  # fmt: skip

METRICS: Final = Route(
    "GET", "/metrics", health.metrics, "What has been counted, for Prometheus", Scope.METRICS, media=PLAIN
)


def routes_of(protocols: "Sequence[Protocol]") -> tuple[Route, ...]:
    own = [route for part in parts_of(protocols).values() for route in part.routes]
    return (*own, _recent(protocols), METRICS)


def _recent(protocols: "Sequence[Protocol]") -> Route:
    told = [each.descriptions.plural for each in protocols if each.descriptions.public_payload is not None]
    return Route(
        "GET", f"{PREFIX}/events/recent", events.recent,
        f"The latest events of all {' and '.join(told)}, oldest first",
        Scope.READ, (RecentEvents,), query=RecentAsked,
    )  # fmt: skip
