"""The slots of a position, by which two positions are compared, and how they are read from a text.

A plan that comes as data fills them itself: the names are then the ids or titles of its tasks. Of a text they are read
in Chinese and English, with values that are the same in both.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from typing import Annotated, Final, Literal

from engine.facts.asked import Asked
from engine.facts.circumstances import When
from engine.facts.language import language_of
from engine.kernel.message import PRIVATE, Message
from engine.lexicon.forms import Form
from engine.lexicon.measures import amounts_in, counts_in, without
from engine.lexicon.negation import JUDGING
from engine.lexicon.reading.numbers import number
from engine.lexicon.reading.places import places_in
from engine.lexicon.reading.times import times_in
from engine.lexicon.stances import Stances, stances_in
from engine.lexicon.stems import STOP_WORDS, stemmed
from engine.lexicon.surnames import begins_with_surname

LONGEST: Final = 4_000
"""Characters of a position that are read."""
UNDATED: Final = Asked(date(2001, 1, 1))
"""A Monday. Days without a year count from it where nobody says when the position was taken: only equality matters."""

_QUARTER: Final = re.compile(r"(?<![第\d个前后头整])(?=[一二三四1-4]季度)")
"""四季度 is the fourth quarter, and not four of them."""
_MORNING: Final = re.compile(r"早上|早晨")
_HALF_PAST: Final = re.compile(r"\bhalf past (\w{1,6})\b", re.IGNORECASE)

Stance = Literal["yes", "no", "conditional", ""]


class NamedValue(Message):
    """A value, and what it is of; an empty name stands for whatever the position is about."""

    name: Annotated[str, PRIVATE]
    value: Annotated[str, PRIVATE]


class Slots(Message):
    """What a position says."""

    conclusion: Annotated[str, PRIVATE] = ""
    """In its own words, in any language."""
    decision: str = ""
    """A `Stance`, and after a colon the option that was chosen, if one was: ``yes``, ``yes: Lisbon``."""
    dates: tuple[NamedValue, ...] = ()
    """A day or a time of day (``2027-05-03``, ``14:00``), or two with a slash between: a span, or a deadline without
    the first (``/2027-05-03``)."""
    quantities: tuple[NamedValue, ...] = ()
    owners: tuple[NamedValue, ...] = ()


@lru_cache(maxsize=512)
def read_slots(text: str, asked: Asked = UNDATED) -> Slots:
    """Read a position. It never fails.

    Args:
        asked: when and where it was taken, from which its days are counted.
    """
    said = text[:LONGEST]
    text = _HALF_PAST.sub(_half_past, _QUARTER.sub("第", _MORNING.sub("上午", said)))
    stances = stances_in(text)
    amounts = amounts_in(text)
    rest = without(text, ((each.start, each.end) for each in amounts))
    times = times_in(rest, asked)
    rest = without(rest, ((each.start, each.end) for each in times))
    counted = [*amounts, *counts_in(rest)]
    owners = [*_owners(text), *_parties(text)]
    option = " / ".join(dict.fromkeys((*_places(text), *_names(text, owners))))
    stance = stance_of(stances)
    return Slots(
        conclusion=said.strip(),
        decision=f"{stance}: {option}" if option else stance,
        dates=_unique(NamedValue(name=name, value=value) for each in times for name, value in _dates(each.value)),
        quantities=_unique(NamedValue(name=each.what, value=each.value) for each in counted),
        owners=_unique(NamedValue(name="", value=each) for each in owners),
    )


def _half_past(said: re.Match[str]) -> str:
    hour = number(said[1])
    return said[0] if hour is None else f"{hour}:30"


def split_decision(decision: str) -> tuple[str, tuple[str, ...]]:
    """Return the stance, and the options."""
    stance, _, option = decision.partition(":")
    return stance.strip().lower(), tuple(each.strip().casefold() for each in option.split("/") if each.strip())


def options_of(decision: str) -> tuple[str, ...]:
    return split_decision(decision)[1]


def stance_of(stances: Stances) -> Stance:
    """Whether a position is for what it is about, against it, or for it on a condition."""
    if stances.is_conditional:
        return "conditional"
    said = {value for axis in JUDGING if (side := stances.sides.get(axis)) for value in side.said}
    return "no" if "no" in said else "yes" if "yes" in said else ""


def _unique(values: Iterable[NamedValue]) -> tuple[NamedValue, ...]:
    found: dict[tuple[str, str], NamedValue] = {}
    for each in values:
        found.setdefault((each.name, each.value), each)
    return tuple(found.values())


def _dates(when: When) -> Iterator[tuple[str, str]]:
    if when.first or when.last:
        yield "", when.first if when.first == when.last else f"{when.first}/{when.last}"
    if when.start:
        yield "time of day", when.start


def _places(text: str) -> list[str]:
    return sorted({each.value.en for each in places_in(text) if each.value.en != "online"})


_CAPITAL: Final = re.compile(
    r"(?<![.!?:;\n] )(?<![.!?:;\n])(?<=[ (/\u3000-\u9fff])[A-Z][A-Za-z0-9+#]{0,20}(?![A-Za-z])"
)
_LATIN: Final = re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+#]{1,20}(?![A-Za-z])")


def _names(text: str, owners: Iterable[str]) -> list[str]:
    """What is called by a name with Latin letters, besides people and places: products, companies."""
    form = _LATIN if language_of(text) == "zh" else _CAPITAL
    known = {word for each in (*owners, *_places(text)) for word in each.lower().split()}
    return sorted(
        {
            low
            for match in form.finditer(text)
            if (low := match[0].lower()) not in known
            and low not in _NO_NAMES
            and not _is_thing(low)
            and not stances_in(low).sides
        }
    )


# ── owners ────────────────────────────────────────────────────────────────────────────────────────────────────────

_NAME = r"(?:(?:Dr|Mr|Ms|Mrs|Prof|Professor)\.? )?(?P<name>[A-Z][a-zà-ÿ]+(?:[ -][A-Z][a-zà-ÿ]+){0,2})"
_TASKS = (
    r"(?:owns?\b|leads?\b|handles?\b|manages?\b|runs?\b|coordinates?\b|drives?\b"
    r"|organi[sz]es?\b|oversees?\b|supervises?\b"
    r"|takes? (?:over|care|charge|the lead|on)\b"
    r"|books?\b|prepares?\b|writes?\b|chairs?\b|hosts?\b|presents?\b|negotiates?\b|reviews?\b|decides?\b"
    r"|approves?\b|signs?\b|do\b|does\b|keeps?\b|gets?\b|be (?:responsible|in charge|accountable|the)|is (?:responsible"
    r"|in charge|accountable|the)|look(?:s)? after)"
)
_OWNER_EN: Final = (
    Form(rf"(?<![A-Za-z]){_NAME} (?:(?:should|will|must|shall|to|can|is to|has to|ought to|needs to) )?{_TASKS}"),
    Form(
        r"\b(?:[Oo]wned|[Ll]ed|[Hh]andled|[Mm]anaged|[Rr]un|[Dd]riven|[Oo]rgani[sz]ed|[Cc]oordinated|[Cc]haired)"
        rf" by {_NAME}"
    ),
    Form(rf"(?<![A-Za-z]){_NAME}['’]s (?:responsibility|job|task|duty|call)"),
    Form(
        r"\b(?:[Aa]ssign|[Gg]ive|[Hh]and|[Ll]eave|[Pp]ut|[Mm]ake|[Ll]et|[Hh]ave|[Aa]sk|[Aa]ppoint|[Nn]ominate)\b"
        rf"[^.,;\n]{{0,50}}?(?<![A-Za-z]){_NAME}"
    ),
    Form(rf"\b(?:responsibility|responsible|charge|owner|lead|job)\b[^.,;\n]{{0,30}}?(?<![A-Za-z]){_NAME}"),
    Form(rf"\b(?:to|by|with) {_NAME}(?=\s?(?:[.,;]|$))"),
)
_OWNER_ZH: Final = (
    Form(r"(?:由|让|交给|交由|请|派|归|委托|安排|任命|指定)(?P<name>[\u4e00-\u9fff]{2,4}|[A-Z][A-Za-z ]{1,20})"),
    Form(
        r"(?P<name>[\u4e00-\u9fff]{2,3}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)\s?(?:应该|应当|应|来|要|会|将)?\s?"
        r"(?:负责|牵头|主导|承担|跟进|主持|统筹|对接|管)"
    ),
    Form(
        r"(?:负责人|责任人|牵头人|主讲|主持人)(?:是|为|：|:|定为|换成|改为)?(?P<name>[\u4e00-\u9fff]{2,3}|[A-Z][a-z]+)"
    ),
)
_PARTIES: Final[Mapping[str, str]] = {
    "school": "school|学校|校方",
    "parent": "parent|family|families|家长|父母",
    "company": "company|employer|firm|公司|单位|企业",
    "employee": "employee|staff|worker|员工|职工",
    "customer": "customer|client|buyer|客户|顾客|买方",
    "supplier": "supplier|vendor|seller|供应商|卖方",
    "landlord": "landlord|房东",
    "tenant": "tenant|租客|租户",
    "organiser": "organiser|organizer|host|主办方|组织者",
    "sponsor": "sponsor|赞助商|赞助方",
    "volunteer": "volunteer|志愿者",
    "student": "student|pupil|学生",
    "guest": "guest|participant|attendee|visitor|嘉宾|参加者|与会者|游客",
    "government": "government|city|council|政府|市政府",
}
"""Who may have to pay or to act, where it is not a person."""
_PARTY = "(?P<party>" + "|".join(each for said in _PARTIES.values() for each in said.split("|")) + ")"
_PARTY_FORMS: Final = (
    Form(rf"由{_PARTY}(?=[^，。；]{{0,12}}(?:负责|承担|出|付|买单|支付|组织|提供|安排))"),
    Form(rf"{_PARTY}(?:自己|自行)?(?:来|应该|应当|应|要|需|须|必须)?(?:负责|承担|出钱|出资|自付|自理|买单|支付)"),
    Form(rf"(?:paid|covered|borne|organi[sz]ed|provided|funded) by (?:the |our |each )?{_PARTY}(?:s|es)?\b"),
    Form(
        rf"\b{_PARTY}s? (?:(?:should|will|must|shall|has to|have to|ought to|needs? to) )?"
        r"(?:pays?|covers?|bears?|organi[sz]es?|provides?)\b"
    ),
)
_PARTY_OF: Final = {each: party for party, said in _PARTIES.items() for each in said.split("|")}

_FIRST_WORDS: Final = """
    dr mr ms mrs prof all every each no not only once after before please team january february march april may
    june july august september october november december monday tuesday wednesday thursday friday saturday sunday
    zoom slack qa
    """
_NO_NAMES: Final = STOP_WORDS | frozenset(_FIRST_WORDS.split())


def _owners(text: str) -> Iterator[str]:
    """The names of persons, in the order in which they are found."""
    for form in _OWNER_EN:
        for match in form.finditer(text):
            words = [word for word in match["name"].split() if word.lower() not in _NO_NAMES]
            if words and not stances_in(" ".join(words)).sides and not _is_thing(words[0]):
                yield " ".join(words).lower()
    for form in _OWNER_ZH:
        for match in form.finditer(text):
            name = match["name"]
            if name.isascii():
                yield name.strip().lower()
            elif (person := _person(name)) is not None:
                yield person


def _parties(text: str) -> Iterator[str]:
    """Who has to pay or to act, where it is not a person."""
    low = text.lower()
    return (_PARTY_OF[match["party"]] for form in _PARTY_FORMS for match in form.finditer(low))


def _is_thing(word: str) -> bool:
    """Whether a word that is written with a capital is one that everybody knows."""
    return any(each != stemmed(word.lower()) for each in stances_in(word).things)


_AFTER_NAME: Final = re.compile(
    r"(?:来|负责|牵头|主持|去|做|承担|跟进|主导|的|预|订|谈|管|出|在|担|统|对|安|组|带|写|审).*$"
)


def _person(said: str) -> str | None:
    """The name of a Chinese person: a surname, and one or two characters."""
    name = _AFTER_NAME.sub("", said)
    if 2 <= len(name) <= 3 and begins_with_surname(name) and not _is_word(name):
        return name
    if len(name) == 3 and begins_with_surname(name[1:]) and not _is_word(name[1:]):
        return name[1:]  # 订李雷负责
    return None


def _is_word(name: str) -> bool:
    if name[-1] in "部组团处室方队会家人员":
        return True
    return any(len(each) != 2 or each not in name for each in stances_in(name).things)
