"""Begins deliberations over HTTP: of a message, or of what a negotiation has agreed on."""

from collections.abc import Iterator
from typing import NamedTuple

from aiohttp import web

from bot.api.context import Call
from bot.api.deliberation.schemas import NewDeliberation, NewFact
from bot.api.deliberation.sessions import SessionLines, as_told
from bot.api.events import follow
from bot.api.handing_over import handed_over
from bot.api.route import EVENT_STREAM
from bot.api.streams import reader_of_begun
from bot.listeners.deliberation.planning import begin
from engine.deliberation.envelopes.session import SessionState
from engine.deliberation.opening.briefs import brief_of, fact_of, written_brief
from engine.deliberation.policy import PRESETS, Policy
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.session_json.session import session_state
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Brief
from engine.errors import IllegalStep, NotAllowed, UnknownStream
from engine.facts.asked import local_day
from engine.kernel import HandedFact, Place


class _Asked(NamedTuple):
    brief: Brief
    by: str
    place: Place = Place()
    """Where it is shown; over HTTP alone it is shown nowhere."""


async def begin_deliberation(call: Call) -> SessionState | web.StreamResponse:
    """Begin one, or find the one that its origin has already; answer with how it stands, or with its lines where
    ``Accept`` asks for server-sent events.
    """
    said: NewDeliberation = call.body
    services, tenant = call.context.services, call.workspace.tenant
    asked = await (_of_origin(call, said) if said.origin else _of_message(call, said))
    policy = PRESETS[said.start].model_copy(update={"max_rounds": said.max_rounds})
    begun = await begin(
        services,
        tenant,
        cause=call.cause("deliberation"),
        by=asked.by,
        brief=asked.brief,
        place=asked.place,
        policy=policy,
        conversation_id=said.conversation_id,
    )
    state = await call.context.gateway.read(begun.key, RULEBOOK)
    if not begun.is_new and not said.origin:
        _check_same(state, asked, policy, said.conversation_id)
    knows = reader_of_begun(call, RULEBOOK, state, has_origin=bool(state.brief.origin))
    if _wants_events(call.request):
        return await follow(call, begun.key.stream, knows, SessionLines)
    return session_state(await as_told(call, state, knows))


def _wants_events(request: web.Request) -> bool:
    accepted = request.headers.get("Accept", "").split(",")
    return any(each.partition(";")[0].strip().lower() == EVENT_STREAM for each in accepted)


async def _of_message(call: Call, said: NewDeliberation) -> _Asked:
    """Return what is to be planned as the caller's own words say it."""
    by = call.acts_for(said.user_id, "userId")
    services = call.context.services
    time_zone = await services.texts.time_zone(call.workspace.tenant, by)
    brief = written_brief(
        said.message,
        today=local_day(services.now(), time_zone),
        time_zone=time_zone,
        facts=tuple(_facts(said)),
        options=said.options,
    )
    return _Asked(brief, by)


def _facts(said: NewDeliberation) -> Iterator[str | HandedFact]:
    for place, each in enumerate(said.facts, 1):
        if isinstance(each, NewFact):
            yield fact_of(each.text, place, each.kind, each.by or "")
        else:
            yield each


async def _of_origin(call: Call, said: NewDeliberation) -> _Asked:
    """Return what is to be planned as the stream that it goes on from has agreed on it.

    Raises:
        NotAllowed: neither have they asked for it nor are they an admin.
        UnknownStream: there is no such stream, or it is not theirs to read.
        NothingToHandOver
        Refusal, StoreError, TimeoutError
    """
    handed, zone = await handed_over(
        call,
        said.origin,
        said.user_id,
        unknown=UnknownStream("There is nothing called so that a plan could go on from; an origin is a channel_id."),
        not_theirs=NotAllowed("Whoever asked for it, or an admin, has its plan argued out."),
    )
    return _Asked(brief_of(handed, now=call.now(), time_zone=zone), handed.requester_id, handed.place)


def _check_same(state: Deliberation, asked: _Asked, policy: Policy, conversation_id: str) -> None:
    """Check that the Idempotency-Key begins what it began before."""
    before = (state.requester_id, state.policy, state.conversation_id)
    is_same = before == (asked.by, policy, conversation_id)
    # Words are empty once they were erased.
    if not is_same or (not state.erased and state.brief.goal != asked.brief.goal.strip()):
        raise IllegalStep("This Idempotency-Key was used for another deliberation; take a new one.")
