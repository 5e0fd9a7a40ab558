"""Reads what a fact demands of the tasks of a plan: how long something takes, what comes first, who does what, what is
done already.

Careful, since every model's plan is held against it: a sentence of which the form is not known demands nothing here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from engine.deliberation.people_named import ENGLISH_DOES
from engine.deliberation.situation import Situation, clauses_of, iso
from engine.deliberation.words import words_of
from engine.facts.language import language_of
from engine.kernel import FactKind, HandedFact
from engine.lexicon.constraint_patterns import days_ahead

Says = Literal["lasts", "ahead", "due", "order", "does", "done"]

_N: Final = r"(?P<n>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_N_ZH: Final = r"(?P<n>\d{1,3}|[一两二三四五六七八九十]{1,3})"
_ABOUT: Final = r"(?:about |at least |up to |around |roughly |almost |another |a full )*"
_UNIT: Final = r"(?P<unit>working days?|business days?|days?|weeks?|months?)\b"
_LASTS: Final = (
    re.compile(
        rf"^(?P<what>[^,]{{3,80}}?)\s(?:(?:usually|normally|always|will|alone|itself|typically|also|still|then)\s)*"
        rf"(?:takes?|lasts?|requires?|needs?|runs? for|(?:has|have) a lead time of)\s{_ABOUT}{_N}[\s-]{_UNIT}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^(?P<what>[^,]{{3,80}}?)\s(?:must|has to|have to|needs? to|should)\sbe\s(?P<verb>ordered|booked|requested"
        rf"|applied"
        rf" for|submitted|sent|announced|registered|reserved)\s{_ABOUT}{_N}\s{_UNIT}\s(?:ahead|in advance|before)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^(?:allow|plan|reserve|we need|it takes)\s{_ABOUT}{_N}\s{_UNIT}\s(?:for|to get)\s(?P<what>[^,]{{3,80}})$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?P<what>[^，,]{2,30}?)(?:大概|大约|一般|通常|至少|最少|最快|也|还|都)*(?:需要?|要花?|耗时|花费?"
        r"|得花?|历时|周期(?:是|为)?"
        rf"|(?:要|需要?|得|必须)?提前)(?:大概|大约|至少|最少)?{_N_ZH}个?(?P<unit>工作日|天|周|星期|月)(?!内"
        rf"|之内|以内)"
    ),
)
_MODAL: Final = r"(?:must|has to|have to|should|needs? to|will|can only|may only|is to|are to)"
_ORDER: Final = (
    (re.compile(rf"^(?P<first>[^,]{{3,80}}?)\s(?:{_MODAL}\s)?(?:come|happen|be done|be finished|go|be ready)?\s?"
                r"before\s(?P<then>[^,]{3,80})$", re.IGNORECASE)),
    (re.compile(rf"^(?P<then>[^,]{{3,80}}?)\s{_MODAL}\s(?:come|happen|start|begin|follow)?\s?(?:only\s)?"
                r"(?:after|once|when)\s(?P<first>[^,]{3,80})$", re.IGNORECASE)),
    (re.compile(r"^(?P<then>[^,]{3,80}?)\s(?:cannot|can't|can not|must not|may not|won't|should not)\s(?:start|begin"
                r"|happen|be \w+|go out|go live)\s(?:until|before|unless)\s(?P<first>[^,]{3,80})$", re.IGNORECASE)),
    (re.compile(r"^first\s(?:we\s)?(?P<first>[^,]{3,80}?),?\s(?:and\s)?(?:only\s)?then\s(?:we\s)?(?P<then>.{3,80})$",
                re.IGNORECASE)),
    (re.compile(r"^(?P<then>[^,]{3,80}?)\sdepends?\son\s(?P<first>[^,]{3,80})$", re.IGNORECASE)),
    (re.compile(r"^(?:必须|要|得|应该|需要)?先(?P<first>[^，,再然才]{2,24})[，,]?(?:，)?(?:然后再?|再|才能?)(?P<then>.{2,24})$")),
    (re.compile(r"^(?P<first>[^，,]{2,24}?)(?:之后|以后|完|后)[，,]?才能?(?:开始)?(?P<then>.{2,24})$")),
    (re.compile(r"^(?P<then>[^，,]{2,24}?)(?:之前|以前|前)[，,]?(?:必须|要|得|需要|应该|务必)先?(?P<first>.{2,24})$")),
    (re.compile(r"^(?P<first>[^，,]{2,24}?)(?:必须|要|得|需要|应该)在(?P<then>.{2,24}?)(?:之前|以前|前)(?:完成|做完|搞定|结束)?$")),
)  # fmt: skip
_DOES_ZH: Final = re.compile(r"^(?:来|会|将|要|可以|能)?(?:负责|来做|承担)(?P<what>.{2,24})$")
_BY_ZH: Final = re.compile(r"^(?P<what>.{2,24}?)(?:都|全)?(?:由|让|请|交给)$")
_VERB_ZH: Final = re.compile(
    r"^(?:来|会|将)?(?P<what>(?:写|做|设计|准备|翻译|拍|剪辑|制作|联系|预订|采购|买|组织|主持|测试|开发).{1,22})$"
)
_DONE: Final = re.compile(
    r"^(?P<what>.{2,80}?)\s(?:is|are|was|were|has been|have been|'s)\s(?:already\s)(?:\w+)(?:\salready)?\W*$"
    r"|^(?P<what2>.{2,80}?)\s(?:is|are|was|were|has been|have been)\s(?:\w+ed|done|ready|built|written"
    r"|bought|made|sent|sold|paid)\salready\W*$"
    r"|^(?:we|i|they)\s(?:have\s)?already\s(?:have\s)?(?P<what3>.{3,80})$"
    r"|^(?P<what4>[^，,]{2,24}?)(?:已经|早就|都已)(?:经)?(?:预?订好?|定好?|完成|做好|买好?|签好?|确认|准备好"
    r"|写好|付清?|弄好)了?$"
    r"|^(?:我们)?已经?(?P<what5>(?:预订|订|完成|买|签|确认|准备|写|做)(?:好|完)?了?.{2,20})$",
    re.IGNORECASE,
)
_NO_STEP: Final = re.compile(
    r"\b(?:cannot|can't|can|not|never|only|away|busy|free|available|nobody)\W*$|不能?$|没空$", re.IGNORECASE
)
"""What ends so is no step of a plan: "Ann cannot before ..."."""
_CLOCK: Final = re.compile(
    r"\d{1,2}(?::\d\d|\s?(?:am|pm|o'clock|点|时|h\b))|\b(?:noon|midnight|lunch|dark)\b|上午|下午|晚上", re.IGNORECASE
)
_NOTHING: Final = frozenset("it this that they he she everything all we i there 它 这 那 全部 整个 一切".split())  # noqa: SIM905


_WISHES: Final = (FactKind.CONDITION, FactKind.REQUEST)
"""What somebody wants some days before is held against the plan as a condition."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What a fact says of what is to be done."""

    fact: HandedFact
    says: Says
    what: str
    """What it is about, in the fact's own words."""
    then: str = ""
    """What comes after it, where it is about an order."""
    days: int = 0
    """How long it takes, or how long before all the rest it has to be done."""
    day: date | None = None
    """On which day it is."""
    person_id: str = ""
    """Who does it."""


def demands(situation: Situation) -> tuple[Demand, ...]:
    """What all facts demand of the tasks."""
    if demands not in situation.known:
        found = (
            demand
            for fact in situation.facts
            if fact.kind not in _WISHES or days_ahead(fact.text) is None
            for clause in clauses_of(fact.text)
            if not situation.is_of_other_option(clause)
            for demand in _read(situation, fact, clause.strip(" .。!！"))
        )
        situation.known[demands] = tuple(found)
    read: tuple[Demand, ...] = situation.known[demands]
    return read


def _read(situation: Situation, fact: HandedFact, clause: str) -> Iterator[Demand]:
    if said := _lasting(fact, clause) or _due(situation, fact, clause):
        yield said
        return
    if done := _done(fact, clause):
        yield done
        return
    if order := _order(situation, fact, clause):
        yield order
        return
    for part in re.split(r"[，,]\s?", clause):
        yield from _doing(situation, fact, part)


def _lasting(fact: HandedFact, clause: str) -> Demand | None:
    from engine.lexicon.reading.numbers import number

    for form in _LASTS:
        match = form.match(clause)
        if match is None or not _is_thing(match["what"]):
            continue
        said = match["n"].lower()
        count = 1 if said in ("a", "an") else number(said)
        unit = match["unit"].lower()
        days = {"d": 1, "w": 7, "m": 30, "天": 1, "周": 7, "星": 7, "月": 30, "工": 1.4, "b": 1.4}
        each = 1.4 if unit.startswith("working") else days[unit[0]]
        if count:
            is_ahead = form is _LASTS[1] or "提前" in match[0]
            what = f"{match['what']} {match['verb']}" if form is _LASTS[1] else match["what"]
            return Demand(fact, "ahead" if is_ahead else "lasts", tidy(what), days=round(float(count) * each))
    return None


_DUE: Final = re.compile(
    r"^(?P<what>[^,]{3,60}?\s(?:arrives?|closes?|ends?|comes? in|(?:is|are) (?:due|ready|delivered|published)))\s"
    r"(?:only\s)?(?:on|by|at)\s"
    r"|^(?P<zh>[^，,]{2,16}?)(?:在|于|要在|最晚)?(?=\d{1,2}月\d{1,2}[日号]).{0,12}?(?P<verb_zh>截止|到货|交稿"
    r"|到位|送达|公布)$",
    re.IGNORECASE,
)


def _due(situation: Situation, fact: HandedFact, clause: str) -> Demand | None:
    """What has a day of its own: "The registration closes on 1 February"."""
    from engine.lexicon.reading.times import times_in

    match, asked = _DUE.match(clause), situation.asked
    if match is None or asked is None or not _is_thing(match["what"] or match["zh"]):
        return None
    found = [each.value for each in times_in(clause, asked) if each.value.exact != "vague" and each.value.last]
    day = iso(found[0].last) if len(found) == 1 else None
    if day is None or situation.person_in(clause) is not None:
        return None
    what = match["what"] or f"{match['zh']}{match['verb_zh']}"
    return Demand(fact, "due", tidy(what), day=day)


def _done(fact: HandedFact, clause: str) -> Demand | None:
    match = _DONE.match(clause)
    what = next(filter(None, match.groups()), "") if match else ""
    return Demand(fact, "done", tidy(what)) if what and _is_thing(what) else None


def _order(situation: Situation, fact: HandedFact, clause: str) -> Demand | None:
    for form in _ORDER:
        match = form.match(clause)
        if match is None:
            continue
        first, then = match["first"], match["then"]
        if _NO_STEP.search(first) or _CLOCK.search(then) or _CLOCK.search(first):
            return None
        if _is_thing(first) and _is_thing(then) and not _names_a_day(situation, first, then):
            return Demand(fact, "order", tidy(first), then=tidy(then))
    return None


def _doing(situation: Situation, fact: HandedFact, clause: str) -> Iterator[Demand]:
    person = situation.person_in(clause)
    if person is None or _names_a_day(situation, clause):
        return
    said = re.sub(re.escape(person.name), "\0", clause, count=1, flags=re.IGNORECASE)
    before, _, after = said.partition("\0")
    what = ""
    if language_of(clause) == "en":
        match = ENGLISH_DOES.match(after)
        if match and not before.strip():
            verb = _BASES.get(match["verb"].lower(), match["verb"].lower())
            what = f"{verb} {match['what']}" if verb else match["what"]
    else:
        match = _DOES_ZH.match(after) or _VERB_ZH.match(after)
        if (match and not before.strip()) or (
            (match := _BY_ZH.match(before)) and re.match(r"^(?:来|去)?(?:负责|做|写|设计|处理|完成)?$", after)
        ):
            what = match["what"]
    if what and _is_thing(what):
        yield Demand(fact, "does", tidy(what), person_id=person.person_id)


_BASES: Final = {
    "does": "do", "do": "do", "takes care of": "", "take care of": "", "is responsible for": "", "is in charge of": "",
    "looks after": "", "look after": "", "handles": "", "handle": "", "owns": "", "manages": "manage",
} | {
    f"{each}s": each
    for each in (
        "write", "design", "lead", "build", "prepare", "book", "organise", "organize", "run", "make", "create", "draw",
        "cook", "bring", "coordinate", "edit", "translate", "film", "buy", "order", "test", "print", "host", "moderate",
    )
}  # fmt: skip


def _is_thing(what: str) -> bool:
    said = what.strip().lower()
    return said not in _NOTHING and bool(words_of(said) - {"whole", "everyth"})


def _names_a_day(situation: Situation, *texts: str) -> bool:
    from engine.lexicon import constraint_patterns
    from engine.lexicon.reading.times import times_in

    asked = situation.asked
    return any(
        (asked is not None and any(each.value.exact != "vague" for each in times_in(text, asked)))
        or any([*reader(text.lower())] for reader in constraint_patterns.READERS[:1])
        for text in texts
    )


_TIDY: Final = (
    (re.compile(r"^(?:and|also|then|but|we|you|i|they|people)\s+(?:can\s|must\s|have to\s)?", re.IGNORECASE), ""),
    (re.compile(r"\s(?:must|has to|have to|should|needs? to|will)\sbe\s", re.IGNORECASE), " "),
    (re.compile(r"\s(?:is|are|has been|have been|was|were)\s(?=\w+(?:ed|n|t|ne|dy)$)", re.IGNORECASE), " "),
    (
        re.compile(
            r"\s(?:(?:must|has to|have to|should)\s)?(?:comes?|finish(?:es)?|starts?|begins?"
            r"|happens?)$",
            re.IGNORECASE,
        ),
        "",
    ),
    (re.compile(r"^(?:the|a|an|our|my|your|their)\s+", re.IGNORECASE), ""),
    (re.compile(r"^(?:要|得|必须|需要|应该|我们|大家|先)+"), ""),
    (re.compile(r"(?:了|必须|需要|要|得|也|还)$"), ""),
)


def tidy(what: str) -> str:
    """Words of a fact as a short title."""
    what = what.strip(" .。,，")
    for form, instead in _TIDY:
        what = form.sub(instead, what).strip()
    return what[:1].upper() + what[1:] if what else what
