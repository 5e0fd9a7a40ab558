"""What people do over HTTP: the same commands as behind the buttons of the thread, so the same rules."""

from bot.api.context import Call
from bot.api.deliberation.schemas import (
    NewChoice,
    NewPoint,
    NewQuestion,
    NewStop,
    PointsTold,
    QuestionsTold,
)
from bot.api.deliberation.sessions import NAMED, as_told, points_of, questions_of
from bot.api.streams import key_of
from bot.api.tokens import Scope
from bot.listeners.deliberation.reading import check_not_carried_out, is_plan_carried_out
from engine.deliberation.commands import AskCritic, ChoosePosition, RaisePoint, StopDeliberation
from engine.deliberation.envelopes.session import SessionState
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.session_json.session import session_state
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Agent
from engine.kernel import Command


async def stop_deliberation(call: Call) -> SessionState:
    said: NewStop = call.body
    by, as_admin = _leader(call, said.user_id)
    command = StopDeliberation(command_id=call.cause_with_body("stop"), at=call.now(), by=by, as_admin=as_admin)
    return session_state(await _send(call, command))


async def choose_position(call: Call) -> SessionState:
    said: NewChoice = call.body
    by, as_admin = _leader(call, said.user_id)
    key = key_of(call, call.path["session_id"])
    await check_not_carried_out(call.context.gateway, key, await NAMED.any(call))
    command = ChoosePosition(
        command_id=call.cause_with_body("choice"),
        at=call.now(),
        by=by,
        chosen=Agent(said.chosen),
        round=said.round or 0,
        why=said.why,
        as_admin=as_admin,
    )
    return session_state(await _send(call, command))


async def raise_point(call: Call) -> PointsTold:
    said: NewPoint = call.body
    key = key_of(call, call.path["session_id"])
    await check_not_carried_out(call.context.gateway, key, await NAMED.readable(call))
    command = RaisePoint(command_id=call.cause_with_body("point"), at=call.now(), by=call.token.user, text=said.text)
    return points_of(await _send(call, command))


async def ask_critic(call: Call) -> QuestionsTold:
    said: NewQuestion = call.body
    key = key_of(call, call.path["session_id"])
    state = await NAMED.readable(call)
    reopens = said.reopens and not await is_plan_carried_out(call.context.gateway, key, state)
    command = AskCritic(
        command_id=call.cause_with_body("question"),
        at=call.now(),
        by=call.token.user,
        text=said.text,
        reopens=reopens,
    )
    return questions_of(await _send(call, command))


def _leader(call: Call, user_id: str | None) -> tuple[str, bool]:
    as_admin = Scope.ADMIN in call.token.scopes
    by = call.acts_for(user_id, "userId") if user_id or not as_admin else call.token.actor
    return by, as_admin


async def _send(call: Call, command: Command) -> Deliberation:
    await NAMED.any(call)
    await call.context.gateway.send(key_of(call, call.path["session_id"]), RULEBOOK, command)
    return await as_told(call, await NAMED.any(call))
