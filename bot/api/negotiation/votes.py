"""A person's vote over HTTP, their twin's again, and the requester's wish: the same commands as behind the buttons, so
the same rules and the same audit records."""

from bot.api.context import Call
from bot.api.negotiation.schemas import ChangeTaken, HandedBack, NewChange, NewVote, SeatToHandBack, VoteTaken
from bot.api.negotiation.sending import send
from bot.api.tokens import Scope
from engine.negotiation.commands import CastVote, HandBack, RequestChange


async def vote(call: Call) -> VoteTaken:
    said: NewVote = call.body
    entry = (await call.context.services.settings.directory(call.workspace.tenant)).entry(said.agent_id)
    command = CastVote(
        command_id=call.cause_with_body("vote"),
        at=call.now(),
        by=call.token.user,
        agent_id=said.agent_id,
        round=said.round,
        digest=said.digest,
        feedback_type=said.feedback_type,
        text=said.text,
        as_admin=entry.may_confirm(call.token.user, as_admin=Scope.ADMIN in call.token.scopes),
    )
    state, unchanged = await send(call, command)
    return VoteTaken(
        demand_id=state.demand_id,
        channel_id=state.channel_id,
        agent_id=said.agent_id,
        round=said.round,
        feedback_type=said.feedback_type,
        error_code=unchanged,
    )


async def hand_back(call: Call) -> HandedBack:
    said: SeatToHandBack = call.body
    command = HandBack(
        command_id=call.cause_with_body("hand_back"), at=call.now(), by=call.token.user, agent_id=said.agent_id
    )
    state, unchanged = await send(call, command)
    return HandedBack(
        demand_id=state.demand_id, channel_id=state.channel_id, agent_id=said.agent_id, error_code=unchanged
    )


async def request_change(call: Call) -> ChangeTaken:
    said: NewChange = call.body
    command = RequestChange(
        command_id=call.cause_with_body("change"),
        at=call.now(),
        by=call.token.user,
        text=said.text,
        round=said.round,
        digest=said.digest,
    )
    state, unchanged = await send(call, command)
    return ChangeTaken(demand_id=state.demand_id, channel_id=state.channel_id, round=said.round, error_code=unchanged)
