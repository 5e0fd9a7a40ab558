"""What somebody says over HTTP of what they promised: they cannot keep it, it is done, or it will be late."""

from bot.api.context import Call
from bot.api.negotiation.schemas import CheckInAnswer, CheckInTaken, GivenUp, PromiseToGiveUp
from bot.api.negotiation.sending import send
from engine.negotiation.commands import AnswerCheckIn, GiveUpSeat


async def give_up(call: Call) -> GivenUp:
    said: PromiseToGiveUp = call.body
    command = GiveUpSeat(
        command_id=call.cause_with_body("give_up"),
        at=call.now(),
        by=call.token.user,
        agent_id=said.agent_id,
        reason=said.reason,
    )
    state, unchanged = await send(call, command)
    return GivenUp(demand_id=state.demand_id, channel_id=state.channel_id, agent_id=said.agent_id, error_code=unchanged)


async def answer_check_in(call: Call) -> CheckInTaken:
    said: CheckInAnswer = call.body
    command = AnswerCheckIn(
        command_id=call.cause_with_body("check_in"),
        at=call.now(),
        by=call.token.user,
        key=said.key,
        is_late=said.late is not None,
        text=said.late or "",
    )
    state, unchanged = await send(call, command)
    return CheckInTaken(demand_id=state.demand_id, channel_id=state.channel_id, key=said.key, error_code=unchanged)
