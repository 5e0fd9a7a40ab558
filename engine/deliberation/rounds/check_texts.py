"""The words of what code finds wrong with a plan, in the two languages that code has words in."""

from datetime import date
from typing import Final

from engine.facts.language import Language

_WEEKDAYS: Final = "一二三四五六日"
TEXTS: Final[dict[str, dict[Language, str]]] = {
    "past_deadline": {
        "en": "“{title}” is due {day}, which is over: today is {today}.",
        "zh": "“{title}”的截止日{day}已经过去，今天是{today}。",
    },
    "past_start": {
        "en": "“{title}” begins {day}, which is over: today is {today}.",
        "zh": "“{title}”的开始日{day}已经过去，今天是{today}。",
    },
    "after_end": {
        "en": "“{title}” is due {day}, after the end ({end}).",
        "zh": "“{title}”的截止日{day}晚于结束日（{end}）。",
    },
    "event_day": {
        "en": "“{title}” is set for {day}, before it may begin ({first}).",
        "zh": "“{title}”定在{day}，早于最早的日期（{first}）。",
    },
    "start_after_deadline": {
        "en": "“{title}” starts {day}, after its own deadline {deadline}.",
        "zh": "“{title}”的开始日{day}晚于自己的截止日{deadline}。",
    },
    "agreed_day": {
        "en": "“{title}” was agreed for {agreed} at the latest, and is due {day}.",
        "zh": "“{title}”说好最晚{agreed}完成，现在定在{day}。",
    },
    "unknown_dependency": {
        "en": "“{title}” waits for a task that is not in the plan.",
        "zh": "“{title}”依赖的任务不在计划里。",
    },
    "cycle": {
        "en": "“{title}” waits for itself, through what it depends on.",
        "zh": "“{title}”的依赖绕了一圈又回到自己。",
    },
    "dependency_order": {
        "en": "“{title}” ends {day}, before “{other}” ({other_day}), which it needs first.",
        "zh": "“{title}”在{day}完成，早于它所依赖的“{other}”（{other_day}）。",
    },
    "dependency_start": {
        "en": "“{title}” begins {day}, before “{other}” is done ({other_day}), which it needs first.",
        "zh": "“{title}”在{day}开始，而它所依赖的“{other}”要到{other_day}才完成。",
    },
    "order_fact": {
        "en": "“{title}” ends {day}, after “{other}” ({other_day}), but: {fact}",
        "zh": "“{title}”在{day}完成，晚于“{other}”（{other_day}），但是：{fact}",
    },
    "date_fact": {
        "en": "“{title}” is set for {day}, but: {fact}",
        "zh": "“{title}”定在{day}，但是：{fact}",
    },
    "date_owner": {
        "en": "{name} has “{title}” on {day}, but: {fact}",
        "zh": "{name}要在{day}做“{title}”，但是：{fact}",
    },
    "too_late": {
        "en": "“{title}” is due {day}, and {latest} was the latest: {fact}",
        "zh": "“{title}”定在{day}完成，最晚应是{latest}：{fact}",
    },
    "load": {
        "en": "{name} has {hours} h of work in the week of {week}; {most} h is what they can give.",
        "zh": "{name}在{week}那一周有{hours}小时的工作，最多能投入{most}小时。",
    },
    "load_whole": {
        "en": "{name} has {hours} h of work in all; {most} h is what they can give.",
        "zh": "{name}一共有{hours}小时的工作，最多能投入{most}小时。",
    },
    "unknown_owner": {
        "en": "“{title}” is given to somebody who is not among the people.",
        "zh": "“{title}”交给了不在名单里的人。",
    },
    "no_owner": {"en": "Nobody has “{title}” yet.", "zh": "“{title}”还没有人负责。"},
    "missing_task": {"en": "“{title}” was agreed and is not in the plan.", "zh": "“{title}”是说好的，计划里却没有。"},
    "choice_left_out": {
        "en": "{option} is chosen, and no task says that it carries that out.",
        "zh": "选了{option}，却没有任务写明要落实它。",
    },
    "capacity": {
        "en": "{people} people come, and there is room for {most}.",
        "zh": "要来{people}人，只容得下{most}人。",
    },
    "too_few": {
        "en": "{people} people come, and it takes {least}.",
        "zh": "要来{people}人，至少需要{least}人。",
    },
    "budget": {
        "en": "The named costs come to {sum}, and the budget is {most}.",
        "zh": "提到的费用合计{sum}，预算是{most}。",
    },
}


def say(key: str, language: Language, **values: object) -> str:
    return TEXTS[key][language].format(**values)


def day(value: date | str, language: Language) -> str:
    """A day with its weekday; what is no ISO date as it is."""
    if isinstance(value, str):
        try:
            return day(date.fromisoformat(value[:10]), language)
        except ValueError:
            return value
    if language == "zh":
        return f"{value.month}月{value.day}日（周{_WEEKDAYS[value.weekday()]}）"
    return f"{value:%a} {value.day} {value:%b}"


def money(value: int, currency: str) -> str:
    return f"{value:,} {currency}".strip()
