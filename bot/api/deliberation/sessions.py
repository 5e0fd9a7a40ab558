"""Deliberations over HTTP: how one stands, what was said in it, and its files."""

from typing import Final

from aiohttp import web

from bot.api.context import Call
from bot.api.deliberation.costs import cost_of
from bot.api.deliberation.lookup import NAMED, deliberation
from bot.api.deliberation.schemas import (
    ExportAsked,
    PlanDecision,
    PointsTold,
    PointTold,
    QuestionsTold,
    QuestionTold,
)
from bot.api.deliberation.session_lines import SessionLines
from bot.api.events import follow
from bot.texts import texts_in
from bot.views.deliberation.export.data import as_json
from bot.views.deliberation.export.ics import calendar
from bot.views.deliberation.export.markdown import markdown
from engine.deliberation.closing.decision_record import decision_record
from engine.deliberation.envelopes.session import MultiAgentMessage, SessionState
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.session_json.session import multi_agent_message, session_state
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Agent
from engine.errors import IllegalStep

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
    """
    Raises:
        IllegalStep: there is no report, or nothing that a calendar could have.
        Refusal, StoreError, TimeoutError
    """
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
