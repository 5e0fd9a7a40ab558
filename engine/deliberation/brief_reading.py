"""Reads what somebody asks to be planned out of one text: what for, by when, the options, and one fact a sentence."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from engine.deliberation.own_day import is_of_its_day
from engine.deliberation.people_named import people_in
from engine.deliberation.situation import iso
from engine.deliberation.terms import LONGEST_GOAL, MOST_FACTS, Brief
from engine.facts.language import language_of
from engine.kernel import FactKind, HandedFact

if TYPE_CHECKING:
    from engine.facts.asked import Asked

LONGEST_TITLE: Final = 120
"""Characters."""
LONGEST_FACT: Final = 600
MOST_OPTIONS: Final = 8
LONGEST_OPTION: Final = 120
_FEWEST_OPTIONS: Final = 2

_BULLET: Final = re.compile(
    r"^\s*(?:[-*•·–]\s+|(?:\d{1,2}|[A-Ha-h]|[一二三四五六七八九十])\s?[.)、）．:：]\s*|[①②③④⑤⑥⑦⑧]\s*)(?P<text>.+)$"
)
_OPTIONS_HEAD: Final = re.compile(
    r"^\W{0,8}(?:the |our |possible |your )?(?:options?|choices?|candidates?|alternatives?|possible answers?|suspects?"
    r"|answers?|(?:可选)?(?:方案|选项)|候选(?:人|地点|方案)?|备选(?:方案|地点)?|可能的(?:答案|选择)|嫌疑人)(?: are"
    r"| is|有|是|包括|如下)?\s{0,4}[:：]\s{0,4}(?P<rest>.*)$",
    re.IGNORECASE,
)
_FACTS_HEAD: Final = re.compile(
    r"^\W{0,8}(?:(?:known |shared |hidden |other |what we know|background|the )?\s{0,4}(?:facts?|information|details?"
    r"|constraints?|notes?|context)|what we know|已知(?:信息|事实|情况)?|事实|信息|情况|背景|条件"
    r"|约束)(?: so far)?\s{0,4}[:：]\s{0,4}(?P<rest>.*)$",
    re.IGNORECASE,
)
_GOAL_HEAD: Final = re.compile(r"^\W*(?:goal|task|question|objective|目标|任务|问题)\s*[:：]\s*", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?<=[。！？；!?])\s*|(?<=[^\s.]{2}\.)\s+(?=[A-Z“\"\u4e00-\u9fff])|(?<=;)\s+")
_CHOICE_EN: Final = re.compile(
    r"\b(?:which|who|whom|what|where|whether|choose|pick|select|decide)\b(?P<asked>[^:?]{0,160}?)(?P<mark>[:—–?]"
    r"|\bbetween\b|\bamong\b|\bfrom\b|,)\s*(?P<list>[^?.:\n]{3,300}?(?:,|\bor\b|\band\b)[^?.:\n]{1,200})[?.]?\s*$",
    re.IGNORECASE,
)
_CHOICE_ZH: Final = re.compile(
    r"(?:哪|谁|选择?|去|定|还是)[^：:？?，,]{0,60}[：:，,？?]\s*(?P<list>[^？?。：:\n]{2,200}(?:、|还是|或者?"
    r"|和)[^？?。：:\n]{1,100})[？?。]?\s*$"
)
_EITHER_ZH: Final = re.compile(
    r"(?P<list>[^，,。？?：:\s、]{1,30}(?:、[^，,。？?：:、]{1,30}){0,8}还是[^，,。？?：:]{1,30})[？?]"
)
_ITEM: Final = re.compile(
    r"\s{0,3}(?:,\s{0,3}or\s{1,3}|,\s{0,3}and\s{1,3}|,|，|、|;|；|/|\bor\b|\band\b|还是|或者|或(?!许)|以及|和(?!平))\s*",
    re.IGNORECASE,
)
_LEADING: Final = re.compile(
    r"^(?:(?:either|between|among|from|the following|of|is it)\s+|(?:我们|咱们|大家)(?:应该|该|要)?(?:选择|选"
    r"|去|用|定在|是)(?=.{2})|(?:应该|该)?(?:选择|选|去|定在|是)(?=.{2}))",
    re.IGNORECASE,
)

_KINDS: Final = (
    (FactKind.CONDITION, re.compile((
        r"\b(?:only if|provided|on condition|as long as|unless)\b|除非|前提|只要|条件是"
    ), re.IGNORECASE)),
    (FactKind.LIMIT, re.compile(
        r"\b(?:can ?not|can't|unable|away|unavailable|not available|on (?:leave|holiday|vacation)|closed|busy|not on"
        r"|no longer|won't|never)\b"
        r"|不能|无法|没空|不行|休假|出差|关闭|不在|请假|不可用", re.IGNORECASE)),
    (FactKind.GAP, re.compile(r"\b(?:nobody|no one)\b|没人|没有人|无人", re.IGNORECASE)),
    (FactKind.OFFER, re.compile((
        r"\b(?:can (?:do|bring|help|offer|provide|take|lend|host)|offers?|brings?|volunteers?|will (?:bring"
        r"|provide|lend|host))\b|可以(?:提供|负责|帮|带)|愿意|提供|带来"
    ), re.IGNORECASE)),
    (FactKind.CONSTRAINT, re.compile(
        r"\b(?:budget|at most|no more than|at least|up to|limit|maximum|minimum|must(?: not)?|seats?|capacity|costs?"
        r"|guests|people)\b"
        r"|预算|最多|至少|不超过|必须|容纳|上限|费用|人", re.IGNORECASE)),
    (FactKind.NEED, re.compile((
        r"\b(?:needs?|want|require[sd]?|looking for|should have)\b|需要|想要|希望|要有|得有"
    ), re.IGNORECASE)),
)  # fmt: skip

_ASKS_FOR: Final = re.compile(
    r"^\W*we\s(?:also |still )?(?:need|want)\b|^(?:我们|大家)?(?:还|也)?(?:需要|想要|要有|得有)", re.IGNORECASE
)
_BOUNDED: Final = re.compile(
    r"\b(?:budget|at most|no more than|at least|up to|seats?|capacity|guests|people)\b"
    r"|预算|不超过|最多|至少|容纳|\d+人",
    re.IGNORECASE,
)


def read_brief(
    text: str,
    *,
    today: str,
    time_zone: str = "",
    facts: Sequence[str | HandedFact] = (),
    options: Sequence[str] = (),
    title: str = "",
) -> Brief:
    """Read a goal in a person's own words. It never fails: what cannot be read stays in the goal.

    Args:
        today: ISO date, where the person is.
        facts: what the caller gives as facts; then none are read out of the text.
        options: what the caller gives as options; then none are read out of the text.
    """
    text = text.strip()[:LONGEST_GOAL]
    lines, listed, said = _parts(text)
    sentences = [each for line in lines for each in _sentences(line)]
    goal, rest = _goal(sentences)
    chosen = tuple(each.strip()[:LONGEST_OPTION] for each in options if each.strip())[:MOST_OPTIONS]
    read = chosen or tuple(listed) or _options_in(goal) or next(filter(None, map(_options_in, rest)), ())
    kept = _given(facts) if facts else _facts([*rest, *said])
    starts, ends = _days(goal, [*rest, *said], today, time_zone)
    return Brief(
        title=(title.strip() or _title(goal))[:LONGEST_TITLE],
        goal=text
        if not facts and not kept
        else "\n".join(filter(None, (goal, *_contextual(rest, bool(facts))))) or text,
        time_zone=time_zone,
        today=today,
        starts=starts,
        ends=ends,
        options=read if len(read) >= _FEWEST_OPTIONS else (),
        people=people_in((each.text for each in kept), without=read),
        facts=kept,
    )


def _parts(text: str) -> tuple[list[str], list[str], list[str]]:
    """Lines that are neither, the options listed under a heading, and the facts listed: bullets, or under a heading."""
    lines: list[str] = []
    options: list[str] = []
    facts: list[str] = []
    under = ""
    for line in filter(str.strip, text.splitlines()):
        bullet = _BULLET.match(line)
        if head := _OPTIONS_HEAD.match(line):
            under = "options"
            if head["rest"].strip():
                options += _items(head["rest"])
                under = ""
        elif head := _FACTS_HEAD.match(line):
            under = "facts"
            facts += _sentences(head["rest"])
        elif bullet and under == "options":
            options.append(bullet["text"].strip(" .。;；")[:LONGEST_OPTION])
        elif bullet:
            facts.append(bullet["text"].strip())
        elif under == "facts":
            facts += _sentences(line)
        else:
            under = ""
            lines.append(line)
    if not lines and facts:
        lines, facts = facts[:1], facts[1:]
    return lines, [*dict.fromkeys(options)][:MOST_OPTIONS], facts


def _sentences(line: str) -> list[str]:
    return [each.strip(" \t;；") for each in _SENTENCE.split(line) if each and each.strip(" \t;；")]


def _goal(sentences: list[str]) -> tuple[str, list[str]]:
    """What is asked for: the first question, else the first sentence; and all the other sentences."""
    if not sentences:
        return "", []
    asked = next((each for each in sentences if each.endswith(("?", "？"))), sentences[0])
    return _GOAL_HEAD.sub("", asked), [each for each in sentences if each is not asked]


def _contextual(rest: list[str], has_facts: bool) -> list[str]:
    return rest if has_facts else []


def _title(goal: str) -> str:
    title = re.split(r"[\n。！!；;]|(?<=[a-z]{2})\.\s|[:：]\s", goal.strip())[0].strip(" .。?？!！,，")
    if len(title) <= LONGEST_TITLE:
        return title or goal[:LONGEST_TITLE] or "?"
    cut = title[: LONGEST_TITLE - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[60:] else cut) + "…"


def _options_in(sentence: str) -> tuple[str, ...]:
    match = (
        _CHOICE_EN.search(sentence)
        if language_of(sentence) == "en"
        else _CHOICE_ZH.search(sentence) or _EITHER_ZH.search(_around(sentence, "还是"))
    )
    if match is None:
        return ()
    found = _items(match["list"])
    return tuple(found) if len(found) >= _FEWEST_OPTIONS and all(len(each) <= 60 for each in found) else ()


def _around(sentence: str, word: str) -> str:
    """The part of a sentence in which somebody can ask for one thing or another; empty without the word."""
    at = sentence.find(word)
    return sentence[max(0, at - 280) : at + 64] if at >= 0 else ""


def _items(text: str) -> list[str]:
    found = [_LEADING.sub("", each.strip(' .。?？;；"“”')) for each in _ITEM.split(text)]
    return [*dict.fromkeys(each[:LONGEST_OPTION] for each in found if each)][:MOST_OPTIONS]


def _given(facts: Sequence[str | HandedFact]) -> tuple[HandedFact, ...]:
    read = [part for each in facts for part in ([each] if isinstance(each, HandedFact) else _pieces(each.strip()))]
    kept = _at_most(MOST_FACTS, [each for each in read if each])
    return tuple(
        each if isinstance(each, HandedFact) else HandedFact(fact_id=f"fact-{at}", kind=kind_of(each), text=each)
        for at, each in enumerate(kept, 1)
    )


def _pieces(text: str) -> list[str]:
    """Cut a text between clauses, else between words, into parts that are no longer than a fact may be."""
    parts = []
    while len(text) > LONGEST_FACT:
        head = text[:LONGEST_FACT]
        at = max(head.rfind(mark) + 1 for mark in ",;:，；：、") or head.rfind(" ") + 1 or LONGEST_FACT
        parts.append(text[:at].strip())
        text = text[at:].strip()
    return [*parts, text]


def _at_most(most: int, facts: Sequence[str | HandedFact]) -> list[str | HandedFact]:
    """Put neighbouring sentences together where there are more than may be, as far as they are no longer than a fact
    may be.
    """
    kept: list[str | HandedFact] = []
    left = len(facts)
    for each in facts:
        last = kept[-1] if kept else None
        fits = isinstance(last, str) and isinstance(each, str) and len(last) + len(each) < LONGEST_FACT
        if fits and len(kept) + left > most:
            kept[-1] = f"{last} {each}"
        else:
            kept.append(each)
        left -= 1
    return kept[:most]


def _facts(sentences: list[str]) -> tuple[HandedFact, ...]:
    return _given([*dict.fromkeys(each for each in sentences if not _options_in(each) and len(each) > 3)])


def kind_of(text: str) -> FactKind:
    """What a sentence is about, by its words; a constraint where they do not tell."""
    for kind, pattern in _KINDS[:2]:
        if pattern.search(text):
            return kind
    if _ASKS_FOR.search(text) and not _BOUNDED.search(text):
        return FactKind.NEED
    for kind, pattern in _KINDS[2:]:
        if pattern.search(text):
            return kind
    return FactKind.CONSTRAINT


def _days(goal: str, rest: list[str], today: str, time_zone: str) -> tuple[str, str]:
    """When the whole begins and ends: what the goal says, else what a sentence says of its deadline."""
    from engine.facts.asked import Asked  # the first text that is read loads the grammar

    day = iso(today)
    if day is None:
        return "", ""
    asked = Asked(day, time_zone or "UTC")
    lasting = _lasting(goal, asked)
    own = ("", "") if lasting else _time(goal, asked)
    fixed = (_time(each, asked) for each in rest if is_of_its_day(each, goal))
    due = (_lasting(each, asked) or _time(each, asked) for each in rest if _DEADLINE.search(each))
    found = (days for days in (own, *fixed, lasting or ("", ""), *due) if days != ("", ""))
    return next(found, ("", ""))


_DEADLINE: Final = re.compile(
    r"\b(?:deadline|due|finish|done by|takes place|is on|must be)\b|截止|完成|举行|举办|定在", re.IGNORECASE
)
_LASTING: Final = re.compile(
    r"\b(?:in|within|over|for|next)\s(?:the\snext\s|about\s)?(?P<n>\d{1,2}|one|two|three|four|five|six|eight|ten"
    r"|twelve|a)[\s-](?P<unit>day|week|month)s?\b"
    r"|(?<!第)(?P<zh>\d{1,2}|[一两二三四五六七八九十]{1,2})\s?(?P<unit_zh>天|个?周(?![一二三四五六日末])"
    r"|个?星期(?![一二三四五六日天])|个月)(?:内|之内|以内|后"
    r"|的?时间|备考|准备|完成|搞定|学|减|达到|(?=[^份日号]))",
    re.IGNORECASE,
)


def _lasting(text: str, asked: "Asked") -> tuple[str, str] | None:
    """From today on, where a goal says how long it takes: "in 3 months"."""
    from dateutil.relativedelta import relativedelta

    from engine.lexicon.reading.numbers import number

    match = _LASTING.search(text)
    if match is None:
        return None
    said = match["n"] or match["zh"]
    count = 1 if said.lower() == "a" else number(said)
    if not count:
        return None
    unit = match["unit"] or {"天": "day", "周": "week", "期": "week", "月": "month"}[match["unit_zh"][-1]]
    step = {"day": relativedelta(days=count), "week": relativedelta(weeks=count), "month": relativedelta(months=count)}
    return asked.day.isoformat(), (asked.day + step[unit.lower()]).isoformat()


def _time(text: str, asked: "Asked") -> tuple[str, str]:
    from engine.lexicon.reading.times import main_time, times_in

    when = main_time(times_in(text, asked))
    if when is None or when.exact == "vague":
        return "", ""
    return when.first, when.last


def sentences_of(text: str) -> Iterator[str]:
    """The sentences of a text, one after the other."""
    for line in text.splitlines():
        yield from _sentences(line)
