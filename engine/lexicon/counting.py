"""What people are called, and how many of them come with somebody."""

import re
from functools import cache, lru_cache
from typing import Final

_PEOPLE: Final = re.compile(
    r"(?:ers|ors|ists|ants|ians|ees|people|persons|staff|men|women|volunteers|hosts|guests|judges|nurses|coaches|guides"
    r"|interns|students|helpers|hands|experts|speakers|leads)$",
    re.IGNORECASE,
)
_THINGS: Final = re.compile(
    r"(?:computers|printers|papers|posters|flyers|banners|stickers|servers|chargers|projectors|monitors|dinners|numbers"
    r"|orders|offers|letters|meters|containers|tokens|plants|restaurants|tickets|speakers' desks)$",
    re.IGNORECASE,
)
_PEOPLE_ZH: Final = re.compile(r"(?:员|师|者|手|人|生|家|嘉宾|志愿者|主持|评委|教练|司仪|专家|顾问|工|医|护士|导游)$")


def name_people(words: str) -> bool:
    """Whether these words are what people are called, by their endings: speakers, 讲师."""
    words = words.strip()
    return bool(_PEOPLE_ZH.search(words) or (_PEOPLE.search(words) and not _THINGS.search(words)))


@cache
def _brings() -> tuple[tuple[re.Pattern[str], int], ...]:
    """How somebody says that more than themselves come, and how many of them that leaves out: "with two colleagues"."""
    from engine.lexicon.reading.numbers import ENGLISH  # the first text that is read loads it

    n = rf"(?:{ENGLISH}|\d{{1,2}})"
    n_zh = r"(?P<n>\d{1,2}|[一两二三四五六七八九十]{1,3})"
    return (
        (re.compile(rf"\b(?:bring|brings|bringing|provide|send)\s(?P<n>{n})\s(?P<what>[a-z][a-z -]{{1,40}})", re.I), 0),
        (re.compile(rf"(?:带来?|派|叫上|出)\s?{n_zh}\s?(?:个|位|名)(?P<what>[\u4e00-\u9fff]{{1,8}})"), 0),
        (
            re.compile(
                rf"\b(?:with|and|plus)\s(?P<n>{n})\s(?:of my\s)?(?:other\s)?"
                r"(?P<what>colleagues|friends|team ?mates|co-?workers|others)\b", re.I,
            ),
            1,
        ),
        (re.compile(rf"(?:和|跟|带上?|叫上)\s?{n_zh}\s?(?:个|位|名)(?P<what>同事|朋友|伙伴|队友|同学)"), 1),
        (re.compile(rf"\b(?:team|group|crew) of (?P<n>{n})\b(?P<what>)", re.I), 0),
        (re.compile(rf"{n_zh}\s?人(?P<what>团队|小组)"), 0),
    )  # fmt: skip


@lru_cache(maxsize=1024)
def brought_in(text: str) -> int:
    """How many people come with somebody, by what they say, themselves included where they count; 1 where they say
    nothing of it.
    """
    from engine.lexicon.reading.numbers import number

    most = 1
    for pattern, besides in _brings():
        for match in pattern.finditer(text):
            what = match["what"].strip()
            count = number(match["n"])
            words = " ".join(what.split()[:3])
            if count and (besides or not what or what in ("团队", "小组") or any(
                name_people(" ".join(words.split()[:size])) for size in range(1, 4)
            )):  # fmt: skip
                most = max(most, count + besides)
    return most
