"""The plan as it stands, in few lines: who does what by when, who is missing, and what is argued still."""

from bot.texts import Texts
from bot.views.deliberation.names import agent_name, person_name
from bot.views.deliberation.positions import differences
from bot.views.deliberation.values import day_text, listed
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import Fit
from engine.deliberation.answers import Plan, PlanTask
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import Deliberation


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
