"""What deliveries add to the oracle bench. Whatever is said to be done is there: nothing is run."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from bot.demo.oracle.part import Asked, OraclePart, Played
from bot.demo.oracle.scenarios import Act, Expects, Planted, Scenario
from bot.protocol_row import Protocol
from engine.delivery import commands
from engine.delivery.asks import RETURNS
from engine.delivery.policy import Policy
from engine.delivery.state import Delivery, TicketStatus
from engine.delivery.terms import Artifact, Brief, Evidence, Role, Task
from engine.directory.profile import Profiles
from engine.errors import Misconfigured
from engine.kernel import Command, Millis, RegisterOutputs, RunWorker, plain, plain_texts
from engine.llm.port import Question
from engine.runtime.clock import Clock
from engine.runtime.ports import EffectRun, EffectRunner

SESSION: Final = "deliver-00000001"
EXPECTS: Final[Expects] = {
    **dict.fromkeys(("status", "reason", "planned"), str),
    **dict.fromkeys(("proposals", "untouched", "masked"), list[str]),
    **dict.fromkeys(("tickets", "owners"), dict[str, str]),
}


def begin(scenario: Scenario, at: Millis) -> tuple[str, Command]:
    written = {"title": scenario.demand[:80], "goal": scenario.demand, "today": scenario.asked_at[:10]}
    written |= dict(scenario.brief) | {"time_zone": scenario.time_zone, "language": scenario.language}
    brief = msgspec.convert({name: each for name, each in written.items() if name in Brief.__struct_fields__}, Brief)
    said = {} if isinstance(scenario.policy, str) else dict(scenario.policy)
    opened = commands.OpenDelivery(
        command_id="oracle",
        at=at,
        session_id=SESSION,
        by=scenario.requester,
        brief=brief,
        policy=Policy.model_validate(said),
        roles=tuple(msgspec.convert(dict(each), Role) for each in scenario.roles),
        tasks=tuple(msgspec.convert(dict(each), Task) for each in scenario.tasks),
    )
    return SESSION, opened


def place(scenario: Scenario, prompt: str, question: Question[Any]) -> Asked:
    task = question.given.get("task")
    return Asked(prompt, getattr(task, "ticket_id", ""))


def usual(scenario: Scenario, asked: Asked, question: Question[Any]) -> dict[str, Any]:
    task = question.given.get("task")
    title = getattr(task, "title", scenario.demand)
    match asked.prompt:
        case "plan":
            return {"tasks": [{"task_id": "task-1", "title": scenario.demand, "expected_outputs": [scenario.demand]}]}
        case "propose" | "instruct":
            return {"summary": title}
        case "review":
            return {"decision": "approved"}
        case "work":
            return {"outputs": [title for _ in getattr(task, "expected_outputs", ("",))]}
        case "advise":
            return {"action": "ask", "text": title}
        case "report":
            return {"summary": scenario.demand}
        case _:
            return {}


def numbered(scenario: Scenario, asked: Asked, question: Question[Any], answer: dict[str, Any]) -> dict[str, Any]:
    return answer


def act(scenario: Scenario, said: Act, state: Delivery, command_id: str, at: Millis) -> Command | None:
    """Make the command of an act; None where its time has not come."""
    by = scenario.requester if said.by == "requester" else said.by
    fields: dict[str, Any] = {"command_id": command_id, "at": at, "by": by}
    told = dict(said.with_)
    ticket = state.tickets.get(str(told.get("ticket", "")))
    if not _is_time(said.at, state, ticket):
        return None
    ticket_id = ticket.ticket_id if ticket else ""
    match said.do:
        case "answer":
            last = state.clarifications[-1]
            return commands.AnswerClarification(**fields, number=last.number, answers=tuple(told["answers"]))
        case "start":
            return commands.StartTicket(**fields, ticket_id=ticket_id)
        case "finish":
            labels = [each.label for each in ticket.task.outputs] if ticket else []
            shown = tuple(Evidence(label=each, text=told.get("text", each)) for each in labels)
            return commands.FinishTicket(**fields, ticket_id=ticket_id, evidence=shown, summary=told.get("text", ""))
        case "block":
            return commands.BlockTicket(**fields, ticket_id=ticket_id, why=told["text"])
        case "unblock":
            return commands.AnswerBlock(**fields, ticket_id=ticket_id, text=told["text"])
        case "agree":
            agrees = bool(told.get("agrees", True))
            return commands.AnswerProposal(**fields, ticket_id=ticket_id, agrees=agrees, text=told.get("text", ""))
        case "review":
            changes = told.get("text", "")
            return commands.ReviewTicket(**fields, ticket_id=ticket_id, approves=not changes, changes=changes)
        case "drop":
            return commands.DropTicket(**fields, ticket_id=ticket_id, why=told.get("text", ""))
        case "stop":
            return commands.StopDelivery(**fields)
    raise Misconfigured([f"`{said.do}` is nothing that a person does in a delivery"])


def _is_time(when: str, state: Delivery, ticket: Any) -> bool:
    """``questions``, ``end``, ``now``, or the status of the ticket that the act is about."""
    if when == "questions":
        return state.open_clarification is not None
    if when == "end":
        return not state.is_open
    if when == "needed":
        return ticket is not None and ticket.need is not None
    if when == "instructed":
        return ticket is not None and ticket.instruction is not None and ticket.status is not TicketStatus.DONE
    if when not in list(TicketStatus):
        raise Misconfigured([f"`{when}` is no time for an act of a delivery; see docs/oracle.md"])
    return ticket is not None and ticket.status == when


def see(scenario: Scenario, state: Delivery, asked: Sequence[str]) -> dict[str, Any]:
    return {
        "status": state.status.value,
        "reason": state.reason.value if state.reason else "",
        "tickets": {each.task.task_id: each.status.value for each in state.tickets.values()},
        "owners": {
            each.task.task_id: each.owner.person_id or each.owner.role_id or "" for each in state.tickets.values()
        },
        "proposals": sorted(each.task.task_id for each in state.tickets.values() if each.task.needs_proposal),
        "planned": state.planned_by.value if state.planned_by else "",
    }


def faults(scenario: Scenario, played: Played) -> list[str]:
    seen, wrong = played.seen, [*played.refused]
    texts = [*plain_texts(plain(played.state))]
    for name, wanted in scenario.expect.items():
        if name == "untouched":
            wrong += [f"nowhere stands {each!r}" for each in wanted if not any(each in text for text in texts)]
        elif name == "masked":
            wrong += [f"it still says {each!r}" for each in wanted if any(each in text for text in texts)]
        elif seen[name] != (sorted(wanted) if isinstance(wanted, list) else wanted):
            wrong.append(f"{name} is {seen[name]!r}, not {wanted!r}")
    planned = scenario.answers.get("plan", {})
    said = [str(each.get("title", "")) for each in planned.get("tasks", ())] if isinstance(planned, Mapping) else []
    wrong += [f"a sentence was rewritten: {each!r}" for each in said if each and each.strip() not in texts]
    return wrong + [f"a right answer was asked for again: {each}" for each in sorted(played.questioned)]


def caught(scenario: Scenario, planted: Planted, right: Played, wrong: Played) -> set[str]:
    by: set[str] = set()
    if wrong.questioned - right.questioned or wrong.state.plans_refused > right.state.plans_refused:
        by.add("fault")
    shown = [*plain_texts(plain((wrong.state.tickets, wrong.state.report)))]
    if isinstance(planted.value, str) and not any(planted.value in each for each in shown):
        by.add("masked" if planted.kind == "secret" else "refused")
    return by


def _runners(scenario: Scenario, clock: Clock) -> Mapping[str, EffectRunner]:
    async def registered(run: EffectRun) -> Command:
        """Everything that a ticket has to show is there."""
        effect = run.effect
        assert isinstance(effect, RegisterOutputs | RunWorker)  # noqa: S101 - runners are registered by the kind
        ticket: Any = run.state.tickets[effect.about]
        artifacts = tuple(_artifact(ticket.ticket_id, each.label) for each in ticket.task.outputs)
        return commands.RecordWork(
            command_id=run.command_id,
            at=clock.now(),
            ticket_id=ticket.ticket_id,
            attempt=len(ticket.attempts),
            artifacts=artifacts,
        )

    return {RegisterOutputs.kind: registered, RunWorker.kind: registered}


def _artifact(ticket_id: str, label: str) -> Artifact:
    digest = hashlib.sha256(label.encode()).hexdigest()
    uri = f"artifacts/{ticket_id}/{digest[:12]}.md"
    return Artifact(
        label=label, uri=uri, digest=f"sha256:{digest}", content_type="text/markdown", size_bytes=10, beginning=label
    )


def part(row: Protocol) -> OraclePart:
    return OraclePart(
        row=row,
        returns=RETURNS,
        expects=EXPECTS,
        begin=begin,
        profiles=lambda _: Profiles({}),
        place=place,
        usual=usual,
        numbered=numbered,
        act=act,
        goes_on=lambda state: state.is_open,
        see=see,
        faults=faults,
        caught=caught,
        runners=_runners,
        effects=(RegisterOutputs, RunWorker),
    )
