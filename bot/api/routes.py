"""Everything that can be called: the server and its OpenAPI document read this one table."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from aiohttp import web
from pydantic import BaseModel

from bot.api import events, health
from bot.api.context import ApiContext, Call
from bot.api.directory import profiles
from bot.api.negotiation import demands, votes
from bot.api.schemas import (
    ChangedProfile,
    DemandStanding,
    DemandTold,
    Health,
    NewDemand,
    NewVote,
    ProfileGone,
    ProfilesTold,
    ProfileTold,
    Readiness,
    RecentAsked,
    RecentEvents,
    StreamAsked,
    Submitted,
    VoteTaken,
)
from bot.api.tokens import Scope
from engine.directory.profile import Profile
from engine.errors import (
    IllegalStep,
    InvalidDemand,
    InvalidProfile,
    InvalidVote,
    ModelError,
    ModelTimeout,
    ModelUnavailable,
    NotAllowed,
    Outdated,
    Refusal,
    StaleVote,
    UnknownAgent,
    UnknownChannel,
    UnknownDemand,
)

PREFIX: Final = "/api/v1"
EVENT_STREAM: Final = "text/event-stream"
PLAIN: Final = "text/plain"

Refusals = tuple[type[Refusal | ModelError], ...]


@dataclass(frozen=True, slots=True)
class Open:
    """For everybody who can reach us: no token, and nothing about anybody."""

    path: str
    does: Callable[[ApiContext], Awaitable[web.Response]]
    summary: str
    gives: type[BaseModel]
    may_be_unavailable: bool = False

    @property
    def method(self) -> str:
        return "GET"


@dataclass(frozen=True, slots=True)
class Route:
    """For whoever carries a token with this scope."""

    method: str
    path: str
    does: Callable[[Call], Awaitable[BaseModel | web.StreamResponse]]
    summary: str
    scope: Scope
    gives: tuple[type[BaseModel], ...] = ()
    """One of these, as JSON; nothing where it is another ``media`` type."""
    takes: type[BaseModel] | None = None
    query: type[BaseModel] | None = None
    refuses: Refusals = ()
    status: int = 200
    media: str = "application/json"
    is_repeatable: bool = False
    """Whether an Idempotency-Key makes it one call, however often it is sent."""


_DEMAND: Final = f"{PREFIX}/demand"
_PROFILES: Final = f"{PREFIX}/admin/profiles"
_PROFILE: Final = f"{_PROFILES}/{{agent_id}}"
_UNKNOWN: Final[Refusals] = (UnknownDemand, UnknownChannel)

OPEN: Final = (
    Open("/healthz", health.healthz, "Whether the process lives", Health),
    Open("/readyz", health.readyz, "Whether it can serve: the store answers, and Slack reaches us", Readiness,
         may_be_unavailable=True),
)  # fmt: skip

ROUTES: Final = (
    Route(
        "POST", f"{_DEMAND}/submit", demands.submit, "Ask for something; answered once it is understood",
        Scope.SUBMIT, (Submitted,), NewDemand,
        refuses=(InvalidDemand, IllegalStep, NotAllowed, ModelUnavailable, ModelTimeout), is_repeatable=True,
    ),
    Route(
        "GET", f"{_DEMAND}/{{demand_id}}", demands.demand, "A demand, its newest proposal and who voted how",
        Scope.READ, (DemandTold,), refuses=_UNKNOWN,
    ),
    Route(
        "GET", f"{_DEMAND}/{{demand_id}}/status", demands.standing, "How a demand stands",
        Scope.READ, (DemandStanding,), refuses=_UNKNOWN,
    ),
    Route(
        "POST", f"{_DEMAND}/{{demand_id}}/votes", votes.vote, "Vote, as the person the token is bound to",
        Scope.VOTE, (VoteTaken,), NewVote,
        refuses=(*_UNKNOWN, UnknownAgent, NotAllowed, StaleVote, InvalidVote), is_repeatable=True,
    ),
    Route(
        "GET", f"{PREFIX}/events/negotiations/{{demand_id}}/stream", events.stream,
        "Server-sent events: what has happened since the last one, and what happens from now on",
        Scope.READ, query=StreamAsked, refuses=_UNKNOWN, media=EVENT_STREAM,
    ),
    Route(
        "GET", f"{PREFIX}/events/recent", events.recent, "The latest events of all negotiations, oldest first",
        Scope.READ, (RecentEvents,), query=RecentAsked,
    ),
    Route("GET", _PROFILES, profiles.profiles, "Everybody of whom there is a profile", Scope.ADMIN, (ProfilesTold,)),
    Route(
        "POST", _PROFILES, profiles.add, "Add somebody", Scope.ADMIN, (ProfileTold,), Profile,
        refuses=(InvalidProfile, Outdated), status=201, is_repeatable=True,
    ),
    Route("GET", _PROFILE, profiles.profile, "One profile", Scope.ADMIN, (ProfileTold,), refuses=(UnknownAgent,)),
    Route(
        "PUT", _PROFILE, profiles.change, "Change a profile", Scope.ADMIN, (ProfileTold,), ChangedProfile,
        refuses=(InvalidProfile, Outdated, UnknownAgent), is_repeatable=True,
    ),
    Route(
        "POST", f"{_PROFILE}/disable", profiles.disable, "Ask this twin nothing any more", Scope.ADMIN, (ProfileTold,),
        refuses=(UnknownAgent,), is_repeatable=True,
    ),
    Route(
        "POST", f"{_PROFILE}/enable", profiles.enable, "Ask this twin again", Scope.ADMIN, (ProfileTold,),
        refuses=(UnknownAgent,), is_repeatable=True,
    ),
    Route(
        "POST", f"{_PROFILE}/reset", profiles.reset, "Discard what was edited: the file's words hold again",
        Scope.ADMIN, (ProfileTold, ProfileGone), refuses=(UnknownAgent,), is_repeatable=True,
    ),
    Route("GET", "/metrics", health.metrics, "What has been counted, for Prometheus", Scope.METRICS, media=PLAIN),
)  # fmt: skip
