"""What the plan check says, in both languages."""

from collections.abc import Mapping
from datetime import date
from typing import Final

from engine.facts.language import Language

_WEEKDAYS: Final = "一二三四五六日"

TEXTS: Final[Mapping[str, Mapping[Language, str]]] = {
    "past_deadline": {
        "en": "“{title}” is due {day}, before today ({today}).",
        "zh": "“{title}”的截止日{day}已经过去（今天是{today}）。",
    },
    "past_start": {
        "en": "“{title}” starts {day}, before today ({today}).",
        "zh": "“{title}”的开始日{day}已经过去（今天是{today}）。",
    },
    "after_end": {
        "en": "“{title}” is due {day}, after the end ({end}).",
        "zh": "“{title}”的截止日{day}晚于结束日（{end}）。",
    },
    "start_after_deadline": {
        "en": "“{title}” starts {day}, after its own deadline {deadline}.",
        "zh": "“{title}”的开始日{day}晚于自己的截止日{deadline}。",
    },
    "date_fact": {
        "en": "“{title}” is set for {day}, but: {fact}",
        "zh": "“{title}”定在{day}，但是：{fact}",
    },
    "date_owner": {
        "en": "{name} has “{title}” on {day}, but: {fact}",
        "zh": "{name}要在{day}完成“{title}”，但是：{fact}",
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
    "load": {
        "en": "{name} has about {hours} h of work in the week of {week}; {most} h is what they can give.",
        "zh": "{name}在{week}那一周约有{hours}小时的工作，最多能投入{most}小时。",
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
    "owner_ruled_out": {
        "en": "{name} has “{title}”, but: {fact}",
        "zh": "“{title}”由{name}负责，但是：{fact}",
    },
    "missing_need": {"en": "No task provides “{need}”.", "zh": "没有任务落实“{need}”。"},
    "missing_step": {"en": "“{what}” is not in the plan, but: {fact}", "zh": "计划里没有“{what}”，但是：{fact}"},
    "too_short": {
        "en": "“{title}” has only {days} days, but: {fact}",
        "zh": "“{title}”只留了{days}天，但是：{fact}",
    },
    "no_start": {
        "en": "“{title}” does not say when it has to begin, but: {fact}",
        "zh": "“{title}”没有写明最晚什么时候开始，但是：{fact}",
    },
    "no_time": {
        "en": "There are only {days} days until {day}, but: {fact}",
        "zh": "到{day}只剩{days}天，但是：{fact}",
    },
    "order_fact": {
        "en": "“{title}” ends {day}, after “{other}” ({other_day}), but: {fact}",
        "zh": "“{title}”在{day}完成，晚于“{other}”（{other_day}），但是：{fact}",
    },
    "owner_fact": {
        "en": "“{title}” is not with {name}, but: {fact}",
        "zh": "“{title}”不是由{name}负责，但是：{fact}",
    },
    "needless": {
        "en": "“{title}” is still planned, but: {fact}",
        "zh": "计划里还有“{title}”，但是：{fact}",
    },
    "event_day": {
        "en": "“{title}” is set for {day}, before it may begin ({first}).",
        "zh": "“{title}”定在{day}，早于最早的日期（{first}）。",
    },
    "missing_task": {"en": "“{title}” was agreed and is not in the plan.", "zh": "“{title}”是说好的，计划里却没有。"},
    "unaddressed": {"en": "Nothing in the plan answers this: {fact}", "zh": "计划没有回应这一点：{fact}"},
    "too_late": {"en": "By {day} this has to be done: {fact}", "zh": "{day}前要做到：{fact}"},
    "as_promised": {"en": "Keep to this: {fact}", "zh": "兑现约定：{fact}"},
    "as_promised_to": {"en": "Keep to what {name} asked: {fact}", "zh": "兑现对{name}的约定：{fact}"},
    "capacity": {
        "en": "{people} people come, and there is room for {most}: {fact}",
        "zh": "要来{people}人，只容得下{most}人：{fact}",
    },
    "budget": {
        "en": "The named costs come to {sum}, and the budget is {most}.",
        "zh": "提到的费用合计{sum}，预算是{most}。",
    },
    "option_ruled_out": {"en": "{option} is ruled out: {fact}", "zh": "{option}不可行：{fact}"},
    "no_choice": {"en": "None of the options is chosen.", "zh": "还没有在各选项中做出选择。"},
    "better_option": {
        "en": "{other} has more in its favour than {option}: {fact}",
        "zh": "{other}比{option}更有依据：{fact}",
    },
}


def say(key: str, language: Language, **values: object) -> str:
    return TEXTS[key][language].format(**values)


def day(value: date | str, language: Language) -> str:
    """A day with its weekday; words that are no ISO date as they are."""
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
