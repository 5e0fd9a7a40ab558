"""Finds cities of the world by their names in both languages, and that something is online."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from itertools import pairwise

from engine.facts.language import Language
from engine.lexicon.forms import Form
from engine.lexicon.reading.asked import LONGEST, Found

FILE = files("engine.facts").joinpath("cities.tsv")
"""It comes with the code, and is as constant as the patterns here; so what rests on it is pure."""

LARGE = 1_000
"""Thousands of people, from which on a name is read wherever it stands, also in lower case."""


@dataclass(frozen=True, slots=True)
class Place:
    en: str
    zh: str
    """Empty where it is not known."""
    time_zone: str = ""
    """IANA; empty for what is online."""
    thousands: int = 0
    """Of people who live there."""
    part: str = field(default="", compare=False)
    """The district of it that was named, in lower case; empty where it was the whole."""

    def said_in(self, language: Language) -> str:
        return (self.zh or self.en) if language == "zh" else self.en


ONLINE = Place("online", "线上")

_DISTRICTS = {
    "Beijing": "望京 中关村 三里屯 五道口 海淀 朝阳区 国贸 亦庄",
    "Shanghai": "徐汇 静安 浦东 张江 杨浦 浦西 闵行 陆家嘴 虹桥 pudong",
    "Shenzhen": "南山区 福田 华强北 宝安区",
    "Guangzhou": "天河区",
    "Hangzhou": "西湖区 滨江区",
    "Hong Kong": "九龙 新界 kowloon",
    "Tokyo": "涩谷 新宿 shibuya shinjuku",
    "London": "shoreditch soho camden canary_wharf",
    "Berlin": "kreuzberg neukölln mitte",
    "New York": "brooklyn manhattan 曼哈顿 布鲁克林",
}
_ALIASES = {
    "Beijing": "peking",
    "Guangzhou": "canton",
    "Xi'an": "xian",
    "Hong Kong": "hongkong",
    "San Francisco": "湾区 三藩市 bay_area sf",
    "New York": "nyc new_york_city",
    "Los Angeles": "洛城",
    "Washington": "washington_dc 华盛顿",
    "Munich": "münchen muenchen",
    "Köln": "cologne koeln",
    "Zürich": "zurich zuerich",
    "Geneva": "genève genf",
    "Vienna": "wien",
    "Milan": "milano",
    "Rome": "roma",
    "Lisbon": "lisboa",
    "Prague": "praha",
    "Copenhagen": "københavn",
    "Warsaw": "warszawa",
    "Brussels": "bruxelles",
    "Bengaluru": "bangalore",
    "Mumbai": "bombay",
    "Kyiv": "kiev",
    "Taipei": "台北市 臺北",
    "Ho Chi Minh City": "saigon 胡志明",
}
"""Parts of cities, and other names that people say; a space stands as ``_``."""
_ONLINE = Form(
    r"线上|网上|腾讯会议|在线活动|在线举办|在线(?:会议|分享|直播|课|进行|参加)|视频会议|远程参(?:加|会)|云端会议"
    r"|\b(?:online|virtual(?:ly)?|over zoom|on zoom|via zoom|by video call|via teams|webinars?|over video)\b",
    re.IGNORECASE,
)
_WORDS_TOO = (
    "of most same bar nice mobile split reading male orange bath victoria lincoln jackson madison austin "
    "charlotte chandler surprise normal enterprise paradise temple golden union hope deal march essen "
    "hamm san santa la come florence paris_hilton central university mission salt_lake independence worth "
    "best mary sale date young orlando phoenix buffalo columbia aurora georgetown kingston hamilton "
    "wellington valencia cordoba leon lima surat salem"
)
_NOT_PLACES = frozenset(_WORDS_TOO.split())
"""Names that are words or first names too, in lower case: they are read only in capitals and after "in" or the like."""
_LEADS = frozenset(("in", "at", "near", "around", "to", "from", "outside", "across", "visit", "visiting", "via", "for"))
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ASCII_WORD = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?")
"""The same of a text in ASCII, in a third of the time."""
_HAN = re.compile(r"[\u4e00-\u9fff]{2,}")
_LONGEST_EN = 4
"""Words of a name."""
_LONGEST_ZH = 8
"""Characters of a name."""
_BEFORE_ZH = re.compile(r"(?:在|到|去|来|于|从|往|和|、|赴|抵|驻|飞|回|人在|坐标|[,，。:：\s]|^)$")
_AFTER_ZH = re.compile(r"市|站|本地|线下|机场|办|举|召|开|见|的|出差|分公司|办公室|[,，。\s]|$")


@cache
def _english() -> dict[str, Place]:
    return _names()[0]


@cache
def _first_words() -> dict[str, int]:
    """How many words the longest name has that begins with a word, in lower case."""
    found: dict[str, int] = {}
    for name in _english():
        first, *others = name.split(" ")
        found[first] = max(found.get(first, 0), 1 + len(others))
    return found


@cache
def _chinese() -> dict[str, Place]:
    return _names()[1]


@cache
def _names() -> tuple[dict[str, Place], dict[str, Place]]:
    english: dict[str, Place] = {}
    chinese: dict[str, Place] = {}
    for line in FILE.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        en, zh, zone, thousands, others = line.split("\t")
        place = Place(en, zh, zone, int(thousands))
        for name in filter(None, (en, zh, *others.split(","), *_said(_ALIASES, en))):
            known = chinese if _HAN.fullmatch(name) else english
            known.setdefault(name.lower().replace("’", "'").replace("-", " "), place)
        for name in _said(_DISTRICTS, en):
            known = chinese if _HAN.fullmatch(name) else english
            known.setdefault(name, replace(place, part=name))
    return english, chinese


def _said(names: Mapping[str, str], city: str) -> list[str]:
    return [each.replace("_", " ") for each in names.get(city, "").split()]


def places_in(text: str) -> list[Found[Place]]:
    """Every place that a text names, in its order."""
    plain = text[:LONGEST]
    found = [Found(ONLINE, match.start(), match.end()) for match in _ONLINE.finditer(plain)]
    if not plain.isascii():
        found += _in_english(plain)
        found += _in_chinese(plain)
    elif _may_be_named(_ASCII_WORD.findall(plain.lower())):
        found += _in_english(plain)
    return sorted(found, key=lambda each: each.start)


def _may_be_named(words: list[str]) -> bool:
    """Whether a place may be named in these words: by one of them, or by what begins with two of them."""
    alone, first_two = _beginnings()
    return not (alone.isdisjoint(words) and first_two.isdisjoint(pairwise(words)))


@cache
def _beginnings() -> tuple[frozenset[str], frozenset[tuple[str, ...]]]:
    """The names of places that are one word, and the first two words of the others, in lower case."""
    names = [tuple(name.split(" ")) for name in _english()]
    return frozenset(each[0] for each in names if len(each) == 1), frozenset(each[:2] for each in names)


def _in_english(text: str) -> list[Found[Place]]:
    text = text.replace("’", "'")
    words, longest = list((_ASCII_WORD if text.isascii() else _WORD).finditer(text)), _first_words()
    beginnings = [(at, longest[low]) for at, word in enumerate(words) if (low := word[0].lower()) in longest]
    found: list[Found[Place]] = []
    after = 0
    for at, most in beginnings:
        for count in range(min(_LONGEST_EN, most) if at >= after else 0, 0, -1):
            run = words[at : at + count]
            if len(run) < count or any(
                text[one.end() : other.start()] not in (" ", "-", ". ") for one, other in pairwise(run)
            ):
                continue
            name = " ".join(word[0] for word in run)
            place = _english().get(name.lower())
            if place is not None and _is_meant(text, name, place, words[at - 1][0].lower() if at else ""):
                found.append(Found(place, run[0].start(), run[-1].end()))
                after = at + count
                break
    return found


def _is_meant(text: str, name: str, place: Place, before: str) -> bool:
    """Whether the words around make it the city, and not the word or the person of that name."""
    capital, led = name[0].isupper(), before in _LEADS
    if name.lower() in _NOT_PLACES or len(name) < 4:
        return (capital and led) or name in ("NYC", "SF", "LA") or name.lower() in ("nyc",)
    if place.thousands >= LARGE or " " in name or name.lower() in _aliases():
        return capital or len(name) > 4 or led
    return capital and (led or text.lower().strip().startswith(name.lower()) or before in ("and", "or"))


@cache
def _aliases() -> frozenset[str]:
    return frozenset(name for names in (_ALIASES, _DISTRICTS) for city in names for name in _said(names, city))


def _in_chinese(text: str) -> list[Found[Place]]:
    found: list[Found[Place]] = []
    for run in _HAN.finditer(text):
        at = run.start()
        while at < run.end() - 1:
            size = 1
            for length in range(min(_LONGEST_ZH, run.end() - at), 1, -1):
                name = text[at : at + length]
                place = _chinese().get(name)
                if place is not None and _is_meant_zh(text, at, at + length, name, place):
                    found.append(Found(place, at, at + length))
                    size = length
                    break
            at += size
    return found


def _is_meant_zh(text: str, start: int, end: int, name: str, place: Place) -> bool:
    if place.thousands >= LARGE or name in _aliases():
        return True
    return bool(_BEFORE_ZH.search(text[max(0, start - 3) : start]) and _AFTER_ZH.match(text[end : end + 4]))


def place_in(text: str) -> Place | None:
    """The first place a text names."""
    return next((each.value for each in places_in(text)), None)


def same_place(one: str, other: str) -> bool:
    """Whether two texts name the same place; unknown places are compared as they are written."""
    return (place_in(one) or one.strip().lower()) == (place_in(other) or other.strip().lower())
