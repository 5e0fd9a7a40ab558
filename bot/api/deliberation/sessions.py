"""What can be done to deliberations over HTTP, and what is told of them."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from aiohttp import web

from bot.api.context import Call
from bot.api.deliberation.schemas import (
    ExportAsked,
    NewChoice,
    NewDeliberation,
    NewFact,
    NewPoint,
    NewQuestion,
    NewStop,
    PlanDecision,
    PointsTold,
    PointTold,
    QuestionsTold,
    QuestionTold,
)
from bot.api.events import follow
from bot.api.feeds import Frame, Owners
from bot.api.part import NOBODY, Reader
from bot.api.route import EVENT_STREAM
from bot.api.streams import TELL_ALL, NamedStream, handed_over, key_of, reader_of_begun
from bot.api.tokens import Scope
from bot.listeners.deliberation.people import check_not_carried_out, is_plan_carried_out
from bot.listeners.deliberation.planning import begin
from bot.texts import texts_in
from bot.views.deliberation.export.data import as_json, calendar
from bot.views.deliberation.export.markdown import markdown
from engine.deliberation.closing.decision_record import decision_record
from engine.deliberation.commands import AskCritic, ChoosePosition, RaisePoint, StopDeliberation
from engine.deliberation.envelopes.outputs import Cost
from engine.deliberation.envelopes.session import DONE, MultiAgentMessage, SessionState, format_line
from engine.deliberation.opening.briefs import brief_of, fact_of, written_brief
from engine.deliberation.policy import PRESETS, Policy
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.session_json.session import lines_of, multi_agent_message, session_state
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Agent, Brief
from engine.errors import IllegalStep, NotAllowed, UnknownStream
from engine.facts.asked import local_day
from engine.kernel import Command, HandedFact, Place
from engine.llm.ledger_days import spent_on
from engine.runtime.streams import event_id, opened
from engine.store.port import StoredEvent

# ── one of them ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Finds the deliberation that a caller names, and who takes part in it.


def _unknown() -> UnknownStream:
    return UnknownStream("There is no such deliberation here; its id looks like plan-abcd2345.")


NAMED = NamedStream(RULEBOOK, _unknown)
"""The deliberation of the path."""


async def deliberation(call: Call) -> Deliberation:
    """Return the deliberation of the path, as they may know it."""
    return await as_told(call, await NAMED.readable(call))


async def as_told(call: Call, state: Deliberation, reader: Reader | None = None) -> Deliberation:
    """Return it without anybody's words where they may not know them (`NamedStream.as_told`)."""
    return await NAMED.as_told(call, state, state.session_id, reader)


def takes_part(state: Deliberation, user: str) -> bool:
    """Whether a user asked for it, or is one of its people."""
    return bool(user) and (user == state.requester_id or any(user == each.user_id for each in state.brief.people))


def reader(state: Deliberation, user: str) -> Reader:
    """Who takes part knows all that is said in it."""
    return TELL_ALL if takes_part(state, user) else NOBODY


# ── its lines ─────────────────────────────────────────────────────────────────────────────────────────────────────────
# A deliberation as the lines of seed 001, section 6.1, which end with ``[DONE]``.


class SessionLines:
    """A `Framing`: folds the events, since the last line has the plan."""

    def __init__(self, owners: Owners, reader: Reader) -> None:
        self._owners = owners
        self._reader = reader
        self._state = RULEBOOK.initial

    @property
    def end(self) -> bytes | None:
        return None if self._state.is_open else format_line(DONE).encode()

    def frames_of(self, stored: StoredEvent) -> Sequence[Frame]:
        owner = self._owners[stored.event_type]
        event = owner.part.told(opened(stored, owner.described.events), self._reader)
        self._state = RULEBOOK.evolve(self._state, event)
        *before, last = [format_line(each) for each in lines_of(self._state, event)] or [""]
        if not last:
            return ()
        position, name = stored.position, event_id(stored.key, stored.seq)
        # Whoever comes back with the id of one of several lines is sent the others.
        parts = [(f"{position}.{at}", line) for at, line in enumerate(before, 1)]
        return (
            *(Frame(position, part, f"id: {part}\n{line}".encode()) for part, line in parts),
            Frame(position, name, f"id: {position}\n{last}".encode()),
        )


# ── its costs ─────────────────────────────────────────────────────────────────────────────────────────────────────────
# What the model's calls for a deliberation have cost, as the ledger has them.


async def cost_of(call: Call, state: Deliberation) -> Cost | None:
    """Return it; None where the ledger has no call, or one of a model whose price is not known."""
    spent = await spent_on(call.context.store, call.workspace.tenant, state.session_id, state.opened_at)
    if not spent.calls or spent.unpriced:
        return None
    return Cost(model_calls=spent.calls, input_tokens=spent.sent, output_tokens=spent.output, cost_usd=float(spent.usd))


# ── the routes ────────────────────────────────────────────────────────────────────────────────────────────────────────


MEDIA: Final = {"markdown": "text/markdown", "json": "application/json", "ics": "text/calendar"}
SUFFIXES: Final = {"markdown": "md", "json": "json", "ics": "ics"}


async def session(call: Call) -> SessionState:
    state = await deliberation(call)
    return session_state(state, await cost_of(call, state))


async def session_messages(call: Call) -> MultiAgentMessage:
    return multi_agent_message(await deliberation(call))


async def session_lines(call: Call) -> web.StreamResponse:
    state = await NAMED.readable(call)
    return await follow(call, state.session_id, call.reader(RULEBOOK.protocol, state), SessionLines)


async def session_events(call: Call) -> web.StreamResponse:
    state = await NAMED.readable(call)
    return await follow(call, state.session_id, call.reader(RULEBOOK.protocol, state))


async def session_decision(call: Call) -> PlanDecision:
    state = await deliberation(call)
    return PlanDecision(**decision_record(state).model_dump(), cost=await cost_of(call, state))


# ── what people say ───────────────────────────────────────────────────────────────────────────────────────────────


async def session_points(call: Call) -> PointsTold:
    return points_of(await deliberation(call))


async def session_questions(call: Call) -> QuestionsTold:
    return questions_of(await deliberation(call))


def points_of(state: Deliberation) -> PointsTold:
    told = (
        PointTold(
            point_id=each.point_id,
            by=each.by,
            text=each.text,
            planner=each.answers.get(Agent.PLANNER),
            critic=each.answers.get(Agent.CRITIC),
        )
        for each in state.points
    )
    return PointsTold(points=tuple(told))


def questions_of(state: Deliberation) -> QuestionsTold:
    told = (
        QuestionTold(question_id=each.question_id, by=each.by, text=each.text, reply=each.reply)
        for each in state.questions
    )
    return QuestionsTold(questions=tuple(told))


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def session_export(call: Call) -> web.Response:
    """Answer with the plan as a file."""
    asked: ExportAsked = call.query
    state = await deliberation(call)
    if state.report is None:
        raise IllegalStep("The report is not written yet; a plan is exported once it is there.")
    if asked.format == "ics" and final_plan(state) is None:
        raise IllegalStep("No plan was made, so there is nothing for a calendar; ask for markdown or json.")
    response = web.Response(body=_content(state, asked.format), content_type=MEDIA[asked.format], charset="utf-8")
    name = f"{state.session_id}.{SUFFIXES[asked.format]}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response


def _content(state: Deliberation, wanted: str) -> bytes:
    texts = texts_in(state.language)
    match wanted:
        case "json":
            return as_json(state).encode()
        case "ics":
            return calendar(state, texts)
        case _:
            names = (each.name for each in state.brief.people if each.user_id == state.requester_id)
            return markdown(state, next(names, ""), texts).encode()


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
    """Return who decides, and whether as an admin."""
    as_admin = Scope.ADMIN in call.token.scopes
    by = call.acts_for(user_id, "userId") if user_id or not as_admin else call.token.actor
    return by, as_admin


async def _send(call: Call, command: Command) -> Deliberation:
    """Send it to the deliberation of the path, and return that as they may know it afterwards."""
    await NAMED.any(call)
    await call.context.gateway.send(key_of(call, call.path["session_id"]), RULEBOOK, command)
    return await as_told(call, await NAMED.any(call))


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
