"""Makes the routes of a protocol's actions from their rows: what they are sent, who may call them, what they answer."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, create_model

from bot.api.context import Call
from bot.api.route import Refusals, Route
from bot.api.schemas import WHOLE, ApiModel, UserId
from bot.api.tokens import Scope
from bot.listeners.colleagues import actor_of
from engine.errors import Duplicate
from engine.facts.data import Datum
from engine.kernel import Action, Command, FieldKind, Rulebook, StreamKey, Who
from engine.kernel import Field as ActionField

AgentName = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\s\x00-\x1f\x7f-\x9f]*$")]
SAYS_SOMETHING: Final = r"[^\s\x1c-\x1f\x85]"

_ABOUT: Final[Mapping[str, Any]] = {
    "agent_id": (AgentName, ...),
    "round": (Annotated[int, Field(ge=1, le=1_000), WHOLE], ...),
    "digest": (Annotated[str, Field(max_length=200)], ...),
    "key": (Annotated[str, Field(min_length=1, max_length=300)], ...),
}
"""The types of what an action may be about."""

_WHO: Final = "Who decides. Left out: the token's own user; another than that user is refused."
_USER_ID: Final = Annotated[UserId | None, Field(description=_WHO)], None

Find = Callable[[Call], Awaitable[tuple[str, Any]]]
"""Returns the stream that a call is about, and its state."""
Guard = Callable[[Call, Any], Awaitable[None]]
"""Raises a `Refusal` where something besides the stream, whose state it is given, is against it."""
StandsIn = Callable[[Call, Action[Any]], Awaitable[bool]]
"""Says whether whoever calls may do the action for another."""


class ActionTaken(ApiModel):
    """An action was taken."""

    action: str
    error_code: Literal["E011"] | None
    """E011: it stood so already, and nothing has changed."""


class _Body(ApiModel):
    """What an action is sent; its fields are made from the action's row."""

    # No source says anything of such fields, and looking for one takes a second of every start.
    model_config = ConfigDict(use_attribute_docstrings=False)


def action_routes(
    actions: Sequence[Action[Any]],
    rulebook: Rulebook[Any],
    prefix: str,
    find: Find,
    stands_in: StandsIn,
    guards: Mapping[str, Guard],
    refusals: Refusals,
) -> tuple[Route, ...]:
    """
    Args:
        prefix: of their paths; the action's name follows.
        guards: by the action's name.
        refusals: which they may answer with.
    """
    return tuple(
        Route(
            "POST",
            f"{prefix}/{each.name}",
            _handler(each, rulebook, find, stands_in, guards.get(each.name)),
            each.summary,
            Scope.SUBMIT if each.who is Who.OWNER else Scope.VOTE,
            (ActionTaken,),
            _body(each),
            refusals=refusals,
            is_repeatable=True,
        )
        for each in actions
    )


def _handler(
    action: Action[Any], rulebook: Rulebook[Any], find: Find, stands_in: StandsIn, guard: Guard | None
) -> Callable[[Call], Awaitable[ActionTaken]]:
    async def take(call: Call) -> ActionTaken:
        """Carry the action out, and answer with how the stream stands then."""
        stream, state = await find(call)
        said = dict(call.body) if call.body is not None else {}
        command = await _command(call, action, said, stands_in)
        if action.allows(state, command):  # whoever may not is refused by the rules, which put it on record
            if guard is not None:
                await guard(call, state)
            if people := action.people(said):
                client, tenant = await call.slack(), call.workspace.tenant
                said |= {each: await actor_of(client, tenant, user) for each, user in people.items()}
                command = await _command(call, action, said, stands_in)
        try:
            key = StreamKey(call.workspace.tenant, stream)
            receipt = await call.context.gateway.send(key, rulebook, command)
        except Duplicate:
            return ActionTaken(action=action.name, error_code="E011")
        return ActionTaken(action=action.name, error_code=None if receipt.events else "E011")

    take.__name__ = action.name.replace(".", "_")  # it names the operation in OpenAPI
    return take


async def _command(call: Call, action: Action[Any], said: Mapping[str, Any], stands_in: StandsIn) -> Command:
    as_admin = action.may_stand_in and await stands_in(call, action)
    by = call.token.user
    if action.who is Who.OWNER and (said["user_id"] or not as_admin):
        by = call.acts_for(said["user_id"], "user_id")
    cause = call.cause_with_body(action.name)
    return action.command_of(said, command_id=cause, at=call.now(), by=by, as_admin=as_admin)


def _body(action: Action[Any]) -> type[BaseModel] | None:
    fields = {each: _ABOUT[each] for each in action.about} | {each.name: _typed(each) for each in action.fields}
    if action.who is Who.OWNER:
        fields["user_id"] = _USER_ID
    if not fields:
        return None
    name = "".join(part.title() for part in action.name.replace(".", "_").split("_"))
    return create_model(name, __base__=_Body, **fields)


def _typed(field: ActionField) -> Any:
    match field.kind:
        case FieldKind.TEXT if field.optional:
            return Annotated[str, Field(max_length=field.longest)], ""
        case FieldKind.TEXT:
            return Annotated[
                str, StringConstraints(min_length=1, max_length=field.longest, pattern=SAYS_SOMETHING)
            ], ...
        case FieldKind.FLAG if field.is_kept:
            return bool | None, None
        case FieldKind.FLAG:
            return bool, False
        case FieldKind.PICKS:
            return Annotated[tuple[AgentName, ...], Field(max_length=100)], ()
        case FieldKind.PERSON:
            return UserId | Literal[""], ""
        case FieldKind.DATUM:
            return Datum | None, None
