"""Exports a deliberation as Markdown, with people by name."""

from collections.abc import Iterator, Sequence

from bot.texts import Texts
from bot.views.deliberation.names import agent_name, reason_text
from bot.views.deliberation.positions import percent, trend_line
from bot.views.deliberation.report import lead, title, told
from bot.views.deliberation.values import decision_text, slot_name
from bot.views.kit.export.file import bold, paragraphs, quote, safe_line
from engine.deliberation.answers import Plan, PlanTask
from engine.deliberation.closing.decision_record import ChangeDecided, decision_record
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import Deliberation, Output, Round
from engine.deliberation.terms import DEBATERS


def markdown(state: Deliberation, asked_by: str, texts: Texts) -> str:
    """
    Args:
        asked_by: the requester's name; empty where it is unknown.
    """
    final = final_plan(state)
    parts = [f"# {safe_line(state.brief.title) or '…'}", bold(safe_line(title(state, texts)))]
    parts += [texts.say("Asked by {who}", who=safe_line(asked_by)) if asked_by else "", quote(state.brief.goal)]
    if state.report:
        parts.append(paragraphs(lead(state.report, final.plan if final else None)))
    if final:
        parts += [_heading(texts.say("The plan")), *_plan(state, final.plan, texts)]
    parts += _summary(state, texts)
    parts += [_heading(texts.say("How it came about")), *_rounds(state, texts)]
    parts += _record(state, texts)
    return "\n\n".join(part for part in parts if part) + "\n"


def _heading(text: str) -> str:
    return f"## {text}"


def _plan(state: Deliberation, plan: Plan, texts: Texts) -> Iterator[str]:
    for phase in plan.phases:
        duration = safe_line(phase.duration)
        yield f"### {safe_line(phase.phase_name)}" + (f" ({duration})" if duration else "")
        yield "\n".join(_task(state, plan, each, texts) for each in phase.tasks)


def _task(state: Deliberation, plan: Plan, task: PlanTask, texts: Texts) -> str:
    names = {each.person_id: each.name or each.person_id for each in state.brief.people}
    titles = {each.task_id: each.title for each in plan.tasks}
    after = [safe_line(titles[each]) for each in task.depends_on if each in titles]
    facts = (
        safe_line(names.get(task.owner, task.owner)) or texts.say("nobody yet"),
        " – ".join(dict.fromkeys(safe_line(each) for each in (task.starts, task.deadline) if each)),
        texts.say("{n} h", n=f"{task.estimated_hours:g}") if task.estimated_hours else "",
        texts.say("after {tasks}", tasks=texts.say(", ").join(after)) if after else "",
    )
    lines = [f"- [ ] {bold(safe_line(task.title))}: {' · '.join(each for each in facts if each)}"]
    if output := safe_line(task.expected_output):
        lines.append("  - " + texts.say("Result: {result}", result=output))
    lines += [f"  - ✓ {safe_line(each)}" for each in task.acceptance_criteria]
    return "\n".join(lines)


def _summary(state: Deliberation, texts: Texts) -> Iterator[str]:
    if state.report is None:
        return
    final = final_plan(state)
    for heading, lines in told(state.report, final.plan if final else None, texts):
        yield from _listed(heading, lines)


def _listed(heading: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield _heading(heading.strip("*"))
        yield "\n".join(f"- {safe_line(each)}" for each in lines)


def _rounds(state: Deliberation, texts: Texts) -> Iterator[str]:
    yield safe_line(trend_line(state, texts))
    for each in state.rounds:
        yield "### " + texts.say("Round {round}", round=each.number)
        for agent in DEBATERS:
            if agent in each.outputs:
                yield _output(each.outputs[agent], texts)
        yield _decision(each, texts)


def _output(output: Output, texts: Texts) -> str:
    sure = texts.say("{level} sure", level=percent(output.position.confidence))
    head = f"{bold(agent_name(output.agent, texts))} ({sure}): {safe_line(output.position.conclusion)}"
    reasons = [f"- {safe_line(each)}" for each in output.position.key_reasons]
    return "\n".join([head, *reasons])


def _decision(each: Round, texts: Texts) -> str:
    if each.decision is None:
        return ""
    return f"{bold(agent_name('host', texts))}: {safe_line(reason_text(each.decision.reasons[0], texts))}"


def _record(state: Deliberation, texts: Texts) -> Iterator[str]:
    record = decision_record(state)
    yield from _listed(
        texts.say("*What rests on which argument*"), [_change(each, state, texts) for each in record.changes]
    )
    yield from _listed(
        texts.say("*Not taken up*"),
        [each.argument.text + (f" – {each.why}" if each.why else "") for each in record.rejected],
    )
    yield from _listed(texts.say("*Assumptions*"), record.assumptions)


def _change(change: ChangeDecided, state: Deliberation, texts: Texts) -> str:
    plans = (output.plan for each in state.rounds for output in each.outputs.values() if output.plan)
    titles = {task.task_id: task.title for plan in plans for task in plan.tasks}
    names = {each.person_id: each.name or each.person_id for each in state.brief.people}
    before, after = (_value(change.slot, names.get(each, each), texts) for each in (change.before, change.after))
    what = slot_name(change.slot, titles.get(change.task_id, ""), texts)
    argued = (
        texts.say("because of “{why}”", why=change.argument.text)
        if change.argument
        else texts.say("no argument was named")
    )
    return f"{agent_name(change.by, texts)}: {what}: {before} → {after}, {argued}"


def _value(slot: str, value: str, texts: Texts) -> str:
    return decision_text(value, texts) if slot == "decision" and value else value or "–"
