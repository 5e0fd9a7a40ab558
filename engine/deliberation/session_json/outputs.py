"""What each agent has said (seed 001, section 2)."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Final

from engine.deliberation import answers
from engine.deliberation.answers import LONGEST_OUTPUT
from engine.deliberation.closing import decision_record as deciding
from engine.deliberation.closing.reporting import outcome_of
from engine.deliberation.envelopes.fields import LONGEST_LIST, MOST_ROUNDS, Debater, Level
from engine.deliberation.envelopes.outputs import (
    MOST_PHASES,
    MOST_TASKS,
    AgentOutput,
    Constraints,
    ContinueInstruction,
    ContinueOrders,
    ConvergeInstruction,
    ConvergeOrders,
    Cost,
    CriticMetadata,
    CriticOutput,
    Critique,
    DecisionSummary,
    FinalPlan,
    Flaw,
    HostAnalysis,
    HostDecision,
    HostInstruction,
    HostMetadata,
    HostOutput,
    Move,
    OppositionInstruction,
    OppositionOrders,
    Phase,
    Plan,
    PlannedTask,
    PlannerMetadata,
    PlannerOutput,
    PointAnswer,
    PositionChanges,
    PositionMetadata,
    PositionOutput,
    PositionSummary,
    RejectedOption,
    ReporterMetadata,
    ReporterOutput,
    ReportSummary,
    Risk,
    Schedule,
    Slots,
    SlotValue,
    Suggestion,
    UpdateInstruction,
    ValidityCheck,
)
from engine.deliberation.events import HostDecided
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import Deliberation, Output, Round
from engine.deliberation.terms import DEBATERS, Action, Agent, Reason
from engine.deliberation.wording import REASONS, language
from engine.facts.language import Language
from engine.facts.shortening import shorten, without_surrogates
from engine.kernel import iso

LONGEST_ID: Final = 200


def text(said: str) -> str:
    return shorten(without_surrogates(said), LONGEST_OUTPUT)


def texts(said: Iterable[str]) -> tuple[str, ...]:
    return tuple(text(each) for each in said if each)[:LONGEST_LIST]


def an_id(said: str) -> str:
    return without_surrogates(said)[:LONGEST_ID]


def ids(said: Iterable[str]) -> tuple[str, ...]:
    return tuple(an_id(each) for each in said if each)[:LONGEST_LIST]


def day(said: str) -> str | None:
    """Return an ISO date as it is; None for anything else, which a model may have written."""
    try:
        return date.fromisoformat(said).isoformat()
    except ValueError:
        return None


def fraction(level: float) -> float:
    return float(min(1, max(0, level)))


def round_number(number: int) -> int:
    return min(MOST_ROUNDS, max(1, number))


HOURS: Final = "{:g} h"


def plan_of(plan: answers.Plan) -> Plan:
    scheduled = schedule_of(plan)
    return Plan(
        title=text(plan.title),
        goal=text(plan.goal),
        phases=scheduled.phases,
        total_estimated_hours=scheduled.total_estimated_hours,
    )


def schedule_of(plan: answers.Plan | None) -> Schedule:
    """A plan's phases; none where there is no plan."""
    if plan is None:
        return Schedule(phases=(), total_estimated_hours=0)
    return Schedule(
        phases=tuple(
            Phase(
                phase_name=text(each.phase_name),
                duration=text(each.duration),
                tasks=tuple(map(_task, each.tasks[:MOST_TASKS])),
            )
            for each in plan.phases[:MOST_PHASES]
        ),
        total_estimated_hours=plan.total_estimated_hours,
    )


def _task(task: answers.PlanTask) -> PlannedTask:
    return PlannedTask(
        title=text(task.title),
        estimated_hours=task.estimated_hours or None,
        deadline=day(task.deadline),
        tags=texts(task.tags),
        task_id=an_id(task.task_id),
        owner=an_id(task.owner),
        starts=day(task.starts),
        depends_on=ids(task.depends_on),
        expected_output=text(task.expected_output),
        acceptance_criteria=texts(task.acceptance_criteria),
        because=ids(task.because),
    )


# ── positions ─────────────────────────────────────────────────────────────────────────────────────────────────────


def position_of(state: Deliberation, output: Output) -> PositionSummary:
    """An agent's position, with what has changed since it spoke before."""
    said = output.position
    return PositionSummary(
        conclusion=text(said.conclusion),
        key_reasons=texts(said.key_reasons),
        assumptions=texts(said.assumptions),
        confidence=fraction(said.confidence),
        changes_from_last_round=_changes(output, _before(state, output)),
        uncertainties=texts(said.uncertainties),
        worst_case=text(said.worst_case),
        slots=_slots(output),
        because=ids(said.because),
    )


def _before(state: Deliberation, output: Output) -> Output | None:
    earlier = (each.outputs.get(output.agent) for each in reversed(state.rounds[: output.round - 1]))
    return next((each for each in earlier if each is not None), None)


def _changes(output: Output, before: Output | None) -> PositionChanges | None:
    if before is None:
        return None
    old, new = before.position, output.position
    delta = fraction(new.confidence) - fraction(old.confidence)
    return PositionChanges(
        conclusion_changed=(old.conclusion, old.decision, old.choice) != (new.conclusion, new.decision, new.choice),
        reasons_added=texts(each for each in new.key_reasons if each not in old.key_reasons),
        confidence_delta=round(delta, 4),
    )


def _slots(output: Output) -> Slots:
    """Those that the position names, and where it names none those of its plan's tasks."""
    tasks, held = output.plan.tasks if output.plan else (), output.position
    hours = ((each.title, HOURS.format(each.estimated_hours)) for each in tasks if each.estimated_hours)
    named = [(each.name, each.day) for each in held.dates] or [(each.title, _span(each)) for each in tasks]
    owners = [(each.name, each.person_id) for each in held.owners] or [(each.title, each.owner) for each in tasks]
    return Slots(
        decision=held.decision,
        choice=text(held.choice),
        dates=_values(named),
        quantities=_values([(each.name, f"{each.number:g}") for each in held.quantities] or hours),
        owners=_values(owners),
    )


def _span(task: answers.PlanTask) -> str:
    starts, deadline = day(task.starts), day(task.deadline)
    return f"{starts}/{deadline}" if starts and deadline else deadline or ""


def _values(named: Iterable[tuple[str, str]]) -> tuple[SlotValue, ...]:
    found: Iterator[SlotValue] = (SlotValue(name=text(name), value=text(value)) for name, value in named if value)
    return tuple(found)[:LONGEST_LIST]


# ── what moved it ─────────────────────────────────────────────────────────────────────────────────────────────────


def moves_of(output: Output) -> tuple[Move, ...]:
    return tuple(
        Move(
            slot=each.slot,
            task_id=an_id(each.task_id),
            argument=an_id(each.argument),
            why=text(each.why),
        )
        for each in output.moves[:LONGEST_LIST]
    )


def answers_of(output: Output) -> tuple[PointAnswer, ...]:
    return tuple(
        PointAnswer(argument=an_id(each.argument), answer=text(each.answer)) for each in output.answers[:LONGEST_LIST]
    )


def flaws_of(output: Output) -> tuple[Flaw, ...]:
    return tuple(Flaw(argument=an_id(each.argument), flaw=text(each.flaw)) for each in output.flaws[:LONGEST_LIST])


AT_WORST: Final[Mapping[Language, str]] = {"en": "At worst: {worst}", "zh": "最坏情况：{worst}"}


def debaters_outputs(state: Deliberation, of: Round) -> Iterator[AgentOutput]:
    for agent in DEBATERS:
        if agent in of.outputs:
            yield debater_output(state, of.outputs[agent])


def debater_output(state: Deliberation, said: Output) -> PlannerOutput | CriticOutput | PositionOutput:
    """A plan, a critique, or, where it has neither, a position by itself."""
    position = position_of(state, said)
    number, content, timestamp = round_number(said.round), text(said.content), iso(said.at)
    if said.agent is Agent.PLANNER and said.plan is not None:
        return PlannerOutput(
            agent_id=Agent.PLANNER,
            round=number,
            output_type="plan",
            content=content,
            metadata=PlannerMetadata(
                position=position,
                plan=plan_of(said.plan),
                moves=moves_of(said),
                answers=answers_of(said),
                flaws=flaws_of(said),
            ),
            timestamp=timestamp,
        )
    if said.agent is Agent.CRITIC and said.critique is not None:
        return CriticOutput(
            agent_id=Agent.CRITIC,
            round=number,
            output_type="critique",
            content=content,
            metadata=CriticMetadata(
                position=position,
                critique=_critique(state, said),
                plan=plan_of(said.plan) if said.plan else None,
            ),
            timestamp=timestamp,
        )
    return PositionOutput(
        agent_id=Agent.PLANNER if said.agent is Agent.PLANNER else Agent.CRITIC,
        round=number,
        output_type="position",
        content=content,
        metadata=PositionMetadata(position=position),
        timestamp=timestamp,
    )


def _critique(state: Deliberation, said: Output) -> Critique:
    assert said.critique is not None  # noqa: S101 - whoever calls has looked
    heard = (each.number for each in reversed(state.rounds[: said.round]) if Agent.PLANNER in each.outputs)
    check = said.critique.validity_check
    risks, suggestions = said.critique.risks[:LONGEST_LIST], said.critique.suggestions[:LONGEST_LIST]
    return Critique(
        target_agent=Agent.PLANNER,
        target_round=round_number(next(heard, said.round)),
        risks=tuple(
            Risk(
                risk=text(each.risk),
                severity=each.severity,
                impact=text(each.impact),
                argument_id=_at(said.risk_ids, place),
            )
            for place, each in enumerate(risks)
        ),
        suggestions=tuple(
            Suggestion(
                issue=text(each.issue),
                solution=text(each.solution),
                priority=each.priority,
                argument_id=_at(said.suggestion_ids, place),
            )
            for place, each in enumerate(suggestions)
        ),
        validity_check=ValidityCheck(feasible=check.feasible, realistic=check.realistic, complete=check.complete),
        moves=moves_of(said),
        answers=answers_of(said),
        flaws=flaws_of(said),
    )


def _at(listed: tuple[str, ...], place: int) -> str:
    return an_id(listed[place]) if place < len(listed) else ""


# ── before the report ─────────────────────────────────────────────────────────────────────────────────────────────


def closing_outputs(state: Deliberation) -> Iterator[PositionOutput]:
    """What each agent still does not know, and the worst that can happen: its last position, once more with both."""
    if state.closing is None or state.is_argued:
        return
    for agent in DEBATERS:
        stated, last = state.closing.stated.get(agent), state.last_output(agent)
        if stated is None or last is None:
            continue
        uncertainties, worst = stated
        position = position_of(state, last).model_copy(
            update={"uncertainties": texts(uncertainties), "worst_case": text(worst)}
        )
        yield PositionOutput(
            agent_id=Agent.PLANNER if agent is Agent.PLANNER else Agent.CRITIC,
            round=round_number(len(state.rounds)),
            output_type="position",
            content=stated_in_words(state, uncertainties, worst),
            metadata=PositionMetadata(position=position),
            timestamp=iso(state.closing.at),
        )


def stated_in_words(state: Deliberation, uncertainties: tuple[str, ...], worst: str) -> str:
    lines = [f"- {each}" for each in uncertainties if each]
    if worst:
        lines.append(f"- {AT_WORST[language(state)].format(worst=worst)}")
    return text("\n".join(lines))


def reporter_output(state: Deliberation, cost: Cost | None = None) -> ReporterOutput | None:
    """
    Args:
        cost: of all model calls; None where nobody has counted them.

    Returns:
        None while there is no report, or the one of before is to be written anew.
    """
    report = state.report
    if report is None or state.is_open:
        return None
    said = report.summary
    final = final_plan(state)
    return ReporterOutput(
        agent_id=Agent.REPORTER,
        round=round_number(len(state.rounds)),
        output_type="report",
        content=text(report.content),
        metadata=ReporterMetadata(
            final_plan=FinalPlan(
                title=text(final.plan.title if final else state.brief.title),
                goal=text(final.plan.goal if final and final.plan.goal else state.brief.goal),
                consensus_level=consensus_level(state),
                participating_agents=tuple(each for each in DEBATERS if state.last_output(each)),
                rounds=round_number(state.spoken_rounds),
                plan=schedule_of(final.plan if final else None),
            ),
            summary=ReportSummary(
                key_agreements=texts(said.key_agreements),
                resolved_concerns=texts(said.resolved_concerns),
                remaining_uncertainties=texts(said.remaining_uncertainties),
                open_disagreements=texts(said.open_disagreements),
                dissent=texts(said.dissent),
                todo=texts(said.todo),
                decision_record=record_of(deciding.decision_record(state), cost),
            ),
        ),
        timestamp=iso(report.at),
    )


def record_of(record: deciding.DecisionRecord, cost: Cost | None = None) -> DecisionSummary:
    decided_by = {"requester": (record.decided_by,), "agents": DEBATERS, "nobody": ()}
    return DecisionSummary(
        decided=text(record.decided),
        decided_by=ids(decided_by[record.by]),
        arguments=texts(each.text for each in record.because),
        rejected=tuple(
            RejectedOption(option=text(each.argument.text), reason=text(each.why))
            for each in record.rejected[:LONGEST_LIST]
        ),
        assumptions=texts(record.assumptions),
        dissent=texts(record.dissent),
        cost=cost,
    )


def consensus_level(state: Deliberation) -> Level:
    """How alike the positions were at last, by the limits that the Host decides by; high where both agreed."""
    if state.reason in (Reason.AGREED, Reason.EARLY_AGREEMENT):
        return "high"
    level = state.trend[-1] if state.trend else 0.0
    if level > state.policy.converge_above:
        return "high"
    return "medium" if level > state.policy.oppose_at else "low"


def final_plan_of(state: Deliberation) -> Plan:
    """The plan that it ends with, or would end with now; without phases where there is none."""
    final = final_plan(state)
    if final is not None:
        return plan_of(final.plan)
    title, goal = text(state.brief.title), text(state.brief.goal)
    return Plan(title=title, goal=goal, phases=(), total_estimated_hours=0)


LIST_DOUBTS: Final[Mapping[Language, str]] = {
    "en": "List the remaining uncertainties and the worst case.",
    "zh": "列出剩余不确定性和最坏情况",
}
OPPOSE: Final[Mapping[Language, str]] = {
    "en": "Argue from the opposite side only, and do not repeat earlier points.",
    "zh": "仅从反方角度论证，不引用之前观点",
}
STUBBORN: Final[Mapping[Language, str]] = {
    "en": "self_similarity > {limit:g} in 2 rounds running",
    "zh": "连续2轮self_similarity > {limit:g}",
}
MOVE: Final[Mapping[Language, str]] = {
    "en": "Do at least one of these: change a key assumption, lower the confidence, point out a flaw in the other's "
    "logic.",
    "zh": "必须完成以下至少一项：修改关键假设、降低置信度、指出对方逻辑漏洞",
}


def host_output(state: Deliberation, of: Round) -> HostOutput | None:
    """The Host's decision after a round, and, where the session ended in the middle of it, that; else None."""
    if of.decision is not None:
        return _output(state, of, decision_of(state, of.decision), of.decision.at)
    closing = state.closing
    if closing is None or state.is_argued or of.number != len(state.rounds):
        return None
    decision = HostDecision(
        action=Action.CONVERGE if outcome_of(state) == "agreed" else Action.TERMINATE,
        reason=reasons_in_words(state, (closing.reason,)),
        next_agents=(Agent.REPORTER,),
        constraints=Constraints(must_address=(), avoid=()),
    )
    return _output(state, of, decision, closing.at)


def _output(state: Deliberation, of: Round, decision: HostDecision, at: int) -> HostOutput:
    return HostOutput(
        agent_id=Agent.HOST,
        round=round_number(of.number),
        output_type="control",
        content=text(of.host_words) or decision.reason,
        metadata=HostMetadata(decision=decision, analysis=_analysis(of)),
        timestamp=iso(at),
    )


def decision_of(state: Deliberation, decided: HostDecided) -> HostDecision:
    return HostDecision(
        action=decided.action,
        reason=reasons_in_words(state, decided.reasons),
        next_agents=decided.next_agents[: len(Agent)],
        constraints=Constraints(
            must_address=texts(decided.must_address),
            avoid=texts(decided.avoid),
        ),
    )


def reasons_in_words(state: Deliberation, reasons: tuple[Reason, ...]) -> str:
    spoken = language(state)
    said = [REASONS[each][spoken] for each in reasons]
    return "".join(said) if spoken == "zh" else " ".join(said)


def _analysis(of: Round) -> HostAnalysis | None:
    """How alike both are. The matrix is of the Planner's and the Critic's latest positions."""
    found = of.analysis
    if found is None:
        return None
    level = fraction(found.consensus_level)
    is_of_two = len(found.matrix) == len(DEBATERS) and len(found.matrix[0]) == len(DEBATERS)
    alike = fraction(found.matrix[0][1]) if is_of_two else level
    return HostAnalysis(
        consensus_level=level,
        similarity_matrix=((1.0, alike), (alike, 1.0)),
        most_different_pair=(0, 1),
        stubborn_agents=of.decision.stubborn if of.decision else (),
    )


# ── instructions ──────────────────────────────────────────────────────────────────────────────────────────────────


def instructions(state: Deliberation) -> tuple[HostInstruction, ...]:
    """Return what the Host's latest decision tells the next speaker; empty before the first decision."""
    decided = next((each.decision for each in reversed(state.rounds) if each.decision), None)
    return tuple(instructions_of(state, decided)) if decided else ()


def instructions_of(state: Deliberation, decided: HostDecided) -> Iterator[HostInstruction]:
    spoken = language(state)
    match decided.action:
        case Action.CONVERGE:
            orders = ConvergeOrders(to_all_agents=LIST_DOUBTS[spoken], next_step="reporter_summary")
            yield ConvergeInstruction(action="converge", instructions=orders)
        case Action.CONTINUE:
            left = max(1, state.most_rounds - decided.round)
            focus = texts(decided.must_address)
            yield ContinueInstruction(
                action="continue",
                instructions=ContinueOrders(to_agents=decided.next_agents, focus_on=focus, rounds_remaining=left),
            )
        case Action.FORCE_OPPOSITION:
            # The plan is the Planner's, and whoever opposes it argues against that.
            target: Debater = Agent.CRITIC if decided.opposes is Agent.PLANNER else Agent.PLANNER
            against = OppositionOrders(role="devils_advocate", requirement=OPPOSE[spoken], target=target)
            yield OppositionInstruction(action="force_opposition", instructions=against)
        case Action.TERMINATE:
            pass
    yield from (_update(state, each, spoken) for each in decided.stubborn)


def _update(state: Deliberation, agent: Agent, spoken: Language) -> UpdateInstruction:
    return UpdateInstruction(
        action="update_command",
        target_agent=Agent.PLANNER if agent is Agent.PLANNER else Agent.CRITIC,
        reason=STUBBORN[spoken].format(limit=state.policy.stubborn_above),
        requirement=MOVE[spoken],
    )
