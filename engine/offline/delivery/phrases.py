"""What the Manager by rules says, in both languages."""

from collections.abc import Mapping
from typing import Final

from engine.facts.language import Language

PHRASES: Final[Mapping[str, Mapping[Language, str]]] = {
    "what": {"en": "What is to be done, and what should be there in the end?", "zh": "要做什么？最后应当有什么成果？"},
    "result_of": {"en": "{title}: the result", "zh": "{title}：成果"},
    "proposal": {"en": "{title}: first what can be undone, then a look at it, then the rest.",
                 "zh": "{title}：先做可以撤回的，停下来看一眼，再做其余的。"},
    "try_first": {"en": "Try it where it can do no harm", "zh": "先在不会造成影响的地方试一次"},
    "look": {"en": "Let {who} look at it before it goes on", "zh": "继续之前请{who}过目"},
    "requester": {"en": "whoever asked for it", "zh": "发起人"},
    "then": {"en": "Then do it: {title}", "zh": "然后完成：{title}"},
    "what_if": {"en": "What would be lost if it went wrong, and how would you notice?",
                "zh": "如果出错会失去什么？怎样发现？"},
    "risk": {"en": "It cannot be undone once it is done", "zh": "做完之后无法撤回"},
    "can_write": {"en": "I can write it, and nothing else", "zh": "我只能写文字，别的做不了"},
    "instruct": {"en": "{title}.", "zh": "{title}。"},
    "use": {"en": "Use what is there: {what}", "zh": "使用已有的成果：{what}"},
    "leave": {"en": "Leave “{label}” as {file}", "zh": "把“{label}”存为 {file}"},
    "show": {"en": "Show “{label}”: a text, a link or a file", "zh": "展示“{label}”：文字、链接或文件"},
    "stuck": {"en": "If something is missing, say at once what it is", "zh": "缺少什么，请马上说明"},
    "agreed": {"en": "As agreed: {text}", "zh": "按商定的：{text}"},
    "watch": {"en": "Watch out for: {text}", "zh": "注意：{text}"},
    "written": {"en": "Written by simple rules, without a model. Read it before you rely on it.",
                "zh": "由简单规则写成，没有使用模型。使用前请通读。"},
    "for": {"en": "For: {goal}", "zh": "用途：{goal}"},
    "until": {"en": "Until: {day}", "zh": "截止：{day}"},
    "steps": {"en": "Steps", "zh": "步骤"},
    "criteria": {"en": "It is done when", "zh": "完成标准"},
    "known": {"en": "What is known", "zh": "已知信息"},
    "to_fill": {"en": "To be filled in by whoever uses it: [TBD]", "zh": "由使用者补充：[待定]"},
    "approve": {"en": "Everything that was expected is there.", "zh": "该有的成果都在。"},
    "approve_link": {"en": "Everything that was expected is there; nobody has opened the link.",
                     "zh": "该有的成果都在；链接没有人打开过。"},
    "empty": {"en": "“{label}” says too little: say what was done, when, and with whom.",
              "zh": "“{label}”说得太少：请写明做了什么、何时、与谁。"},
    "failed_check": {"en": "The check {name} has to pass.", "zh": "检查 {name} 必须通过。"},
    "known_answer": {"en": "What is known of it: {text}", "zh": "已知情况：{text}"},
    "ask": {"en": "What should the worker of “{title}” do about this: {what}",
            "zh": "“{title}”遇到问题，该怎么办：{what}"},
    "ask_failed": {"en": "“{title}” has failed again and again. Who should do it, or should it be dropped?",
                   "zh": "“{title}”一再失败。换谁来做，还是放弃？"},
    "again": {"en": "Begin with the smallest part that can be shown, and leave exactly the files that are expected.",
              "zh": "先做最小的、可以展示的一部分，并留下所要求的文件。"},
    "all_done": {"en": "All {n} tickets are done.", "zh": "{n} 张工单全部完成。"},
    "some_done": {"en": "{done} of {n} tickets are done.", "zh": "{n} 张工单中完成了 {done} 张。"},
    "nothing": {"en": "Nothing could be planned, so nothing was done.", "zh": "没能定出计划，所以什么也没做。"},
    "left": {"en": "Not done: {titles}.", "zh": "未完成：{titles}。"},
    "learned": {"en": "“{title}” did not go smoothly: {what}", "zh": "“{title}”并不顺利：{what}"},
    "next": {"en": "Somebody takes up “{title}”", "zh": "有人接手“{title}”"},
    "timeout": {"en": "it took too long", "zh": "耗时过长"},
    "trouble": {"en": "an attempt failed", "zh": "有一次尝试失败"},
}  # fmt: skip


def phrase(key: str, language: Language, /, **values: object) -> str:
    return PHRASES[key][language].format(**values)
