"""What the Reporter hands over (seed 001, section 2.5)."""

from engine.deliberation import decision_record as deciding
from engine.deliberation.envelopes.fields import LONGEST_LIST, Level
from engine.deliberation.envelopes.outputs import ReporterMetadata, ReporterOutput
from engine.deliberation.envelopes.plan import Plan
from engine.deliberation.envelopes.report import Cost, DecisionSummary, FinalPlan, RejectedOption, ReportSummary
from engine.deliberation.plans import final_plan
from engine.deliberation.session_json import bounds
from engine.deliberation.session_json.plan import plan_of, schedule_of
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import DEBATERS, Agent, Reason
from engine.kernel import iso


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
        round=bounds.round_number(len(state.rounds)),
        output_type="report",
        content=bounds.text(report.content),
        metadata=ReporterMetadata(
            final_plan=FinalPlan(
                title=bounds.text(final.plan.title if final else state.brief.title),
                goal=bounds.text(final.plan.goal if final and final.plan.goal else state.brief.goal),
                consensus_level=consensus_level(state),
                participating_agents=tuple(each for each in DEBATERS if state.last_output(each)),
                rounds=bounds.round_number(state.spoken_rounds),
                plan=schedule_of(final.plan if final else None),
            ),
            summary=ReportSummary(
                key_agreements=bounds.texts(said.key_agreements),
                resolved_concerns=bounds.texts(said.resolved_concerns),
                remaining_uncertainties=bounds.texts(said.remaining_uncertainties),
                open_disagreements=bounds.texts(said.open_disagreements),
                dissent=bounds.texts(said.dissent),
                todo=bounds.texts(said.todo),
                decision_record=record_of(deciding.decision_record(state), cost),
            ),
        ),
        timestamp=iso(report.at),
    )


def record_of(record: deciding.DecisionRecord, cost: Cost | None = None) -> DecisionSummary:
    decided_by = {"requester": (record.decided_by,), "agents": DEBATERS, "nobody": ()}
    return DecisionSummary(
        decided=bounds.text(record.decided),
        decided_by=bounds.ids(decided_by[record.by]),
        arguments=bounds.texts(each.text for each in record.because),
        rejected=tuple(
            RejectedOption(option=bounds.text(each.argument.text), reason=bounds.text(each.why))
            for each in record.rejected[:LONGEST_LIST]
        ),
        assumptions=bounds.texts(record.assumptions),
        dissent=bounds.texts(record.dissent),
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
    title, goal = bounds.text(state.brief.title), bounds.text(state.brief.goal)
    return Plan(title=title, goal=goal, phases=(), total_estimated_hours=0)
