"""Makes what each prompt is given out of the state.

Everything has a bound. Where a long session would be told at more length than one question has room for, what is oldest
is left out first (`within_bounds`).
"""

import dataclasses
import json
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from engine.deliberation import wording
from engine.deliberation.answers import Critique, Plan
from engine.deliberation.closing.reporting import basis
from engine.deliberation.events import HostDecided
from engine.deliberation.given import (
    Addressed,
    ArgumentGiven,
    AskedGiven,
    BriefGiven,
    CloseGiven,
    CriticiseGiven,
    DraftGiven,
    FactGiven,
    FindingGiven,
    Given,
    HostGiven,
    Instructions,
    OptionGiven,
    OwnOutput,
    PersonGiven,
    ReadGiven,
    ReplyGiven,
    ReportGiven,
    ReviseGiven,
    SlotGiven,
)
from engine.deliberation.rounds.plan_check import option_id
from engine.deliberation.rounds.plans import final_plan, standing, unexplained_changes
from engine.deliberation.rounds.positions import standing_of
from engine.deliberation.rounds.turns import is_parallel
from engine.deliberation.state import Deliberation, Output, Status
from engine.deliberation.terms import DEBATERS, Agent, ArgumentKind, Brief
from engine.facts.shortening import shorten
from engine.kernel import HandedFact, HandedPerson, Message, plain
from engine.kernel.encoding import with_texts

# ── within a bound ────────────────────────────────────────────────────────────────────────────────────────────────────
# Keeps what one question is given within a bound: what is oldest is left out first, then what is longest is cut.


MOST_CHARACTERS: Final = 80_000
"""Of what one question is given of its session, besides the brief, as it is sent: about 20,000 tokens of English."""
LONGEST_OLD_CONTENT: Final = 600
"""Characters of what an agent said to people, where there is no room for more of it."""
SHORTER: Final = (240, 120, 60)
"""Characters to which every text is cut, one after the other, where nothing else is left to leave out."""

Session = TypeVar("Session", ReviseGiven, CriticiseGiven, CloseGiven, ReplyGiven)


def within_bounds(given: Session, most: int = MOST_CHARACTERS) -> Session:
    """Return what a question is given, shortened as far as it must be."""
    length = characters(given)
    for shorter in _steps(given):
        if length <= most:
            break
        given = shorter(given)
        length = characters(given)
    return given


def characters(given: Given) -> int:
    """How long the values of a question are as they are sent, without the brief."""
    values = (value for name, value in given.values().items() if name != "brief")
    return sum(len(json.dumps(plain(each), ensure_ascii=False, indent=2)) for each in values)


def _steps(given: Any) -> Iterator[Callable[[Any], Any]]:
    for number in sorted({each.round for each in given.arguments}):
        yield _without_arguments_until(number)
    for name in ("own", "other"):
        if getattr(given, name, None) is not None:
            yield _changed(name, _short_content)
    for name in ("own", "other"):
        if getattr(given, name, None) is not None:
            yield _changed(name, _without_details)
    for most in SHORTER:
        yield _cut_to(most)


def _without_arguments_until(number: int) -> Callable[[Any], Any]:
    """Leave out the arguments of the first rounds, but for those that the latest outputs or the Host name."""

    def shortened(given: Any) -> Any:
        named = {*_named(given)}
        kept = tuple(each for each in given.arguments if each.round > number or each.argument_id in named)
        return dataclasses.replace(given, arguments=kept)

    return shortened


def _named(given: Any) -> Iterator[str]:
    for output in filter(None, (getattr(given, name, None) for name in ("own", "other"))):
        yield from (*output.suggestion_ids, *output.risk_ids, *output.position.because)
    if (instructions := getattr(given, "instructions", None)) is not None:
        yield from (each.argument for each in instructions.must_address)


def _changed(name: str, change: Callable[[OwnOutput], OwnOutput]) -> Callable[[Any], Any]:
    return lambda given: dataclasses.replace(given, **{name: change(getattr(given, name))})


def _short_content(output: OwnOutput) -> OwnOutput:
    return replace(output, content=shorten(output.content, LONGEST_OLD_CONTENT))


def _without_details(output: OwnOutput) -> OwnOutput:
    """Leave out of a plan what neither dates, hours, owners nor dependencies need."""
    return replace(output, plan=output.plan and _plain_plan(output.plan))


def _plain_plan(plan: Plan) -> Plan:
    return replace(
        plan,
        phases=tuple(
            replace(
                phase,
                tasks=tuple(
                    replace(task, tags=(), expected_output="", acceptance_criteria=(), because=())
                    for task in phase.tasks
                ),
            )
            for phase in plan.phases
        ),
    )


def _cut_to(most: int) -> Callable[[Any], Any]:
    def change(text: str) -> str:
        return shorten(text, most)

    def told(each: FactGiven | ArgumentGiven) -> FactGiven | ArgumentGiven:
        return replace(each, text=change(each.text))

    def with_short_texts(given: Any) -> Any:
        changed: dict[str, Any] = {}
        for name, value in given.values().items():
            match value:
                case OwnOutput():
                    changed[name] = replace(
                        value,
                        position=with_texts(value.position, change),
                        plan=value.plan and with_texts(value.plan, change),
                        critique=value.critique and with_texts(value.critique, change),
                    )
                case tuple() if name in ("facts", "arguments"):
                    changed[name] = tuple(map(told, value))
                case Message() if name in ("plan", "critique"):
                    changed[name] = with_texts(value, change)
        return dataclasses.replace(given, **changed)

    return with_short_texts


# ── from half of the facts ────────────────────────────────────────────────────────────────────────────────────────────
# Which facts the Planner and the Critic start from: each from half, so that what only one of them knows comes out first
# and is argued for, and does not drown in what both know.


def half(brief: Brief, agent: Agent) -> tuple[HandedFact, ...]:
    """Return what an agent is told in a blind first round: every second fact of each kind, in their order.

    Together both halves are all of them, and none is in both.
    """
    counted: dict[str, int] = {}
    turn = 0 if agent is Agent.PLANNER else 1
    kept: list[HandedFact] = []
    for fact in brief.facts:
        # A kind of which there is one alone goes to each in turn as well.
        number = counted[fact.kind] = counted.get(fact.kind, len(counted) - 1) + 1
        if number % 2 == turn:
            kept.append(fact)
    return tuple(kept)


# ── what each prompt is given ─────────────────────────────────────────────────────────────────────────────────────────


LONGEST_FACT: Final = 400
"""Characters."""
LONGEST_ARGUMENT: Final = 400
LONGEST_POINT_TOLD: Final = 600
LONGEST_BACKGROUND: Final = 240
"""Characters of what somebody brings, and of what an agreed task brings about."""
MOST_ARGUMENTS: Final = 80
"""The newest ones."""
MOST_PEOPLE: Final = 40
MOST_AGREED_TASKS: Final = 40
MOST_ASKED: Final = 6
"""Questions to the Critic; the newest ones."""
MOST_ADDRESSED: Final = 40
"""People's objections first."""


# ── the brief ─────────────────────────────────────────────────────────────────────────────────────────────────────


def brief_given(state: Deliberation) -> BriefGiven:
    brief = state.brief
    return BriefGiven(
        title=brief.title,
        goal=brief.goal,
        today=brief.today,
        starts=brief.starts,
        ends=brief.ends,
        language=state.said_language,
        options=options_given(state),
        people=tuple(map(_person, brief.people[:MOST_PEOPLE])),
        tasks=tuple(
            replace(
                each,
                title=shorten(each.title, LONGEST_BACKGROUND),
                expected_output=shorten(each.expected_output, LONGEST_BACKGROUND),
                acceptance=tuple(shorten(one, LONGEST_BACKGROUND) for one in each.acceptance[:3]),
            )
            for each in brief.tasks[:MOST_AGREED_TASKS]
        ),
    )


def options_given(state: Deliberation) -> tuple[OptionGiven, ...]:
    return tuple(OptionGiven(option_id=option_id(place), label=each) for place, each in enumerate(state.options))


def read_given(state: Deliberation) -> ReadGiven:
    facts = (
        FactGiven(
            fact_id=each.fact_id, kind=each.kind, text=shorten(each.text, LONGEST_FACT), by=name_of(state, each.by)
        )
        for each in state.brief.facts
    )
    return ReadGiven(brief=brief_given(state), facts=tuple(facts))


def _person(handed: HandedPerson) -> PersonGiven:
    return PersonGiven(
        person_id=handed.person_id,
        name=handed.name,
        role=shorten(handed.role, LONGEST_BACKGROUND),
        brings=shorten(handed.brings, LONGEST_BACKGROUND),
        hours=handed.hours,
    )


def facts_told(state: Deliberation, agent: Agent) -> tuple[HandedFact, ...]:
    """Return what an agent knows in this round of what people said: half of it while it takes its position blind."""
    is_blind = agent in DEBATERS and state.status is Status.ARGUING and is_parallel(state)
    return half(state.brief, agent) if is_blind else state.brief.facts


def facts_given(state: Deliberation, agent: Agent) -> tuple[FactGiven, ...]:
    return tuple(
        FactGiven(
            fact_id=each.fact_id,
            kind=each.kind,
            text=shorten(each.text, LONGEST_FACT),
            by=name_of(state, each.by),
        )
        for each in facts_told(state, agent)
    )


def _new_facts(state: Deliberation, agent: Agent) -> tuple[str, ...]:
    """Return the ids of the facts that only the other one knew before, where the agent has not spoken since."""
    if state.policy.start != "blind" or not _first_told_all(state, agent):
        return ()
    knew = {each.fact_id for each in half(state.brief, agent)}
    return tuple(each.fact_id for each in facts_told(state, agent) if each.fact_id not in knew)


def _first_told_all(state: Deliberation, agent: Agent) -> bool:
    """Whether an agent that took a position blind has not spoken since it may know everything."""
    last = state.last_output(agent)
    return len(state.rounds) > 1 and last is not None and last.round == 1


def name_of(state: Deliberation, who: str) -> str:
    """Return the name of somebody, by a user's or a person's id. No model is told the id of a user."""
    found = next((each for each in state.brief.people if who and who in (each.user_id, each.person_id)), None)
    if found is not None:
        return found.name
    return "whoever asked for the plan" if who and who == state.requester_id else ""


# ── what was said ─────────────────────────────────────────────────────────────────────────────────────────────────


def arguments_given(state: Deliberation) -> tuple[ArgumentGiven, ...]:
    """Return the newest arguments, oldest first, besides the facts, which are told by themselves."""
    said = [each for each in state.arguments.values() if each.kind is not ArgumentKind.FACT]
    return tuple(
        ArgumentGiven(
            argument_id=each.argument_id,
            kind=each.kind.value,
            text=shorten(each.text, LONGEST_ARGUMENT),
            by=each.by if each.by in _AGENTS else name_of(state, each.by),
            round=each.round,
            severity=each.severity,
        )
        for each in said[-MOST_ARGUMENTS:]
    )


_AGENTS: Final = frozenset(each.value for each in Agent)


def output_given(output: Output) -> OwnOutput:
    return OwnOutput(
        round=output.round,
        content=output.content,
        position=output.position,
        plan=output.plan,
        critique=output.critique,
        suggestion_ids=output.suggestion_ids,
        risk_ids=output.risk_ids,
    )


def findings_given(state: Deliberation) -> tuple[FindingGiven, ...]:
    """Return what code found wrong with the plan that is argued about."""
    made = standing(state)
    if made is None:
        return ()
    return tuple(
        FindingGiven(argument=argument, severity=each.severity, text=each.text, task_id=each.task_id)
        for argument, each in zip(made.finding_ids, made.findings, strict=True)
    )


# ── what the Host asks ────────────────────────────────────────────────────────────────────────────────────────────


def instructions_given(state: Deliberation, agent: Agent) -> Instructions:
    decided, new, asked = last_decision(state), _new_facts(state, agent), tuple(_asked(state, agent))
    if decided is None:
        return Instructions(new_facts=new, must_address=tuple(_open_points(state, agent)), asked=asked)
    return Instructions(
        new_facts=new,
        must_address=_addressed(state, agent, decided),
        avoid=tuple(shorten(each, LONGEST_ARGUMENT) for each in decided.avoid),
        must_move=agent in decided.stubborn,
        opposes=decided.opposes is agent,
        asked=asked,
        unexplained=tuple(_unexplained(state, agent)),
    )


def _unexplained(state: Deliberation, agent: Agent) -> Iterator[str]:
    """What an agent changed when it last spoke, without naming an argument."""
    outputs = [each.outputs[agent] for each in state.rounds if agent in each.outputs]
    if len(outputs) > 1:
        for change in unexplained_changes(*outputs[-2:]):
            yield wording.unexplained(agent, change, wording.language(state))


def last_decision(state: Deliberation) -> HostDecided | None:
    """Return what the Host decided before this round."""
    return next((each.decision for each in reversed(state.rounds) if each.decision), None)


def _addressed(state: Deliberation, agent: Agent, decided: HostDecided) -> tuple[Addressed, ...]:
    """Return people's objections first, by name, then what the Host wants addressed, each thing once."""
    points = {each.argument: each for each in _open_points(state, agent)}
    named = {
        each: state.arguments[each] for each in decided.arguments if each in state.arguments and each not in points
    }
    told = {state.arguments[each].text for each in (*points, *named)}
    told.update(text for each in DEBATERS for text in _unexplained(state, each))
    besides = dict.fromkeys(each for each in decided.must_address if each not in told)
    return (
        *points.values(),
        *(Addressed(argument=each, text=shorten(said.text, LONGEST_ARGUMENT)) for each, said in named.items()),
        *(Addressed(text=shorten(each, LONGEST_ARGUMENT)) for each in besides),
    )[:MOST_ADDRESSED]


def _open_points(state: Deliberation, agent: Agent) -> Iterator[Addressed]:
    """Objections that an agent has not answered yet."""
    for each in state.points:
        if agent not in each.answers:
            by = name_of(state, each.by) or "somebody who takes part"
            yield Addressed(argument=each.point_id, text=shorten(each.text, LONGEST_POINT_TOLD), by=by)


def _asked(state: Deliberation, agent: Agent) -> Iterator[AskedGiven]:
    """What people have asked the Critic since an agent spoke."""
    last = state.last_output(agent)
    for each in state.questions[-MOST_ASKED:]:
        if last is None or each.at >= last.at:
            yield AskedGiven(
                question=shorten(each.text, LONGEST_POINT_TOLD),
                by=name_of(state, each.by) or "somebody who takes part",
                reply=shorten(each.reply or "", LONGEST_POINT_TOLD),
            )


# ── each question ─────────────────────────────────────────────────────────────────────────────────────────────────


def draft_given(state: Deliberation, agent: Agent) -> DraftGiven:
    return DraftGiven(brief=brief_given(state), facts=facts_given(state, agent))


def revise_given(state: Deliberation) -> ReviseGiven:
    own, other = state.last_output(Agent.PLANNER), state.last_output(Agent.CRITIC)
    assert own is not None, "nothing to revise"  # noqa: S101 - who has no plan is asked for a first one
    return within_bounds(
        ReviseGiven(
            brief=brief_given(state),
            facts=facts_given(state, Agent.PLANNER),
            own=output_given(own),
            other=output_given(other) if other else None,
            arguments=arguments_given(state),
            findings=findings_given(state),
            instructions=instructions_given(state, Agent.PLANNER),
            round=len(state.rounds),
            max_rounds=state.most_rounds,
        )
    )


def criticise_given(state: Deliberation) -> CriticiseGiven:
    own, other = state.last_output(Agent.CRITIC), state.last_output(Agent.PLANNER)
    assert other is not None, "nothing to criticise"  # noqa: S101 - without a plan the Critic makes its own draft
    return within_bounds(
        CriticiseGiven(
            brief=brief_given(state),
            facts=facts_given(state, Agent.CRITIC),
            own=output_given(own) if own else None,
            other=output_given(other),
            arguments=arguments_given(state),
            findings=findings_given(state),
            instructions=instructions_given(state, Agent.CRITIC),
            round=len(state.rounds),
            max_rounds=state.most_rounds,
        )
    )


def host_given(state: Deliberation, number: int) -> HostGiven:
    """
    Args:
        number: of the round after which it was decided; the next one may have begun.
    """
    held = state.rounds[number - 1]
    if held.decision is None:
        return _layout_given(state)
    spoken = wording.language(state)
    points = (each for each in state.points if each.point_id in held.decision.arguments)
    raised = {each.text: f"{name_of(state, each.by)}: {each.text}" for each in points if name_of(state, each.by)}
    told = dict.fromkeys(raised.get(each, each) for each in held.decision.must_address)
    return HostGiven(
        title=state.brief.title,
        tag=state.said_language,
        action=held.decision.action.value,
        reason=" ".join(wording.REASONS[each][spoken] for each in held.decision.reasons),
        level=round(100 * held.analysis.consensus_level) if held.analysis else 0,
        must_address=tuple(shorten(each, LONGEST_ARGUMENT) for each in told)[:MOST_TOLD],
        differences=tuple(wording.difference(state, each, spoken) for each in held.differences[:MOST_TOLD]),
    )


def _layout_given(state: Deliberation) -> HostGiven:
    found = standing_of(state)
    assert found is not None, "one of both has taken no position"  # noqa: S101 - only positions are laid out
    planner, critic = (
        tuple(SlotGiven(slot_id=each.slot_id, kind=each.kind, name=each.name, value=each.value) for each in side)
        for side in (found.planner, found.critic)
    )
    return HostGiven(
        title=state.brief.title,
        tag=state.said_language,
        action="lay_out",
        reason="",
        level=0,
        must_address=(),
        differences=(),
        planner=planner,
        critic=critic,
    )


MOST_TOLD: Final = 8
"""Of what the Host names."""


def close_given(state: Deliberation, agent: Agent) -> CloseGiven:
    own = state.last_output(agent)
    assert own is not None, "who has not spoken closes nothing"  # noqa: S101 - only who has spoken is asked
    return within_bounds(
        CloseGiven(
            brief=brief_given(state),
            role=agent.value,
            own=output_given(own),
            plan=_plan(state),
            arguments=arguments_given(state),
        )
    )


def report_given(state: Deliberation) -> ReportGiven:
    return ReportGiven(brief=brief_given(state), plan=_plan(state), basis=basis(state))


def reply_given(state: Deliberation, question_id: str) -> ReplyGiven:
    asked = next((each.text for each in state.questions if each.question_id == question_id), "")
    return within_bounds(
        ReplyGiven(
            brief=brief_given(state),
            facts=facts_given(state, Agent.CRITIC),
            plan=_plan(state),
            critique=latest_critique(state),
            arguments=arguments_given(state),
            question=asked,
        )
    )


def _plan(state: Deliberation) -> Plan:
    """The plan that it would end with now."""
    final = final_plan(state)
    return final.plan if final else NO_PLAN


NO_PLAN: Final = Plan(title="-")
"""Stands where nobody has made a plan yet."""


def latest_critique(state: Deliberation) -> Critique | None:
    output = state.last_output(Agent.CRITIC)
    return output.critique if output else None
