"""What a worker is told of its ticket: in words for agents, and as the payload of an envelope for other commands.

All of it is data: none of it ever becomes an argument of a command.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.delivery.composing import discussion_given, results_given, told, troubles
from engine.delivery.state import Delivery, Ticket
from engine.delivery.wording import language
from engine.facts.language import Language
from engine.facts.shortening import shorten
from engine.kernel import Millis, iso

VERSION: Final = "1.0"
LONGEST_GOAL: Final = 2_000
"""Characters."""
LONGEST: Final = 20_000

HEADINGS: Final[Mapping[str, Mapping[Language, str]]] = {
    "why": {"en": "What it is for", "zh": "用途"},
    "steps": {"en": "Steps", "zh": "步骤"},
    "resources": {"en": "What you can use", "zh": "可用的资源"},
    "acceptance": {"en": "It is done when", "zh": "完成标准"},
    "results": {"en": "What was done before", "zh": "之前的成果"},
    "discussion": {"en": "What was said about how to do it", "zh": "关于做法的讨论"},
    "told": {"en": "What you were told since; all of it has to be in the result",
             "zh": "之后的答复与修改要求，成果中都要体现"},
    "failed": {"en": "How earlier attempts failed", "zh": "之前的尝试为何失败"},
    "risks": {"en": "Risks", "zh": "风险"},
    "questions": {"en": "Questions to you", "zh": "请你回答"},
    "until": {"en": "Until", "zh": "截止"},
}  # fmt: skip


def work_text(state: Delivery, ticket: Ticket) -> str:
    """Return what an agent reads: Markdown in the language of the brief."""
    spoken = language(state)
    steps = ticket.instruction
    parts = [f"# {ticket.task.title}"]
    if steps and steps.summary and steps.summary != ticket.task.title:
        parts.append(steps.summary)
    if ticket.task.description:
        parts.append(ticket.task.description)
    if ticket.task.deadline:
        parts.append(f"{HEADINGS['until'][spoken]}: {ticket.task.deadline}")
    parts += _section("why", (shorten(state.brief.goal, LONGEST_GOAL),), spoken)
    parts += _section("steps", steps.steps if steps else (), spoken)
    parts += _section("resources", steps.resources if steps else (), spoken)
    parts += _section("acceptance", steps.acceptance if steps else ticket.task.acceptance, spoken)
    parts += _section("results", tuple(_results(state, ticket)), spoken)
    parts += _section("discussion", tuple(_discussion(ticket)), spoken)
    parts += _section("told", told(ticket), spoken)
    parts += _section("failed", troubles(ticket), spoken)
    return _bounded("\n\n".join(parts))


def proposal_text(state: Delivery, ticket: Ticket) -> str:
    """Return what an agent reads of the latest proposal."""
    made, spoken = ticket.proposals[-1], language(state)
    parts = [f"# {ticket.task.title}", made.summary]
    parts += _section("why", (shorten(state.brief.goal, LONGEST_GOAL),), spoken)
    parts += _section("steps", made.draft_steps, spoken)
    parts += _section("risks", made.risks, spoken)
    parts += _section("questions", made.open_questions, spoken)
    return _bounded("\n\n".join(parts))


def _bounded(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"


def _section(name: str, lines: tuple[str, ...], spoken: Language) -> list[str]:
    said = [each for each in lines if each.strip()]
    return ["\n".join([f"## {HEADINGS[name][spoken]}", "", *(f"- {each}" for each in said)])] if said else []


def _results(state: Delivery, ticket: Ticket) -> Iterator[str]:
    for each in results_given(state, ticket):
        yield f"{each.ticket_id} {each.title}: {'; '.join(each.results) or each.summary}"


def _discussion(ticket: Ticket) -> Iterator[str]:
    for each in discussion_given(ticket):
        yield each.summary
        yield from each.draft_steps
        yield from each.worker_says


# ── envelopes ─────────────────────────────────────────────────────────────────────────────────────────────────────


def work_envelope(state: Delivery, ticket: Ticket, *, at: Millis) -> dict[str, Any]:
    """Return the ``dispatch`` of a ticket."""
    steps, task = ticket.instruction, ticket.task
    payload = {
        "ticket_id": ticket.ticket_id,
        "task_id": task.task_id,
        "title": task.title,
        "description": task.description,
        "goal": shorten(state.brief.goal, LONGEST_GOAL),
        "summary": steps.summary if steps else "",
        "steps": [*(steps.steps if steps else ())],
        "resources": [*(steps.resources if steps else ())],
        "acceptance_criteria": [*(steps.acceptance if steps else task.acceptance)],
        "expected_outputs": [{"label": each.label or "…", "path": each.path} for each in task.outputs],
        "results": [*_results(state, ticket)],
        "answers": [*ticket.answers],
        "changes": [*ticket.changes],
        "deadline": task.deadline,
    }
    return _enveloped(state, ticket, "dispatch", payload, at)


def proposal_envelope(state: Delivery, ticket: Ticket, *, at: Millis) -> dict[str, Any]:
    """Return the latest ``instruction_proposal`` of a ticket."""
    made = ticket.proposals[-1]
    payload = {
        "ticket_id": ticket.ticket_id,
        "title": ticket.task.title,
        "summary": made.summary,
        "draft_steps": [*made.draft_steps],
        "open_questions": [*made.open_questions],
        "risks": [*made.risks],
    }
    return _enveloped(state, ticket, "instruction_proposal", payload, at)


def _enveloped(
    state: Delivery, ticket: Ticket, payload_type: str, payload: dict[str, Any], at: Millis
) -> dict[str, Any]:
    return {
        "session_id": state.session_id,
        "timestamp": iso(at),
        "source": "scheduler",
        "target": ticket.owner.role_id,
        "payload_type": payload_type,
        "version": VERSION,
        "payload": payload,
    }
