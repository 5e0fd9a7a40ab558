"""A plan as people read it: its phases and tasks."""

from bot.texts import Texts
from bot.views.deliberation.names import agent_name, person_name
from bot.views.deliberation.positions import differences
from bot.views.deliberation.values import day_text, listed
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import Fit, bold
from engine.deliberation.answers import Plan, PlanPhase, PlanTask
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import Deliberation

FEW_TASKS = 6
"""Of more tasks, a click shows what they bring about."""


def phases(state: Deliberation, plan: Plan, texts: Texts, fit: Fit) -> list[Block]:
    """A list a phase, of all its tasks: as many are told as `total_line` counts."""
    return [block for phase in plan.phases for block in _phase(state, plan, phase, texts, fit)]


def _phase(state: Deliberation, plan: Plan, phase: PlanPhase, texts: Texts, fit: Fit) -> list[Block]:
    duration = fit.line(phase.duration, 60)
    title = bold(fit.line(phase.phase_name, 120)) + (f" · {duration}" if duration else "")
    lines = [task_line(state, plan, each, texts, fit) for each in phase.tasks]
    if len(plan.phases) == 1 and phase.phase_name == state.brief.title and not duration and lines:
        return blocks.titled_list(lines[0], lines[1:]) or [blocks.section(lines[0])]  # the card above has that title
    return blocks.titled_list(title, lines)


def task_line(state: Deliberation, plan: Plan, task: PlanTask, texts: Texts, fit: Fit) -> str:
    days = [day_text(each, state, texts, fit) for each in (task.starts, task.deadline) if each]
    when = " – ".join(dict.fromkeys(days))
    hours = texts.say("{n} h", n=f"{task.estimated_hours:g}") if task.estimated_hours else ""
    titles = {each.task_id: each.title for each in plan.tasks}
    known = [titles[each] for each in task.depends_on if each in titles]
    after = [f"“{fit.line(each, 60)}”" for each in fit.first(known, 2)]
    waits = texts.say("after {tasks}", tasks=texts.say(", ").join(after)) if after else ""
    nobody = texts.say("nobody yet") if state.brief.people else ""
    owner = person_name(state, task.owner, fit) or nobody
    facts = " · ".join(each for each in (owner, when, hours, waits) if each)
    output = fit.line(task.expected_output, 160) if task.expected_output != task.title else ""
    if output and len(plan.tasks) > FEW_TASKS and not fit.only_whole():
        output = ""
    title = fit.line(task.title, 160)
    return f"• {title}" + (f" – {facts}" if facts else "") + (f"\n    ↳ {output}" if output else "")


def total_line(plan: Plan, texts: Texts) -> str:
    """How many tasks and hours; empty for a plan without tasks."""
    if not plan.tasks:
        return ""
    tasks = texts.count("{n} task", "{n} tasks", len(plan.tasks))
    hours = plan.total_estimated_hours
    return f"{tasks} · " + texts.say("{n} h in all", n=f"{hours:g}") if hours else tasks


def plan_as_it_stands(state: Deliberation, texts: Texts, fit: Fit) -> list[Block]:
    """Return a line for each task; nothing before anybody has made a plan."""
    final = final_plan(state)
    if final is None or not final.plan.tasks:
        return []
    title = texts.say("*Who does what*")
    if state.is_open:
        who = agent_name(final.by, texts)
        title = texts.say("*The plan as it stands*, by the {who} in round {round}", who=who, round=final.round)
    lines = [_line(state, each, texts, fit) for each in final.plan.tasks]
    return [*blocks.titled_list(title, lines), *blocks.sections([_missing(state, final.plan, texts, fit)])]


def _line(state: Deliberation, task: PlanTask, texts: Texts, fit: Fit) -> str:
    days = [day_text(each, state, texts, fit) for each in (task.starts, task.deadline) if each]
    nobody = texts.say("nobody yet") if state.brief.people else ""
    owner = person_name(state, task.owner, fit) or nobody
    facts = " · ".join(each for each in (owner, " – ".join(dict.fromkeys(days))) if each)
    title = fit.line(task.title, 100)
    return f"• {title} – {facts}" if facts else f"• {title}"


def _missing(state: Deliberation, plan: Plan, texts: Texts, fit: Fit) -> str:
    """What nobody has taken; empty where everything has somebody, or nobody is there who could take it."""
    unowned = [each for each in plan.tasks if not person_name(state, each.owner, fit)] if state.brief.people else []
    if not unowned:
        return ""
    tasks = texts.say("; ").join(listed(unowned, 4, lambda each: f"“{fit.line(each.title, 60)}”", texts, fit))
    return texts.say("❌ Missing: {what}", what=texts.say("somebody for {tasks}", tasks=tasks))


def still_argued(state: Deliberation, texts: Texts, fit: Fit) -> list[Block]:
    """In what both positions differ still; nothing where they do not, or nobody has compared them."""
    return blocks.titled_list(texts.say("*In what both differ*"), differences(state, texts, fit))
