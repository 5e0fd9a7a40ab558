"""A delivery's log, as a projection of its events (seed 002, section 8).

Every envelope is a file, ``events.log`` has a line for each event, and in the end there is the final report.

It follows from the events alone, so it can be deleted and made again, byte for byte.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine.delivery import events as happened
from engine.delivery.envelopes.payloads import PAYLOADS, fitted
from engine.delivery.fold import apply, ticket_id
from engine.delivery.state import Delivery, Status, Ticket
from engine.delivery.terms import MANAGER, SCHEDULER, Artifact, Task, TicketEvent
from engine.delivery.work.work_orders import VERSION, work_envelope
from engine.kernel import Event, Millis, iso

USER: Final = "user"
LOG: Final = "events.log"
FINAL: Final = "final_report.json"
SUMMARY: Final = "summary.md"


class Entry(NamedTuple):
    """One envelope of the log."""

    payload_type: str
    source: str
    target: str
    at: Millis
    payload: Mapping[str, Any]


class SessionLog:
    """A log that grows with its events. It is made anew once words were erased: those change what was written."""

    def __init__(self) -> None:
        self._state = Delivery()
        self._count = 0
        """Envelopes so far."""
        self._lines: list[str] = []
        self._has_ended = False

    @property
    def version(self) -> int:
        """How many events are in it."""
        return len(self._lines)

    def take(self, events: Sequence[Event]) -> dict[str, bytes]:
        """Return the files that are new, or say something else, since the next events have happened, by name."""
        made: dict[str, bytes] = {}
        for event in events:
            before, self._state = self._state, apply(self._state, event)
            for entry in _entries(before, self._state, event):
                self._count += 1
                content = _written(self._state.session_id, entry)
                made[f"{self._count:06}-{entry.payload_type}.json"] = content
                if entry.payload_type == "final_report":
                    made[FINAL], self._has_ended = content, True
            self._lines.append(_line(self._state, event))
        made[LOG] = "".join(f"{line}\n" for line in self._lines).encode()
        if self._has_ended:
            made[SUMMARY] = summary_of(self._state).encode()
        return made


def files_of(events: Sequence[Event]) -> dict[str, bytes]:
    """Return every file of a session's log by its name."""
    return SessionLog().take(events)


def _written(session: str, entry: Entry) -> bytes:
    envelope = {
        "session_id": session,
        "timestamp": iso(entry.at),
        "source": entry.source,
        "target": entry.target,
        "payload_type": entry.payload_type,
        "version": VERSION,
        "payload": fitted(PAYLOADS[entry.payload_type], entry.payload).model_dump(mode="json"),
    }
    return (json.dumps(envelope, ensure_ascii=False, indent=2) + "\n").encode()


# ── lines ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _line(state: Delivery, event: Event) -> str:
    """``[timestamp][ticket_id][event] message``; the message has codes and ids, nobody's words."""
    at = getattr(event, "at", 0) or state.updated_at
    about = getattr(event, "ticket_id", "") or "-"
    name = event.event_type.rpartition(".")[2]
    told = [f"{key}={value}" for key, value in _codes(event)]
    return f"[{iso(at)}][{about}][{name}] {' '.join(told)}".rstrip()


def _codes(event: Event) -> Iterator[tuple[str, str]]:
    for name in ("by", "number", "attempt", "code", "decision", "choice", "need", "reason", "why", "to", "is_complete"):
        value = getattr(event, name, None)
        if value not in (None, "", 0):
            yield name, str(value)


# ── envelopes ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _entries(before: Delivery, state: Delivery, event: Event) -> Iterator[Entry]:
    yield from _said(before, state, event)
    if isinstance(event, TicketEvent) and event.ticket_id in before.tickets:
        was, is_ = before.tickets[event.ticket_id], state.tickets[event.ticket_id]
        if was.status is not is_.status or was.owner != is_.owner:
            payload = {"ticket_id": is_.ticket_id, "status": is_.status, "owner": _owner(is_)}
            yield Entry("update", SCHEDULER, MANAGER, event.at, payload)


def _said(before: Delivery, state: Delivery, event: Event) -> Iterator[Entry]:
    match event:
        case happened.DeliveryOpened():
            if state.status is Status.CLARIFYING:
                yield Entry("clarification_needed", SCHEDULER, MANAGER, event.at, {"goal": event.brief.goal})
        case happened.ClarificationAsked():
            questions = [{"question_id": each.question_id, "text": each.text or "…"} for each in event.questions]
            payload = {"questions": questions, "status": "needed", "intent_summary": event.intent_summary}
            yield Entry("clarification", MANAGER, USER, event.at, payload)
        case happened.ClarificationAnswered():
            asked = before.clarifications[-1].questions
            answers = [
                {"question_id": each.question_id, "text": text}
                for each, text in zip(asked, event.answers, strict=False)
            ]
            yield Entry("clarification_response", USER, MANAGER, event.at, {"answers": answers})
        case happened.ClarificationClosed():
            payload = {"status": "closed", "intent_summary": event.intent_summary}
            yield Entry("clarification", MANAGER, SCHEDULER, event.at, payload)
        case happened.PlanRefused():
            payload = {"code": "plan_refused", "message": " ".join(event.faults)}
            yield Entry("error", SCHEDULER, MANAGER, event.at, payload)
        case happened.PlanReceived():
            tasks = [_task(each) for each in event.tasks]
            yield Entry("plan", MANAGER, SCHEDULER, event.at, {"tasks": tasks})
            first = state.added - len(event.tasks) + 1
            for number in range(first, state.added + 1):
                yield _ticket(state.tickets[ticket_id(number)], event.at)
        case happened.TicketAdded():
            yield _ticket(state.tickets[event.ticket_id], event.at)
        case happened.EnvelopeRejected():
            payload = {"code": event.code, "message": event.message, "ticket_id": event.ticket_id}
            yield Entry("error", SCHEDULER, event.source or "sender", event.at, payload)
        case happened.DeliveryEnded():
            yield Entry("final_report", SCHEDULER, USER, event.at, _final(state))
        case _:
            yield from _worked(state, event)


def _worked(state: Delivery, event: Event) -> Iterator[Entry]:
    """Yield what Manager and workers say to each other about a ticket."""
    match event:
        case happened.ProposalMade():
            payload = {
                "ticket_id": event.ticket_id,
                "summary": event.summary,
                "open_questions": _lines(event.open_questions),
                "risks": _lines(event.risks),
                "draft_steps": _lines(event.draft_steps),
            }
            yield Entry("instruction_proposal", MANAGER, _worker(state, event), event.at, payload)
        case happened.ProposalAnswered():
            payload = {"ticket_id": event.ticket_id, "status": "proposal", "outputs": _lines(event.answers)}
            yield Entry("report", event.by, MANAGER, event.at, payload)
        case happened.InstructionGiven():
            steps = event.instruction
            payload = {
                "ticket_id": event.ticket_id,
                "summary": steps.summary,
                "steps": _lines(steps.steps),
                "resources": _lines(steps.resources),
                "acceptance_criteria": _lines(steps.acceptance),
            }
            yield Entry("instruction", event.by, SCHEDULER, event.at, payload)
        case happened.WorkStarted():
            envelope = work_envelope(state, state.tickets[event.ticket_id], at=event.at)
            payload = {name: _lines(each) if name in LISTED else each for name, each in envelope["payload"].items()}
            yield Entry("dispatch", SCHEDULER, event.by or SCHEDULER, event.at, payload)
        case happened.WorkReported():
            yield from _reported(state, event)
        case happened.WorkBlocked():
            payload = {
                "ticket_id": event.ticket_id,
                "status": "blocked",
                "summary": event.summary,
                "issues": _lines(event.issues),
            }
            yield Entry("report", event.by, SCHEDULER, event.at, payload)
        case happened.AttemptFailed():
            payload = {"code": event.code, "message": event.detail, "ticket_id": event.ticket_id}
            yield Entry("error", event.by or SCHEDULER, SCHEDULER, event.at, payload)
        case happened.ReviewGiven():
            payload = {
                "ticket_id": event.ticket_id,
                "decision": event.decision,
                "notes": event.notes,
                "requested_changes": _lines(event.requested_changes),
            }
            yield Entry("review", event.by, SCHEDULER, event.at, payload)
        case happened.DependencyLate():
            issues = [f"It waits for {', '.join(event.waits_for)}."]
            payload = {"ticket_id": event.ticket_id, "status": "blocked", "issues": issues}
            yield Entry("report", SCHEDULER, MANAGER, event.at, payload)
        case _:
            pass


def _reported(state: Delivery, event: happened.WorkReported) -> Iterator[Entry]:
    for each in event.artifacts:
        yield Entry("artifact_ref", event.by, SCHEDULER, event.at, _artifact(each, event.ticket_id))
    payload = {
        "ticket_id": event.ticket_id,
        "status": "completed",
        "summary": event.summary,
        "outputs": _lines(each.label for each in event.artifacts),
        "evidence": _lines(each.digest for each in event.artifacts),
        "issues": _lines(event.issues),
        "next_actions": _lines(event.next_actions),
    }
    yield Entry("report", event.by, SCHEDULER, event.at, payload)
    request = {
        "ticket_id": event.ticket_id,
        "report": len(state.tickets[event.ticket_id].reports),
        "artifacts": [_artifact(each) for each in event.artifacts],
    }
    yield Entry("review_request", SCHEDULER, MANAGER, event.at, request)


LISTED: Final = frozenset({"steps", "resources", "acceptance_criteria", "results", "answers", "changes"})


def _lines(texts: Iterable[str]) -> list[str]:
    """Texts as an envelope has them: none without words. What is too long for one is cut by `fitted`."""
    return [each for each in texts if each.strip()]


def _owner(ticket: Ticket) -> str:
    return ticket.owner.user_id or ticket.owner.role_id or ticket.owner.person_id


def _worker(state: Delivery, event: TicketEvent) -> str:
    return _owner(state.tickets[event.ticket_id]) or "worker"


def _checking(task: Task) -> Mapping[str, str]:
    """Nothing where nothing of it was said: logs of before stay as they are, byte for byte."""
    said = {"risk": task.risk, "risk_reason": task.risk_reason[:300], "checked_by": task.checked_by}
    return {name: value for name, value in said.items() if value not in ("", "low")}


def _task(task: Task) -> Mapping[str, Any]:
    return {
        "task_id": task.task_id,
        "description": "\n".join(each for each in (task.title, task.description) if each),
        "dependencies": [*task.depends_on],
        "expected_outputs": [{"label": each.label or "…", "path": each.path} for each in task.outputs],
        "assigned_to": {"role_id": task.owner.role_id, "person_id": task.owner.person_id or task.owner.user_id},
        "risks": _lines(task.risks),
        **_checking(task),
        "acceptance_criteria": _lines(task.acceptance),
        "deadline": task.deadline,
    }


def _ticket(ticket: Ticket, at: Millis) -> Entry:
    payload = {
        "ticket_id": ticket.ticket_id,
        "task_id": ticket.task.task_id,
        "owner": _owner(ticket),
        "status": "pending",
        "history": [{"timestamp": iso(at), "event": "created", "by": ticket.added_by}],
    }
    return Entry("ticket", SCHEDULER, MANAGER, at, payload)


def _artifact(artifact: Artifact, ticket: str | None = None) -> dict[str, Any]:
    told = {
        "label": artifact.label or "…",
        "uri": artifact.uri or "…",
        "digest": artifact.digest or None,
        "content_type": artifact.content_type,
        "size_bytes": artifact.size_bytes,
        "description": artifact.description,
    }
    return told if ticket is None else {**told, "ticket_id": ticket}


def _final(state: Delivery) -> Mapping[str, Any]:
    report = state.report
    return {
        "status": "completed" if state.status is Status.COMPLETED else "incomplete",
        "reason": state.reason or "",
        "summary": report.summary if report else "",
        "tickets": [
            {
                "ticket_id": each.ticket_id,
                "title": each.task.title,
                "owner": each.owner.name or _owner(each),
                "status": each.status,
                "artifacts": [_artifact(found) for found in each.artifacts],
            }
            for each in state.tickets.values()
        ],
        "learned": _lines(report.learned) if report else [],
        "next_steps": _lines(report.next_steps) if report else [],
    }


def summary_of(state: Delivery) -> str:
    """Return the final report to be read: Markdown."""
    lines = [f"# {state.brief.title}", "", state.report.summary if state.report else "", ""]
    for each in state.tickets.values():
        owner = each.owner.name or _owner(each)
        lines.append(f"- **{each.ticket_id}** {each.task.title} — {each.status}{f' ({owner})' if owner else ''}")
        lines += [
            f"  - {found.label}: `{found.uri}` ({found.size_bytes} bytes, {found.digest})" for found in each.artifacts
        ]
    if state.report and state.report.learned:
        lines += ["", *(f"- {each}" for each in state.report.learned)]
    if state.report and state.report.next_steps:
        lines += ["", *(f"- [ ] {each}" for each in state.report.next_steps)]
    return "\n".join(lines) + "\n"
