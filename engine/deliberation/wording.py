"""What code says in words of its own, in the language of the brief."""

from collections.abc import Iterable
from typing import Final

from engine.deliberation.answers import PlanTask
from engine.deliberation.events import Difference, Summary
from engine.deliberation.given import ReportBasis
from engine.deliberation.rounds.check_texts import day
from engine.deliberation.rounds.plans import Change
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Agent, Reason
from engine.facts.language import Language, catalogue_of

Words = dict[Language, str]

AGENTS: Final[dict[str, Words]] = {
    "host": {"en": "the Host", "zh": "主持人"},
    "planner": {"en": "the Planner", "zh": "规划师"},
    "critic": {"en": "the Critic", "zh": "批评家"},
    "reporter": {"en": "the Reporter", "zh": "报告员"},
}

SLOTS: Final[dict[str, Words]] = {
    "conclusion": {"en": "the conclusion", "zh": "结论"},
    "decision": {"en": "the decision", "zh": "决定"},
    "choice": {"en": "the choice", "zh": "选择"},
    "start": {"en": "the start", "zh": "开始日期"},
    "deadline": {"en": "the deadline", "zh": "截止日期"},
    "hours": {"en": "the hours", "zh": "工时"},
    "owner": {"en": "who does it", "zh": "负责人"},
    "date": {"en": "the day", "zh": "日期"},
    "quantity": {"en": "the number", "zh": "数量"},
    "task": {"en": "the task", "zh": "任务"},
}

CHECKS: Final[dict[str, Words]] = {
    "feasible": {"en": "The Critic holds that the plan cannot be carried out.", "zh": "批评家认为计划不可行。"},
    "realistic": {"en": "The Critic holds that the plan is not realistic.", "zh": "批评家认为计划不现实。"},
    "complete": {"en": "The Critic holds that the plan is not complete.", "zh": "批评家认为计划不完整。"},
}

REASONS: Final[dict[Reason, Words]] = {
    Reason.EARLY_AGREEMENT: {
        "en": "Both drafts, made without knowing each other, agree.",
        "zh": "两份互不知情的初稿一致。",
    },
    Reason.AGREED: {
        "en": "Both positions agree, and no high risk is open.",
        "zh": "双方立场一致，没有未解决的高风险。",
    },
    Reason.NOT_SIMILAR_ENOUGH: {"en": "The positions still differ.", "zh": "双方立场仍有差异。"},
    Reason.MOVED_AWAY: {"en": "Somebody moved away from the other one.", "zh": "有一方的立场离对方更远了。"},
    Reason.NOT_VALID: {"en": "The validity check has a no.", "zh": "有效性检查没有全部通过。"},
    Reason.OPEN_RISK: {"en": "A high risk is open.", "zh": "还有未解决的高风险。"},
    Reason.OPEN_POINT: {
        "en": "Somebody's objection has not been answered by both.",
        "zh": "有人提出的异议还没有得到双方的回应。",
    },
    Reason.UNEXPLAINED_MOVE: {
        "en": "Something was changed without naming an argument for it.",
        "zh": "有改动没有说明依据的论点。",
    },
    Reason.FAR_APART: {"en": "The positions are far apart.", "zh": "双方立场相距很远。"},
    Reason.AGENT_MISSING: {"en": "One of both has not answered.", "zh": "其中一方没有回答。"},
    Reason.MAX_ROUNDS: {
        "en": "The last round is over, and there is no agreement.",
        "zh": "已到最后一轮，没有达成一致。",
    },
    Reason.STALLED: {"en": "Nothing has changed over two rounds.", "zh": "连续两轮没有变化。"},
    Reason.DIVERGED: {
        "en": "The positions are still far apart after the opposite side was argued.",
        "zh": "反方论证之后，双方立场仍相距很远。",
    },
    Reason.USER_STOP: {"en": "It was stopped.", "zh": "讨论被停止了。"},
    Reason.USER_DECIDED: {"en": "The choice between both positions was made.", "zh": "已经在两个立场之间做出选择。"},
    Reason.TIME_IS_UP: {"en": "The time was up.", "zh": "时间到了。"},
    Reason.NO_PLAN: {"en": "No agent has made a plan.", "zh": "没有任何一方做出计划。"},
    Reason.NOT_ARGUED: {
        "en": "Nobody argued: without a model, what is known is laid side by side.",
        "zh": "没有模型，没有人论证：只把已知的内容并排列出。",
    },
    Reason.FORGOTTEN: {"en": "Words that it was about were erased.", "zh": "所依据的内容已被删除。"},
}

_DIFFERENCE: Final[Words] = {
    "en": "{about}: the Planner has {planner}, the Critic {critic}",
    "zh": "{about}：规划师是{planner}，批评家是{critic}",
}
_HELD: Final[Words] = {"en": "{about}: {value}", "zh": "{about}：{value}"}
_DECIDED: Final[dict[str, Words]] = {
    "go": {"en": "“carry it out”", "zh": "“执行”"},
    "go_with_changes": {"en": "“carry it out with changes”", "zh": "“修改后执行”"},
    "no_go": {"en": "“do not carry it out”", "zh": "“不执行”"},
}
_NOTHING: Final[Words] = {"en": "nothing", "zh": "无"}
_UNEXPLAINED: Final[Words] = {
    "en": "Which argument made {agent} change {slot}{of}.",
    "zh": "{agent}改动{of}{slot}的依据是哪一个论点。",
}
_SOMETHING: Final[Words] = {"en": "its position", "zh": "立场"}


def language(state: Deliberation) -> Language:
    return catalogue_of(state.language)


def difference(state: Deliberation, each: Difference, spoken: Language) -> str:
    slot = SLOTS[each.slot][spoken] if each.slot in SLOTS else each.slot
    return _DIFFERENCE[spoken].format(
        about=f"{each.about} ({slot})" if each.about else slot,
        planner=_value(state, each.slot, each.planner, spoken),
        critic=_value(state, each.slot, each.critic, spoken),
    )


def held(state: Deliberation, each: Difference, agent: Agent, spoken: Language) -> str:
    """Say what one of both has where they differ."""
    slot = SLOTS[each.slot][spoken] if each.slot in SLOTS else each.slot
    value = _value(state, each.slot, each.planner if agent is Agent.PLANNER else each.critic, spoken)
    return _HELD[spoken].format(about=f"{each.about} ({slot})" if each.about else slot, value=value)


def _value(state: Deliberation, slot: str, said: str, spoken: Language) -> str:
    """Say what stands in a slot: people by name, and decisions in words."""
    match slot:
        case _ if not said:
            return _NOTHING[spoken]
        case "owner":
            return next((each.name for each in state.brief.people if each.person_id == said and each.name), said)
        case "decision":
            return _DECIDED[said][spoken] if said in _DECIDED else said
        case _:
            return said


def unmet(check: str, spoken: Language) -> str:
    return CHECKS[check][spoken]


def unexplained(agent: Agent, change: Change | None, spoken: Language) -> str:
    """Ask which argument is behind a change; None where it is not known what has changed."""
    if change is None:
        return _UNEXPLAINED[spoken].format(agent=AGENTS[agent][spoken], slot=_SOMETHING[spoken], of="")
    of = "" if not change.task_id else f"“{change.task_id}”的" if spoken == "zh" else f" of “{change.task_id}”"
    return _UNEXPLAINED[spoken].format(agent=AGENTS[agent][spoken], slot=SLOTS[change.slot][spoken], of=of)


# ── the report ────────────────────────────────────────────────────────────────────────────────────────────────────

_DECISIONS: Final[dict[str, Words]] = {
    "go": {"en": "Both would carry the plan out.", "zh": "双方都认为可以照计划执行。"},
    "go_with_changes": {"en": "Both would carry the plan out, with changes.", "zh": "双方都认为修改后可以执行。"},
    "no_go": {"en": "Neither would carry the plan out.", "zh": "双方都认为不应照此执行。"},
}
_CHOSEN: Final[Words] = {
    "en": "{name} chose the position of {agent}{why}.",
    "zh": "{name}选择了{agent}的立场{why}。",
}
_REQUESTER: Final[Words] = {"en": "Whoever asked for the plan", "zh": "发起人"}
_SOMEBODY: Final[Words] = {"en": "Somebody who takes part", "zh": "一位参与者"}
_OPEN_POINT: Final[Words] = {
    "en": "{name} objects: {text} (not answered by both)",
    "zh": "{name}的异议：{text}（还没有得到双方的回应）",
}
_SETTLED_BY: Final[Words] = {
    "en": "{difference}. Whoever asked can choose; a fact that nobody has said so far would settle it.",
    "zh": "{difference}。可以由发起人选择；补充一个还没有人提到的事实也能解决。",
}
_OPEN_RISK: Final[Words] = {
    "en": "Open risk: {text}. It is settled once the plan says what is done about it.",
    "zh": "未解决的风险：{text}。计划写明如何应对后即可解决。",
}
_HOLDS: Final[Words] = {"en": "{agent}: {text}", "zh": "{agent}：{text}"}
_SAID: Final[Words] = {"en": "{name}: {text}", "zh": "{name}：{text}"}
_HOURS: Final[Words] = {"en": "{hours:g} h", "zh": "{hours:g}小时"}
_BY: Final[Words] = {"en": "by {day}", "zh": "{day}前"}
_NOBODY: Final[Words] = {"en": "nobody yet", "zh": "还没有人"}
_PARTS: Final[dict[str, Words]] = {
    "todo": {"en": "To do", "zh": "待办"},
    "key_agreements": {"en": "Agreed", "zh": "已达成一致"},
    "resolved_concerns": {"en": "Resolved", "zh": "已解决的问题"},
    "open_disagreements": {"en": "Still disagreed on", "zh": "仍有分歧"},
    "remaining_uncertainties": {"en": "Still uncertain", "zh": "仍不确定"},
    "dissent": {"en": "Dissent", "zh": "不同意见"},
}
_WORST: Final[Words] = {"en": "At worst", "zh": "最坏情况"}
_NO_PLAN: Final[Words] = {
    "en": "There is no plan: no answer came. Ask again.",
    "zh": "没有计划：没有收到任何回答。请重新发起。",
}


def decision(said: str, spoken: Language) -> str:
    return _DECISIONS[said][spoken]


def name_of(state: Deliberation, user: str, spoken: Language) -> str:
    """What a user is called in the brief. Whom it does not know is called by what they are in it, and not by an id."""
    known = next((each.name for each in state.brief.people if each.user_id == user and each.name), "")
    return known or (_REQUESTER if user == state.requester_id else _SOMEBODY)[spoken]


def named(state: Deliberation, who: str) -> str:
    """The name of somebody by a user's or a person's id; empty where the brief does not tell it."""
    return next((each.name for each in state.brief.people if who and who in (each.user_id, each.person_id)), "")


def said_by(text: str, name: str, spoken: Language) -> str:
    return _SAID[spoken].format(name=name, text=text) if name else text


def chosen(state: Deliberation, spoken: Language) -> str:
    """Say whose position was chosen; empty where none was."""
    if state.choice is None:
        return ""
    said = state.choice.why.rstrip(".。 ")
    why = f"：{said}" if spoken == "zh" else f": {said}"
    name = name_of(state, state.choice.by, spoken)
    agent = AGENTS[state.choice.chosen][spoken]
    return _CHOSEN[spoken].format(name=name, agent=agent, why=why if said else "")


def resolved(concern: str, change: str) -> str:
    return f"{concern} → {change}" if change else concern


_CHANGED: Final[dict[str, Words]] = {
    "start": {"en": "“{title}” begins {start}", "zh": "“{title}”{start}开始"},
    "deadline": {"en": "“{title}” is due {day}", "zh": "“{title}”在{day}前完成"},
    "hours": {"en": "“{title}” takes {hours:g} h", "zh": "“{title}”需要{hours:g}小时"},
    "owner": {"en": "{owner} has “{title}”", "zh": "“{title}”由{owner}负责"},
    "task": {"en": "“{title}” is in the plan", "zh": "计划里有“{title}”"},
}


TASK_SLOTS: Final = _CHANGED.keys()
"""What of a task can be moved; the other slots are of the position."""


def changed_to(slot: str, task: PlanTask, owner: str, spoken: Language) -> str:
    """What of a task was changed, as it is now."""
    return _CHANGED[slot][spoken].format(
        title=task.title,
        start=day(task.starts, spoken),
        day=day(task.deadline, spoken),
        hours=task.estimated_hours,
        owner=owner or _NOBODY[spoken],
    )


def listed(texts: Iterable[str], spoken: Language) -> str:
    return ("；" if spoken == "zh" else "; ").join(texts)


def open_point(text: str, name: str, spoken: Language) -> str:
    return _OPEN_POINT[spoken].format(name=name, text=text)


def settled_by(state: Deliberation, each: Difference, spoken: Language) -> str:
    return _SETTLED_BY[spoken].format(difference=difference(state, each, spoken))


def open_risk(text: str, spoken: Language) -> str:
    return _OPEN_RISK[spoken].format(text=text.rstrip(".。"))


def holds(agent: Agent, text: str, spoken: Language) -> str:
    return _HOLDS[spoken].format(agent=AGENTS[agent][spoken], text=text)


def task(each: PlanTask, owner: str, spoken: Language) -> str:
    """One line: what, who, how long, until when."""
    parts = [owner or _NOBODY[spoken]]
    if each.estimated_hours:
        parts.append(_HOURS[spoken].format(hours=each.estimated_hours))
    if each.deadline:
        parts.append(_BY[spoken].format(day=each.deadline))
    return f"{each.title}（{'，'.join(parts)}）" if spoken == "zh" else f"{each.title} ({', '.join(parts)})"


def report(state: Deliberation, summary: Summary, basis: ReportBasis) -> str:
    """The report in Markdown, where no model has written it."""
    spoken = language(state)
    if not summary.todo and basis.rounds == 0:
        return f"# {state.brief.title}\n\n{_NO_PLAN[spoken]}"
    parts = [f"# {state.brief.title}", " ".join(each for each in (basis.reason, basis.chosen) if each)]
    lists = [(words[spoken], getattr(summary, name)) for name, words in _PARTS.items()]
    lists.append((_WORST[spoken], basis.worst_cases))
    parts += [f"## {title}\n\n" + "\n".join(f"- {each}" for each in listed) for title, listed in lists if listed]
    return "\n\n".join(parts)
