"""Deliberations over HTTP: how one stands, what was said in it, and its files."""

from collections.abc import Sequence
from typing import Final

from aiohttp import web

from bot.api.context import Call
from bot.api.deliberation.schemas import ExportAsked, PlanDecision, PointsTold, PointTold, QuestionsTold, QuestionTold
from bot.api.events import follow
from bot.api.feeds import Frame, Owners
from bot.api.part import NOBODY, Reader
from bot.api.streams import TELL_ALL, NamedStream
from bot.texts import texts_in
from bot.views.deliberation.export.data import as_json
from bot.views.deliberation.export.ics import calendar
from bot.views.deliberation.export.markdown import markdown
from engine.deliberation.closing.decision_record import decision_record
from engine.deliberation.envelopes.outputs import Cost
from engine.deliberation.envelopes.session import DONE, MultiAgentMessage, SessionState, format_line
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.session_json.session import lines_of, multi_agent_message, session_state
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Agent
from engine.errors import IllegalStep, UnknownStream
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
