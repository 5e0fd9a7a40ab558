"""A deliberation for programs: JSON of a shape that stays."""

from datetime import date

from bot.texts import Texts
from bot.views.deliberation.export.shape import Brief, Choice, Export, Fact, FinalPlan, Person, Point, Question
from bot.views.kit.export.ics import Entry, calendar_file, one_line
from engine.deliberation import terms
from engine.deliberation.answers import Plan, PlanTask
from engine.deliberation.closing.decision_record import decision_record
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.session_json.outputs import plan_of
from engine.deliberation.session_json.session import session_state
from engine.deliberation.state import Deliberation
from engine.kernel import iso


def as_json(state: Deliberation) -> str:
    return exported(state).model_dump_json(indent=2) + "\n"


def exported(state: Deliberation) -> Export:
    choice = state.choice
    return Export(
        asked_by=state.requester_id,
        brief=_brief(state.brief),
        plan=_final_plan(state),
        points=tuple(
            Point(point_id=each.point_id, by=each.by, text=each.text, answers=dict(each.answers))
            for each in state.points
        ),
        questions=tuple(
            Question(question_id=each.question_id, by=each.by, text=each.text, reply=each.reply or None)
            for each in state.questions
        ),
        choice=Choice(by=choice.by, chosen=choice.chosen, why=choice.why, at=iso(choice.at)) if choice else None,
        decision_record=decision_record(state),
        session=session_state(state),
    )


def _brief(brief: terms.Brief) -> Brief:
    return Brief(
        title=brief.title,
        goal=brief.goal,
        origin=brief.origin or None,
        time_zone=brief.time_zone,
        starts=brief.starts or None,
        ends=brief.ends or None,
        options=brief.options,
        people=tuple(
            Person(
                person_id=each.person_id,
                user_id=each.user_id or None,
                name=each.name,
                role=each.role,
                brings=each.brings,
                hours=each.hours,
            )
            for each in brief.people
        ),
        facts=tuple(
            Fact(fact_id=each.fact_id, kind=each.kind, text=each.text, by=each.by or None) for each in brief.facts
        ),
    )


def _final_plan(state: Deliberation) -> FinalPlan | None:
    final = final_plan(state)
    if final is None:
        return None
    return FinalPlan(by=final.by, round=final.round, is_valid=final.is_valid, plan=plan_of(final.plan))


def calendar(state: Deliberation, texts: Texts) -> bytes:
    """An event for each task that has a deadline. The same plan gives the same bytes."""
    entries = [_entry(state, each, day) for each in _tasks(state) if (day := _day(each))]
    return calendar_file(state.brief.title, entries, undated(state), state.updated_at, texts)


def undated(state: Deliberation) -> list[str]:
    """The tasks without a day by which they are done."""
    return [one_line(each.title) for each in _tasks(state) if _day(each) is None]


def has_days(state: Deliberation) -> bool:
    return any(_day(each) for each in _tasks(state))


def _tasks(state: Deliberation) -> tuple[PlanTask, ...]:
    final = final_plan(state)
    plan: Plan | None = final.plan if final else None
    return plan.tasks if plan else ()


def _day(task: PlanTask) -> date | None:
    """None where a model wrote no date."""
    try:
        return date.fromisoformat(task.deadline)
    except ValueError:
        return None


def _entry(state: Deliberation, task: PlanTask, day: date) -> Entry:
    names = {each.person_id: each.name or each.person_id for each in state.brief.people}
    owner = names.get(task.owner, task.owner)
    details = (owner, task.expected_output, *task.acceptance_criteria, state.brief.title)
    return Entry(f"{state.session_id}-{task.task_id}", day, task.title, details)
