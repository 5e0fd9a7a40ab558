"""What models are asked in a deliberation, how their answers are read, and what stands in for one.

Nobody's profile is told to any of these prompts: what is known of people is what they have said to everybody.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from engine.deliberation import wording
from engine.deliberation.answers import (
    LONGEST_OUTPUT,
    BriefAnswer,
    ClosingAnswer,
    CriticAnswer,
    CriticDraft,
    CriticReply,
    HostAnswer,
    PlannerAnswer,
    ReportAnswer,
)
from engine.deliberation.commands import (
    RecordBrief,
    RecordClosing,
    RecordHostWords,
    RecordPosition,
    RecordReply,
    RecordReport,
)
from engine.deliberation.composing import (
    close_given,
    criticise_given,
    draft_given,
    facts_told,
    host_given,
    read_given,
    reply_given,
    report_given,
    revise_given,
)
from engine.deliberation.given import Given
from engine.deliberation.rounds.plan_check import findings, option_id
from engine.deliberation.rounds.reading import Known, faults, held
from engine.deliberation.rounds.tools import tools_for
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Agent, ArgumentKind, Error, ErrorCode
from engine.directory.profile import Profiles
from engine.errors import ModelError, ModelTimeout
from engine.facts.content import Check
from engine.facts.language import Language
from engine.kernel import Ask, Command, Millis
from engine.kernel.encoding import texts_in
from engine.llm.port import Answer, AnswerClasses, Prompt, Question

RETURNS: AnswerClasses = {
    "brief": BriefAnswer,
    "plan": PlannerAnswer,
    "draft": CriticDraft,
    "revise": PlannerAnswer,
    "criticise": CriticAnswer,
    "host": HostAnswer,
    "close": ClosingAnswer,
    "report": ReportAnswer,
    "reply": CriticReply,
}
"""What each prompt of prompts/deliberation must say that it returns."""

SPEAKERS: Final[Mapping[str, Agent]] = {
    "plan": Agent.PLANNER,
    "revise": Agent.PLANNER,
    "draft": Agent.CRITIC,
    "criticise": Agent.CRITIC,
    "host": Agent.HOST,
    "brief": Agent.HOST,
    "report": Agent.REPORTER,
    "reply": Agent.CRITIC,
}
"""Who answers a prompt; ``close`` is answered by whom it is about."""


@dataclass(frozen=True, slots=True)
class DeliberationAsks:
    """Composes questions and reads answers."""

    prompts: Mapping[str, Prompt]
    """By name, e.g. ``deliberation/plan``."""
    profiles: Profiles
    """Of the tenant. Nothing of them is told."""

    def compose(self, state: Deliberation, ask: Ask) -> Question[Any]:
        prompt = self.prompts[f"deliberation/{ask.prompt}"]
        check: Callable[[Any], str] | None = partial(_faults, state, ask) if ask.prompt in CHECKED else None
        tools = tools_for(state) if ask.prompt in WITH_TOOLS else ()
        return Question(
            prompt,
            _given(state, ask).values(),
            RETURNS[ask.prompt],
            asked_by=state.requester_id,
            language=_spoken(state),
            check=check,
            tools=tools,
            is_slow_to_read=ask.prompt in CHECKED,
            until=state.turn_due,
        )

    def read(
        self, state: Deliberation, ask: Ask, prompt: Prompt, answer: Answer[Any], *, command_id: str, at: Millis
    ) -> Command:
        value, errors = checked(state, ask, answer.value)
        failed = _errors(state, ask, "tool_execution_failed", "tool", answer.failed_tools)
        fields: dict[str, Any] = {
            "command_id": command_id,
            "at": at,
            "model": answer.model,
            "prompt_hash": prompt.content_hash,
            "tool_errors": (*failed, *errors),
        }
        if (plan := getattr(value, "plan", None)) is not None:
            # All facts, so that two drafts do not agree on what the other half forbids.
            read = state.read.facts if state.read else ()
            choice, options = value.position.choice, state.options
            fields["findings"] = findings(plan, state.brief, read, choice, options=options, language=state.language)
        return _recorded(ask, value, fields)

    def fallback(self, state: Deliberation, ask: Ask, why: ModelError, *, command_id: str, at: Millis) -> Command:
        """Return the command without an answer: the last output stands, or code writes what is needed."""
        error = Error(
            error="agent_timeout" if isinstance(why, ModelTimeout) else "agent_failed",
            round=len(state.rounds),
            agent=speaker(ask).value,
            detail=type(why).__name__,
        )
        return _recorded(ask, None, {"command_id": command_id, "at": at, "error": error})


CHECKED: Final = frozenset({"plan", "draft", "revise", "criticise"})
"""Prompts whose answer is asked for once more where it lacks what it needs, and whose plan is held to every fact."""
WITH_TOOLS: Final = frozenset({"plan", "revise", "criticise"})


def _spoken(state: Deliberation) -> Language | None:
    """The language, where it is one that questions have a word for; else the brief's own tag tells it."""
    known: dict[str, Language] = {"zh": "zh", "en": "en"}
    return known.get(state.said_language.lower().replace("_", "-").partition("-")[0])


def speaker(ask: Ask) -> Agent:
    return Agent(ask.about) if ask.prompt == "close" else SPEAKERS[ask.prompt]


def _given(state: Deliberation, ask: Ask) -> Given:
    match ask.prompt:
        case "brief":
            return read_given(state)
        case "plan" | "draft":
            return draft_given(state, speaker(ask))
        case "revise":
            return revise_given(state)
        case "criticise":
            return criticise_given(state)
        case "host":
            return host_given(state, int(ask.about))
        case "close":
            return close_given(state, speaker(ask))
        case "report":
            return report_given(state)
        case "reply":
            return reply_given(state, ask.about)
    raise KeyError(f"no prompt of a deliberation is called {ask.prompt!r}")


def _recorded(ask: Ask, value: Any, fields: dict[str, Any]) -> Command:
    match ask.prompt:
        case "brief":
            return RecordBrief(answer=value, **fields)
        case "plan" | "draft" | "revise" | "criticise":
            return RecordPosition(agent=speaker(ask), round=asked_in(ask), answer=value, **fields)
        case "host":
            return RecordHostWords(round=int(ask.about), answer=value, **fields)
        case "close":
            return RecordClosing(agent=speaker(ask), answer=value, **fields)
        case "report":
            return RecordReport(answer=value, number=int(ask.about or 1), **fields)
        case "reply":
            return RecordReply(question_id=ask.about, answer=value, **fields)
    raise KeyError(f"no prompt of a deliberation is called {ask.prompt!r}")


def asked_in(ask: Ask) -> int:
    """The round that a position is asked for in: by the time it is answered, another one may have begun."""
    return int(ask.name.rpartition("-")[2])


# ── how answers are read ──────────────────────────────────────────────────────────────────────────────────────────


def checked(state: Deliberation, ask: Ask, value: Any) -> tuple[Any, tuple[Error, ...]]:
    """Return an answer as far as what it names exists and what it says may be shown, and an error for each kind of
    content that was withheld.
    """
    check = Check(_given_by_people(state), wording.language(state), LONGEST_OUTPUT)
    shown, kinds = check(value)  # before any text is cut, since half of a key would not be found any more
    return held(shown, known(state, speaker(ask))), _errors(state, ask, "content_withheld", "detail", kinds)


def _errors(state: Deliberation, ask: Ask, code: ErrorCode, field: str, said: Iterable[str]) -> tuple[Error, ...]:
    of: dict[str, Any] = {"error": code, "round": len(state.rounds), "agent": speaker(ask).value}
    return tuple(Error(**of | {field: each}) for each in said)


def _given_by_people(state: Deliberation) -> Iterable[str]:
    yield from texts_in(state.brief)
    yield from (each.text for each in state.points)


def known(state: Deliberation, agent: Agent) -> Known:
    """What the answer of an agent may name: what it was told."""
    facts = {each.fact_id: ArgumentKind.FACT.value for each in facts_told(state, agent)}
    said = {
        each.argument_id: each.kind.value for each in state.arguments.values() if each.kind is not ArgumentKind.FACT
    }
    said |= {option_id(place): "option" for place in range(len(state.options))}
    plans = (output.plan for each in state.rounds for output in each.outputs.values() if output.plan)
    return Known(
        people={each.person_id: each.name for each in state.brief.people},
        arguments=said | facts,
        options=state.options,
        texts=(state.brief.goal, *(each.text for each in state.brief.facts)),
        tasks=frozenset(each.task_id for each in state.brief.tasks)
        | {task.task_id for plan in plans for task in plan.tasks},
    )


def _faults(state: Deliberation, ask: Ask, value: Any) -> str:
    return faults(value, known(state, speaker(ask)), state.brief)
