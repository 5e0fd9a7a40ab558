"""What negotiations add to the HTTP interface."""

from typing import Final

from bot.api.actions import action_routes
from bot.api.context import Call
from bot.api.negotiation import demands, events
from bot.api.negotiation.demands import DemandAsked, NewDemand, any_negotiation, reader, takes_part, told
from bot.api.part import ApiPart
from bot.api.route import EVENT_STREAM, PREFIX, Refusals, Route
from bot.api.schemas import StreamAsked
from bot.api.tokens import Scope
from bot.listeners.intake import check_place
from engine.errors import IllegalStep, ModelTimeout, ModelUnavailable, NotAllowed, UnknownAgent, UnknownStream
from engine.kernel import Action, Who
from engine.negotiation.actions import ACTIONS
from engine.negotiation.errors import InvalidDemand, InvalidVote, StaleVote, UnknownDemand
from engine.negotiation.events import EVENTS
from engine.negotiation.public.models import DecisionRecord, PublicNegotiation, Standing, Submitted
from engine.negotiation.public.seed import SeedNegotiation
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation

_DEMAND: Final = f"{PREFIX}/demand"
_UNKNOWN: Final[Refusals] = (UnknownDemand, UnknownStream)


async def _found(call: Call) -> tuple[str, Negotiation]:
    """Return the id in the path, and the state of the negotiation that it names."""
    state = await any_negotiation(call, call.path["demand_id"])
    return state.channel_id, state


async def _may_begin_there(call: Call, state: Negotiation) -> None:
    """Check that demands may begin where the negotiation has its thread."""
    check_place((await call.context.services.settings.directory(call.workspace.tenant)).settings, state.place)


async def _stands_in(call: Call, action: Action[Negotiation]) -> bool:
    """Whether an admin calls, or, for a part, somebody who may speak for whom it belongs to."""
    as_admin = Scope.ADMIN in call.token.scopes
    if action.who is Who.OWNER:
        return as_admin
    directory = await call.context.services.settings.directory(call.workspace.tenant)
    return directory.entry(call.body.agent_id).may_confirm(call.token.user, as_admin=as_admin)


ROUTES: Final = (
    Route(
        "POST", f"{_DEMAND}/submit", demands.submit, "Ask for something; answered once it is understood",
        Scope.SUBMIT, (Submitted,), NewDemand,
        refusals=(InvalidDemand, UnknownStream, IllegalStep, NotAllowed, ModelUnavailable, ModelTimeout),
        is_repeatable=True,
    ),
    Route(
        "GET", f"{_DEMAND}/{{demand_id}}", demands.demand, "A demand, its proposals, its rounds and who voted how",
        Scope.READ, (PublicNegotiation, SeedNegotiation), query=DemandAsked, refusals=_UNKNOWN,
    ),
    Route(
        "GET", f"{_DEMAND}/{{demand_id}}/status", demands.status, "How a demand stands",
        Scope.READ, (Standing,), refusals=_UNKNOWN,
    ),
    Route(
        "GET", f"{_DEMAND}/{{demand_id}}/why", demands.why,
        "The decision record: why the plan is as it is, who decided what by whose hand, and what it lacks",
        Scope.READ, (DecisionRecord,), refusals=_UNKNOWN,
    ),
    *action_routes(
        ACTIONS, RULEBOOK, f"{_DEMAND}/{{demand_id}}/actions", _found, _stands_in, {"demand.reopen": _may_begin_there},
        (*_UNKNOWN, UnknownAgent, NotAllowed, IllegalStep, StaleVote, InvalidVote, InvalidDemand),
    ),
    Route(
        "GET", f"{PREFIX}/events/negotiations/{{demand_id}}/stream", events.stream,
        "Server-sent events: what has happened since the last one, and what happens from now on",
        Scope.READ, query=StreamAsked, refusals=_UNKNOWN, media=EVENT_STREAM, event_types=tuple(EVENTS),
    ),
)  # fmt: skip

PART: Final = ApiPart(ROUTES, takes_part, reader, told)
