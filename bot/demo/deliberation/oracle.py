"""What deliberations add to the oracle bench."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from bot.demo.oracle.part import Asked, OraclePart, Played, fits
from bot.demo.oracle.scenarios import Act, Expects, Planted, Scenario
from bot.protocol_row import Protocol
from engine.deliberation import commands
from engine.deliberation.answers import PlanTask
from engine.deliberation.asks import RETURNS
from engine.deliberation.policy import PRESETS, Policy
from engine.deliberation.state import Deliberation, Output
from engine.deliberation.terms import Agent, Brief
from engine.directory.profile import Profiles
from engine.errors import Misconfigured
from engine.kernel import Command, Millis, plain, plain_texts
from engine.llm.port import Question

SESSION: Final = "plan-00000001"
EXPECTS: Final[Expects] = {
    **dict.fromkeys(("status", "reason", "decision", "choice"), str),
    **dict.fromkeys(("arguing", "untouched"), list[str]),
    "rounds": int,
    "divergent": bool,
    "findings": list[dict[str, Any]],
    "tasks": dict[str, str],
}


def begin(scenario: Scenario, at: Millis) -> tuple[str, Command]:
    today = scenario.asked_at[:10]
    known = Brief.__struct_fields__
    written = {"title": scenario.demand[:80], "goal": scenario.demand, "today": today} | dict(scenario.brief)
    written |= {"time_zone": scenario.time_zone, "language": scenario.language}
    brief = msgspec.convert({name: each for name, each in written.items() if name in known}, Brief)
    said = {"preset": scenario.policy} if isinstance(scenario.policy, str) else dict(scenario.policy)
    chosen = PRESETS.get(said.pop("preset", "blind"), PRESETS["blind"])
    policy = Policy.model_validate(chosen.model_dump() | said)
    opened = commands.OpenDeliberation(
        command_id="oracle", at=at, session_id=SESSION, by=scenario.requester, brief=brief, policy=policy
    )
    return SESSION, opened


def place(scenario: Scenario, prompt: str, question: Question[Any]) -> Asked:
    number = question.given.get("round", 0)
    return Asked(prompt, number=number if isinstance(number, int) else 0)


def usual(scenario: Scenario, asked: Asked, question: Question[Any]) -> dict[str, Any]:
    """The Critic drafts what the Planner plans, and later versions say what the first one said."""
    first = dict(scenario.answers.get("plan", {})) if isinstance(scenario.answers.get("plan"), Mapping) else {}
    said = {"content": scenario.demand, "position": {"conclusion": scenario.demand}} | first
    match asked.prompt:
        case "plan" | "draft" | "revise":
            return said | ({} if "plan" in said else {"plan": _plan(scenario)})
        case "criticise":
            return {"content": said["content"], "position": said["position"], "critique": {}}
        case "host" | "report" | "reply":
            return {"content": scenario.demand}
        case _:
            return {}


def _plan(scenario: Scenario) -> dict[str, Any]:
    tasks = scenario.brief.get("tasks") or ({"task_id": "task-1", "title": scenario.demand},)
    return {
        "title": scenario.demand[:80],
        "phases": [
            {
                "phase_name": scenario.demand[:40],
                "tasks": [{name: each for name, each in task.items() if name in PlanTask.__struct_fields__}
                          for task in tasks],
            }
        ],
    }  # fmt: skip


def numbered(scenario: Scenario, asked: Asked, question: Question[Any], answer: dict[str, Any]) -> dict[str, Any]:
    return answer


def act(scenario: Scenario, said: Act, state: Deliberation, command_id: str, at: Millis) -> Command | None:
    """Make the command of an act; None where its time has not come."""
    name, _, number = said.at.partition(" ")
    times = {"round": state.is_open and len(state.rounds) == int(number or 0), "end": not state.is_open}
    if name not in times:
        raise Misconfigured([f"`{said.at}` is no time for an act of a deliberation; see docs/oracle.md"])
    if not times[name]:
        return None
    by = scenario.requester if said.by == "requester" else said.by
    fields: dict[str, Any] = {"command_id": command_id, "at": at, "by": by}
    told = dict(said.with_)
    match said.do:
        case "object":
            return commands.RaisePoint(**fields, text=told["text"])
        case "ask_critic":
            return commands.AskCritic(**fields, text=told["text"])
        case "choose":
            chosen = Agent(told["chosen"])
            return commands.ChoosePosition(**fields, chosen=chosen, round=len(state.rounds), why=told.get("text", ""))
        case "stop":
            return commands.StopDeliberation(**fields)
    raise Misconfigured([f"`{said.do}` is nothing that a person does in a deliberation"])


def see(scenario: Scenario, state: Deliberation, asked: Sequence[str]) -> dict[str, Any]:
    outputs = [each.outputs[agent] for each in state.rounds for agent in sorted(each.outputs)]
    last = next((each for each in reversed(outputs) if each.plan is not None), None)
    return {
        "status": state.status.value,
        "reason": state.reason.value if state.reason else "",
        "rounds": len(state.rounds),
        "divergent": bool(state.report and state.report.is_divergent),
        "findings": [
            {"code": found.code, "severity": found.severity, "task": found.task_id}
            for each in outputs
            for found in each.findings
        ],
        "arguing": sorted(f"{each.agent.value}/{each.round}" for each in outputs),
        "tasks": {task.task_id: task.owner for task in last.plan.tasks} if last and last.plan else {},
        "decision": last.position.decision if last else "",
        "choice": last.position.choice if last else "",
    }


def faults(scenario: Scenario, played: Played) -> list[str]:
    seen, wrong = played.seen, [*played.refused]
    for name, wanted in scenario.expect.items():
        if name == "untouched":
            texts = [*plain_texts(plain(played.state))]
            wrong += [f"nowhere stands {each!r}" for each in wanted if not any(each in text for text in texts)]
        elif name == "findings":
            wrong += [f"nothing found is {each}" for each in wanted if not any(fits(each, it) for it in seen[name])]
        elif name == "arguing":
            wrong += [f"{each} did not argue" for each in wanted if each not in seen[name]]
        elif seen[name] != wanted:
            wrong.append(f"{name} is {seen[name]!r}, not {wanted!r}")
    allowed = scenario.expect.get("findings", ())
    wrong += [
        f"something is found wrong with a right plan: {each}"
        for each in seen["findings"]
        if each["severity"] == "high" and not any(fits(one, each) for one in allowed)
    ]
    wrong += [f"a right answer was asked for again: {each}" for each in sorted(played.questioned)]
    return [*wrong, *_rewritten(scenario, played.state)]


def _rewritten(scenario: Scenario, state: Deliberation) -> Iterator[str]:
    """Yield the titles of the Planner's first tasks, and what it concluded, that nobody is shown as they were said."""
    first = scenario.answers.get("plan", {})
    said = [str(first.get("content", "")), str(first.get("position", {}).get("conclusion", ""))]
    said += [str(task.get("title", "")) for phase in first.get("plan", {}).get("phases", ()) for task in phase["tasks"]]
    output: Output | None = state.rounds[0].outputs.get(Agent.PLANNER) if state.rounds else None
    shown = [*plain_texts(plain(output))] if output else []
    yield from (f"a sentence was rewritten: {each!r}" for each in said if each and each.strip() not in shown)


def caught(scenario: Scenario, planted: Planted, right: Played, wrong: Played) -> set[str]:
    by: set[str] = set()
    if any(each["severity"] == "high" and each not in right.seen["findings"] for each in wrong.seen["findings"]):
        by.add("mark")
    if wrong.questioned - right.questioned:
        by.add("fault")
    shown = [*plain_texts(plain(wrong.state.rounds))]
    if isinstance(planted.value, str) and not any(planted.value in each for each in shown):
        by.add("masked" if planted.kind == "secret" else "refused")
    return by


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
    )
