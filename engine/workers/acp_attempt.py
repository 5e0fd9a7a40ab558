"""One attempt of an agent, from its order to its outcome; and one question to an agent."""

import asyncio
from typing import Final

from msgspec.structs import replace

from engine.errors import InvalidAnswer, Misconfigured
from engine.facts.shortening import visible
from engine.kernel import ModelAnswer
from engine.llm.reading import read_answer, read_answers
from engine.runtime.clock import Clock
from engine.workers.acp import AcpContext, AgentTrouble
from engine.workers.acp_agent import LoginWanted, greeted
from engine.workers.acp_lines import forget_blocked, read_blocked, told
from engine.workers.acp_listening import Listening, Stop
from engine.workers.port import Limits, WorkOrder, WorkOutcome
from engine.workers.process import Launch
from engine.workers.registry import RoleEntry

LONGEST_SUMMARY: Final = 3_000
"""Characters."""
MOST_SAID: Final = 20
"""Concerns, and answers, to a proposal."""
ENDED_EARLY: Final[dict[str, str]] = {
    "max_tokens": "The agent's model reached the longest answer that it may give.",
    "max_turn_requests": "The agent asked its model as often as it may in one turn.",
    "cancelled": "The agent ended its turn as if it had been cancelled.",
}
REFUSED: Final = "The agent refuses to do this."


class Discussed(ModelAnswer, kw_only=True):
    """What an agent says to a proposal."""

    agrees: bool
    answers: tuple[str, ...] = ()
    concerns: tuple[str, ...] = ()


async def run_attempt(role: RoleEntry, order: WorkOrder, context: AcpContext) -> WorkOutcome:
    """See `engine.workers.acp.run_acp`."""
    is_work = order.purpose != "discuss"
    listening = Listening(context.clock, order.limits, order.permissions, may_ask=is_work)
    worker = session = ""
    try:
        async with greeted(context.launch, listening) as agent:
            worker = agent.worker
            await asyncio.to_thread(forget_blocked, context.launch.directory)
            known = order.agent_session if is_work else ""
            is_resumed = await agent.open(context.launch.directory, role.metadata.session_mode, known)
            session = listening.session_id if agent.keeps_sessions else ""
            end = await agent.turn(_prompt_of(order, is_resumed=is_resumed))
            is_gone = agent.is_gone
        outcome = await _outcome(end, order, context, listening, is_gone=is_gone)
    except AgentTrouble as trouble:
        outcome = WorkOutcome(failure=trouble.failure, detail=_cured(trouble, role))
    used = listening.used
    return replace(
        outcome,
        agent_session=session,
        worker=worker,
        input_tokens=used.input_tokens or used.context,
        output_tokens=used.output_tokens,
        usd=used.usd,
        faults=tuple(listening.faults),
    )


def _prompt_of(order: WorkOrder, *, is_resumed: bool) -> str:
    try:
        return told(order, is_resumed=is_resumed)
    except Misconfigured as error:
        raise AgentTrouble("not_started", f"What agents are told cannot be read. {error}") from error


def _cured(trouble: AgentTrouble, role: RoleEntry) -> str:
    """What happened, and what helps where somebody has to log in: nobody can, where agents run."""
    if not isinstance(trouble, LoginWanted):
        return trouble.detail
    if profile := role.metadata.auth_profile:
        why = f"Its service does not take the key of auth_profile {profile}, or it is not told to use it."
        return f"{trouble.detail} {why}"
    return f"{trouble.detail} Its role names no auth_profile, so that it is given no key."


async def _outcome(
    end: str | Stop, order: WorkOrder, context: AcpContext, listening: Listening, *, is_gone: bool
) -> WorkOutcome:
    """Return the outcome of a turn, once the process has ended and its files no longer change."""
    summary = "\n".join([*listening.notes, _short(listening.words)])
    match end:
        case Stop(question=None):
            return WorkOutcome(failure="budget", detail="The agent used more than it may.", summary=summary)
        case Stop(question=question):
            return WorkOutcome(permission=question, summary=summary)
        case "refusal":
            return WorkOutcome(issues=(_short(listening.words) or REFUSED,))
        case "end_turn":
            pass
        case _ if end in ENDED_EARLY:
            return WorkOutcome(failure="exit", detail=ENDED_EARLY[end], summary=summary)
        case _:
            return WorkOutcome(failure="protocol", detail="The agent ended its turn for a reason that nobody knows.")
    if order.purpose == "discuss":
        return _discussed(listening.words, is_gone=is_gone)
    issues = await asyncio.to_thread(read_blocked, context.launch.directory)
    outcome = await context.register()
    if issues and outcome.failure is not None:
        # It says itself that it is not done, so that what is not there is no lie.
        outcome = replace(outcome, failure=None, detail="", registered=(), checks=())
    return replace(outcome, summary=summary, issues=issues)


def _discussed(words: str, *, is_gone: bool) -> WorkOutcome:
    """Read what an agent says to a proposal. Who ended before it had said all, or says both, does not agree."""
    try:
        said = read_answer(words, Discussed)
    except InvalidAnswer:
        return WorkOutcome(failure="protocol", detail="What the agent answered to the proposal cannot be read.")
    if said.agrees and is_gone:
        return WorkOutcome(failure="exit", detail="The agent ended while it was listened to.")
    if said.agrees and not all(each.agrees for each in read_answers(words, Discussed)):
        return WorkOutcome(failure="protocol", detail="The agent agreed to the proposal, and did not.")
    answers, concerns = (tuple(map(_short, each[:MOST_SAID])) for each in (said.answers, said.concerns))
    return WorkOutcome(agrees=said.agrees, answers=answers, issues=concerns)


def _short(text: str) -> str:
    text = visible(text).strip()
    return text if len(text) <= LONGEST_SUMMARY else f"{text[:LONGEST_SUMMARY]}…"


async def ask_once(role: RoleEntry, text: str, launch: Launch, limits: Limits, clock: Clock) -> str:
    """See `engine.workers.acp.ask_agent`."""
    listening = Listening(clock, limits, may_ask=False)
    async with greeted(launch, listening) as agent:
        await agent.open(launch.directory, role.metadata.session_mode)
        end = await agent.turn(text)
    if isinstance(end, Stop):
        raise AgentTrouble("budget", "The agent used more than it may.")
    if end != "end_turn":
        raise AgentTrouble("exit", ENDED_EARLY.get(end, REFUSED))
    return listening.words


async def try_out(role: RoleEntry, launch: Launch, limits: Limits, clock: Clock) -> str:
    """Greet an agent and open a session, without a turn; return its name and version."""
    try:
        async with greeted(launch, Listening(clock, limits, may_ask=False)) as agent:
            await agent.open(launch.directory, role.metadata.session_mode)
            return agent.worker
    except LoginWanted as wanted:
        raise AgentTrouble(wanted.failure, _cured(wanted, role)) from wanted
