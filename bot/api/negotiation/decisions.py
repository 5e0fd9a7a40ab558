"""What whoever asked decides over HTTP: the same commands as behind the buttons of the thread."""

from bot.api.context import Call
from bot.api.negotiation.demands import standing_of
from bot.api.negotiation.lookup import any_negotiation, as_known, read
from bot.api.negotiation.schemas import DemandStanding, NewDecision
from bot.api.tokens import Scope
from engine.kernel import Command, StreamKey
from engine.negotiation.commands import Cancel, DecideMissing, EditDemand, Proceed, TakeBack
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.terms import MissingChoice


async def decide(call: Call) -> DemandStanding:
    """
    Raises:
        Refusal, StoreError, TimeoutError
    """
    said: NewDecision = call.body
    as_admin = Scope.ADMIN in call.token.scopes
    by = call.acts_for(said.user_id, "user_id") if said.user_id or not as_admin else call.token.user
    state = await any_negotiation(call, call.path["demand_id"])
    key = StreamKey(call.workspace.tenant, state.channel_id)
    await call.context.gateway.send(key, RULEBOOK, _command(call, said, by, as_admin=as_admin))
    return standing_of(await as_known(call, await read(call, key)))


def _command(call: Call, said: NewDecision, by: str, *, as_admin: bool) -> Command:
    command_id, at = call.cause_with_body("decision"), call.now()
    match said.choice:
        case "say_otherwise":
            return EditDemand(command_id=command_id, at=at, by=by, as_admin=as_admin, raw_input=said.raw_input)
        case "stop":
            return Cancel(command_id=command_id, at=at, by=by, as_admin=as_admin)
        case "proceed":
            return Proceed(command_id=command_id, at=at, by=by, as_admin=as_admin)
        case "take_back":
            return TakeBack(command_id=command_id, at=at, by=by, as_admin=as_admin)
        case _:
            choice = MissingChoice(said.choice)
            return DecideMissing(command_id=command_id, at=at, by=by, as_admin=as_admin, choice=choice)
