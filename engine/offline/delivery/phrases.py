"""What the Manager by rules says, in both languages."""

from collections.abc import Mapping
from typing import Final

from engine.facts.language import Language

PHRASES: Final[Mapping[str, Mapping[Language, str]]] = {
    "proposal": {"en": "{title}: somebody has said that its risk is high. Simple rules cannot judge it; whoever does "
                       "it says first how.",
                 "zh": "{title}：有人说明它风险高。简单规则无法判断，请执行者先说明怎么做。"},
    "how": {"en": "How will you do it?", "zh": "你打算怎么做？"},
    "no_word": {"en": "Simple rules have no answer to this.", "zh": "简单规则答不了这个问题。"},
    "use": {"en": "What is there: {what}", "zh": "已有的成果：{what}"},
    "leave": {"en": "Leave “{label}” as {file}", "zh": "把“{label}”存为 {file}"},
    "show": {"en": "Show “{label}”: a text, a link or a file", "zh": "展示“{label}”：文字、链接或文件"},
    "stuck": {"en": "If something is missing, say at once what it is", "zh": "缺少什么，请马上说明"},
    "agreed": {"en": "As was said before: {text}", "zh": "按之前说的：{text}"},
    "cannot_write": {"en": "Simple rules write no texts: this takes a model, or a person.",
                     "zh": "简单规则不会写文章：这需要模型，或者由人来做。"},
    "look": {"en": "Simple rules cannot judge it. Please look at it and decide.",
             "zh": "简单规则无法判断。请过目后决定。"},
    "failed_check": {"en": "The check {name} has to pass.", "zh": "检查 {name} 必须通过。"},
    "ask": {"en": "What should whoever does “{title}” do about this: {what}",
            "zh": "“{title}”遇到问题，该怎么办：{what}"},
    "ask_failed": {"en": "“{title}” has come to nothing. Who should do it, or should it be dropped?",
                   "zh": "“{title}”没有做成。换谁来做，还是放弃？"},
    "all_done": {"en": "All {n} tickets are done.", "zh": "{n} 张工单全部完成。"},
    "some_done": {"en": "{done} of {n} tickets are done.", "zh": "{n} 张工单中完成了 {done} 张。"},
    "nothing": {"en": "There was no ticket, so nothing was done.", "zh": "没有工单，所以什么也没做。"},
    "left": {"en": "Not done: {titles}.", "zh": "未完成：{titles}。"},
    "between": {"en": "; ", "zh": "；"},
}  # fmt: skip


def phrase(key: str, language: Language, /, **values: object) -> str:
    return PHRASES[key][language].format(**values)
