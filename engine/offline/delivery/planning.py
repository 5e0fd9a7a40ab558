"""Cuts a goal into tasks by rules: what is listed, what is joined by “and” or “then”, and who is named for it."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from engine.delivery.answers import ClarifyAnswer, PlanAnswer, PlannedTask
from engine.delivery.given import AnsweredQuestion, BriefGiven, PersonGiven, RoleGiven
from engine.facts.asked import Asked
from engine.facts.language import Language, language_of
from engine.facts.shortening import shorten
from engine.offline.delivery.phrases import phrase

MOST_TASKS: Final = 12
LONGEST_TITLE: Final = 120
LONGEST_LABEL: Final = 60

_ITEM: Final = re.compile(r"^\s{0,8}(?:[-*•·]|\(?\d{1,2}[.)、）]|[①-⑳]|[a-z]\))\s{0,4}(.{1,400})$")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s{1,4}(?=[A-Z“\"])|(?<=[。！？；;])")
_JOINED_WITH: Final = (
    r",?\s(?:and then|and afterwards|after that|then)\s|[，,；;]?\s?(?:然后再?|接着|之后再?|随后|最后再?)"
    r"|[,;]\s(?:and\s)?(?=(?:%s)\b|[A-Z][a-z]{1,20}\s(?:%s)(?:e?s)?\b)"
    r"|\sand\s(?=(?:%s)\b)|[，、；](?=(?:%s))|并(?=(?:%s))"
)
_VERBS_EN: Final = (
    "tell|does?|sign|write|draft|prepare|book|find|order|buy|send|invite|build|make|create|design|test|check|review|publish|announce"
    "|collect|compare|research|translate|set|organi[sz]e|plan|call|ask|arrange|print|record|update|fix|migrate|deploy"
    "|summari[sz]e|clean|move|install|measure|choose|pick|get|bring|confirm|reserve|schedule|run|hold|document|list"
)
_VERBS_ZH: Final = (
    "签|办|举办|写|起草|准备|预订|预定|找|订|买|采购|发|邀请|搭建|制作|做|设计|测试|检查|评审|发布|通知|收集|比较|对比|调研|研究|翻译"
    "|整理|安排|打印|录制|更新|修复|迁移|部署|总结|清理|安装|测量|选|确认|联系|组织|撰写|编写|汇总"
)
_JOIN: Final = re.compile(_JOINED_WITH % (_VERBS_EN, _VERBS_EN, _VERBS_EN, _VERBS_ZH, _VERBS_ZH), re.IGNORECASE)
_DOES: Final = re.compile(rf"\b(?:{_VERBS_EN})(?:e?s)?\b|(?:{_VERBS_ZH})", re.IGNORECASE)
_OF_BEFORE: Final = re.compile(r"\b(?:it|them|the results?)\b|它|其|^(?:并|发|打印|发布|总结|汇总)", re.IGNORECASE)
"""What is done with what was made before."""
_HEADING: Final = re.compile(rf"^[^:：]{{3,80}}[:：]\s{{0,3}}(?=(?:{_VERBS_EN})\b|(?:{_VERBS_ZH}))", re.IGNORECASE)
_IN_ORDER: Final = re.compile(
    r"\b(?:then|afterwards|after that|finally|first)\b|然后|接着|之后|随后|最后|首先|先", re.IGNORECASE
)
_POLITE: Final = re.compile(
    r"^(?:please|could you|can you|(?:we|i) (?:need|want) to|let us|let's|and|then|finally|first)\s{1,4}"
    r"|^(?:请|麻烦|我们?(?:需要|想要?|要)|帮我们?|首先|最后|然后|接着|先|再)",
    re.IGNORECASE,
)
_FILE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,40}\.(?:md|txt|csv|json|html|pdf|py|xlsx|docx|png|svg)\b")
_RISKY: Final = re.compile(
    r"\b(?:delete|migrate|deploy|production|publish|pay|contract|irreversibl[ey]|payroll|database)\b"
    r"|删除|迁移|上线|生产环境|付款|合同|不可逆|公开发布|数据库",
    re.IGNORECASE,
)
_WORDS: Final[dict[str, re.Pattern[str]]] = {
    "writing": re.compile(
        r"\b(?:write|draft|text|invitation|checklist|summary|summari[sz]e|agenda|mail|translate|announcement|minutes)\b"
        r"|写|起草|撰写|文案|邀请函|清单|总结|议程|邮件|翻译|公告|纪要", re.IGNORECASE),
    "research": re.compile(
        r"\b(?:research|compare|find out|look up|list|collect|overview|checklist)\b"
        r"|调研|研究|比较|对比|收集|查|汇总|清单", re.IGNORECASE),
    "coding": re.compile(
        r"\b(?:code|script|program|page|website|implement|fix|bug|test|deploy|migrate|build)\b"
        r"|代码|脚本|程序|网页|网站|实现|修复|测试|部署|迁移|开发", re.IGNORECASE),
    "scraping": re.compile(r"\b(?:scrape|crawl|fetch)\b|抓取|爬取|爬虫", re.IGNORECASE),
    "translation": re.compile(r"\btranslat(?:e|ion)\b|翻译", re.IGNORECASE),
    "design": re.compile(r"\b(?:design|poster|logo)\b|设计|海报", re.IGNORECASE),
}  # fmt: skip
"""By capability: the words of a task that needs it."""


def clarify(brief: BriefGiven, people: Sequence[PersonGiven], answered: Sequence[AnsweredQuestion]) -> ClarifyAnswer:
    """Ask only where nothing that could be done can be read."""
    language = language_of(brief.goal)
    is_clear = bool(answered) or bool(_DOES.search(brief.goal)) or len(_steps(brief.goal)) > 1
    is_clear = is_clear or len(re.findall(r"\w+", brief.goal)) >= (12 if language == "en" else 4)
    questions = () if is_clear else (phrase("what", language),)
    return ClarifyAnswer(intent_summary=shorten(brief.goal, 200), questions=questions)


def make_plan(
    brief: BriefGiven,
    people: Sequence[PersonGiven],
    roles: Sequence[RoleGiven],
    answered: Sequence[AnsweredQuestion],
    faults: Sequence[str],
) -> PlanAnswer:
    language = language_of(brief.goal)
    said = "\n".join([brief.goal, *(each.answer for each in answered if each.answer.strip())])
    steps = _steps(said)[:MOST_TASKS] or [shorten(said, LONGEST_TITLE)]
    in_order = bool(_IN_ORDER.search(said))
    tasks: list[PlannedTask] = []
    for number, step in enumerate(steps, 1):
        follows = number > 1 and (in_order or bool(_OF_BEFORE.search(step)))
        before = (f"task-{number - 1}",) if follows else ()
        tasks.append(_task(number, step, before, brief, people, roles, language))
    return PlanAnswer(tasks=tuple(tasks))


def _task(
    number: int,
    step: str,
    before: tuple[str, ...],
    brief: BriefGiven,
    people: Sequence[PersonGiven],
    roles: Sequence[RoleGiven],
    language: Language,
) -> PlannedTask:
    title = shorten(step, LONGEST_TITLE)
    file = _FILE.search(step)
    label = file.group() if file else phrase("result_of", language, title=shorten(step, LONGEST_LABEL))
    return PlannedTask(
        task_id=f"task-{number}",
        title=title,
        description=step if len(step) > LONGEST_TITLE else "",
        depends_on=before,
        expected_outputs=(label,),
        high_risk=bool(_RISKY.search(step)),
        owner=_owner(step, people, roles),
        deadline=_deadline(step, brief),
    )


def _owner(step: str, people: Sequence[PersonGiven], roles: Sequence[RoleGiven]) -> str:
    """Whoever is named; else a machine whose capabilities the words ask for; else whoever asked, who is told last."""
    for person in people:
        if person.name and _is_named(person.name, step):
            return person.person_id
    wanted = [name for name, words in _WORDS.items() if words.search(step)]
    for capability in wanted:
        for role in roles:
            if capability in {each.casefold() for each in role.capabilities}:
                return role.role_id
    return people[-1].person_id if people else ""


def _is_named(name: str, text: str) -> bool:
    parts = [name, name.split()[0]] if " " in name.strip() else [name]
    return any(
        len(each) > 1 and re.search(rf"(?<![A-Za-z]){re.escape(each)}(?![A-Za-z])", text, re.IGNORECASE)
        for each in parts
    )


def _deadline(step: str, brief: BriefGiven) -> str:
    """The day that is named for it; none where none is, or where it is over."""
    try:
        asked = Asked(date.fromisoformat(brief.today))
    except ValueError:
        return ""
    from engine.lexicon.reading.times import main_time, times_in  # the first plan loads the grammar

    when = main_time(times_in(step, asked))
    day = (when.last or when.first) if when else ""
    return day if day >= brief.today else ""


def _steps(text: str) -> list[str]:
    """What is listed, line by line; else each sentence, cut where the next thing to do begins."""
    lines = [line for line in text.splitlines() if line.strip()]
    listed = [found[1].strip() for line in lines if (found := _ITEM.match(line))]
    if len(listed) > 1:
        return [_plain(each) for each in listed if _plain(each)]
    sentences = [_HEADING.sub("", part.strip()) for line in lines for part in _SENTENCE.split(line) if part.strip()]
    doing = [each for each in sentences if _DOES.search(each)] or sentences[:1]
    cut = [part for each in doing for part in _JOIN.split(each)]
    return [plain for each in cut if len(plain := _plain(each)) > 1]


def _plain(step: str) -> str:
    """A step without politeness and without the marks around it, beginning with a capital."""
    said = step.strip(" \t,，、；;。.!！")
    for _ in range(3):
        said = _POLITE.sub("", said).strip()
    return said[:1].upper() + said[1:]
