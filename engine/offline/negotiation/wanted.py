"""Finds what a demand asks for in words of its own: "need a tattoo artist and two clowns", 需要一位修表师傅."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from engine.facts.asked import Asked
from engine.facts.shortening import shorten
from engine.lexicon.matching import tokens
from engine.lexicon.mentions import listed_topic, loose_mentions, topic_mentions, topics_in, undertaking_mentions
from engine.lexicon.reading.asked import blanked
from engine.lexicon.reading.quantities import quantities_in

LONGEST, MOST = 60, 5
_ANY_DAY = Asked(date(2026, 1, 1), "UTC")
"""Only where a text speaks of time matters here, and not which."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that a demand asks for, in its words."""

    what: str
    quantity: int = 0
    essential: bool = True


_LIST_EN = re.compile(
    r"\b(?:need(?:s|ed|ing)?|require[sd]?|looking for|look for|searching for|search for|seeking|missing|lacking"
    r"|could use|want(?!\s+to)|hire|find|recruit|get hold of)\s+(?!to\b)"
    r"(?P<list>(?:(?!\b(?:need(?:s|ed)?|requires?|looking for)\b)[^.;:!?\n])+)",
    re.IGNORECASE,
)
_WHO_EN = re.compile(
    r"^(?:some(?:one|body)|any(?:one|body)|people|persons?|colleagues?|help|a hand|an? (?:person|colleague|expert)"
    r"|(?:some |an? )?(?:feedback|advice|input|support|guidance|opinions?|ideas|second opinion|review))"
    r"\s*(?:who (?:can|could|knows(?: how to)?)|that can|with experience (?:in|of|with)"
    r"|who|that|to|for|with|from|in|on|about|of)\s+",
    re.IGNORECASE,
)
_END_EN = re.compile(
    r"(?<!\s)\s+(?:for|to|into|of|in|on|at|by|before|after|within|during|until|from|who|which|that|so|because|since|as|with|about|next|this"
    r"|now|asap|urgently|please|tomorrow|today|tonight|soon|per|if|when|where|while|we|i|it|is|are|but)\b.*$"
    r"|(?<!\s)\s*[(\[].*$",
    re.IGNORECASE | re.DOTALL,
)
_SPLIT_EN = re.compile(r"(?<!\s)\s*(?:,|;|/|&|\+|\band\b|\bor\b|\bplus\b|\bas well as\b)\s*", re.IGNORECASE)
_LEAD_EN = re.compile(
    r"^(?:(?:an?|the|some|any|our|my|one|more|another|other|also|only|just|maybe|at least|about|good|great|new|few"
    r"|several|couple|of|\d+|two|three|four|five|six|seven|eight|nine|ten|dozen)\s+)+",
    re.IGNORECASE,
)
_ACT_EN = re.compile(
    r"\b(?:want to|would like to|'d like to|need to|have to|help (?:us|me)?\s*(?:to|with)?|some(?:one|body) to"
    r"|looking to|plan(?:ning)? to|(?:can|could) (?:some(?:one|body)|any(?:one|body)|you)|please)"
    r"\s+(?P<act>[^.;:!?\n]{3,})",
    re.IGNORECASE,
)
_ORDER_EN = re.compile(
    r"^\W*(?P<act>[a-z]+\s+(?:an?|the|my|our|this|these|those|all|up|\d+)\s+[^.;:!?\n]{3,})", re.IGNORECASE
)
_VAGUE = (
    "something anything nothing stuff thing things nice cool fun great good special help hand do make work works some "
    "any everything idea ideas support advice fix fast time times way lot bit kind one ones together out get have had "
    "there here no not can could should would what who how all more much many please need needed somehow project "
    "best better member members colleague colleagues person expert experts others going know think thinking results "
    "feedback day evening morning afternoon"
)
_VAGUE_EN = frozenset(_VAGUE.split())
_LIST_ZH = re.compile(
    r"(?:急需|还需要|需要|还要|要有|(?<![不只重主])要(?!求|是|不)|(?<!不)缺|还差|想找|寻找|找|征集|招募|招聘|招|求|聘请|请)"
    r"(?P<list>[^。；！？!?;,，\n]{2,40})"
)
_DEED_ZH = re.compile(r"(?:帮我们?|帮忙|想要?|打算|准备|计划|希望能?)(?P<list>[^。；！？!?;,，\n]{3,40})")
_WHO_ZH = re.compile(
    r"^(?:有人)?(?:一些|几|若干|更多|各|\d+|[一二两三四五六七八九十百]+)?\s*(?:个|位|名|台|张|间|场|份|套|辆|支|块|些|部)?"
    r"(?:懂|会|擅长|能|可以|熟悉|负责)?(?:专业的?|靠谱的?|合适的?|有经验的?|人手|人帮忙|人来|人员?(?=[^员])|人|同学|同事|朋友)?"
    r"(?:帮忙|帮我们?|来帮|来|去|做|搞)?(?:一下|一个|一份|一位|个)?"
)
_TAIL_ZH = re.compile(r"(?:的)?(?:人|同学|同事|朋友|小伙伴|高手|师傅们)?(?:吗|呢|吧|啊|了|一下|就行|即可|帮忙)*$")
_SPLIT_ZH = re.compile(r"[、/和与及跟]|以及|还有|并且")
_VAGUE_ZH = re.compile(
    r"什么|东西|帮助|支持|帮忙|建议|一起|大家|点啥|有意思|好玩|开心|放松|想法|意见|资源|我们|他们|你们|的话|时候|问题|机会|办法|方式"
)


@lru_cache(maxsize=256)
def things_in(text: str) -> tuple[Thing, ...]:
    """What is asked for that no topic and no undertaking is named for; where nothing is listed, the deed itself."""
    counted = {each.what.lower(): each.count for each in quantities_in(text)}
    found: dict[str, Thing] = {}
    known = [each.word for each in topic_mentions(text.lower())]
    for piece in _listed(text):
        if listed_topic(piece) is None and not any(piece.lower() in word for word in known):
            _keep(found, piece, counted)
    return tuple(found.values())[:MOST]


@lru_cache(maxsize=256)
def topics_listed_in(text: str) -> tuple[str, ...]:
    """The topics of words that name an ability only where a demand lists what it needs: "need a host and guests"."""
    return tuple(dict.fromkeys(key for piece in _listed(text) if (key := listed_topic(piece)) is not None))


@lru_cache(maxsize=256)
def _listed(text: str) -> tuple[str, ...]:
    plain = without_circumstances(text)
    return (*_listed_en(plain), *_listed_zh(plain))


@lru_cache(maxsize=256)
def deed_in(text: str) -> Thing | None:
    """What a demand wants done, where it lists nothing: "fix my tractor"; or what it counts: "3 clowns by Friday"."""
    plain = without_circumstances(text)
    found: dict[str, Thing] = {}
    for each in quantities_in(plain):
        if not _CIRCUMSTANCE.search(each.what):
            _keep(found, each.what, {each.what.lower(): each.count})
    if found:
        return next(iter(found.values()))
    for pattern in (_ACT_EN, _ORDER_EN):
        for match in pattern.finditer(plain):
            act = match["act"].strip(" ,")
            if _tells_en(act):
                return Thing(shorten(_tidy(act), LONGEST))
    for match in (*_LIST_ZH.finditer(plain), *_DEED_ZH.finditer(plain)):
        act = match["list"].strip()
        if not act.isascii() and len(act) >= 3 and not _VAGUE_ZH.search(act):
            return Thing(shorten(_WHO_ZH.sub("", act) or act, LONGEST))
    return None


def _tidy(text: str) -> str:
    """The text without what is left over where its circumstances were taken out: "set up in , without a stop"."""
    kept = re.sub(r"\s+(?=[,;])", "", " ".join(_DANGLING.sub(" ", text).split()))
    return _LEFT_OVER.sub("", kept).strip(" ,")


_LEFT_OVER = re.compile(r"(?<!\s)\s*[,;](?:\s*(?:budget\s*)?[,;]){0,20}\s*(?:budget)?(?=$|[,;])", re.IGNORECASE)
_DANGLING = re.compile(
    r"\s(?:for|in|on|at|by|from|until|till|before|with|within|during|to|of)\s*(?=[,;]|$)"
    r"|\s(?:for|in|on|at|by|from|until|till|before)(?=\s+(?:for|in|on|at|by|from|until|till|before)\b)",
    re.IGNORECASE,
)
_CIRCUMSTANCE = re.compile(r"people|guests?|persons?|colleagues|attendees|人|metrics|pages|页|份|图片", re.IGNORECASE)


def without_circumstances(text: str) -> str:
    """The text with spaces where it speaks of time, money, places and numbers of guests."""
    from engine.lexicon.reading.places import places_in  # the first text that is read loads the grammar

    return blanked(without_numbers(text), *places_in(text)).replace("\0", " ")


def without_numbers(text: str) -> str:
    """The text with spaces where it speaks of time, money and numbers of guests."""
    from engine.lexicon.reading.money import money_in
    from engine.lexicon.reading.people import people_in
    from engine.lexicon.reading.times import times_in

    text = blanked(text, *times_in(text, _ANY_DAY))
    text = blanked(text, *money_in(text))
    return blanked(text, *people_in(text)).replace("\0", " ")


def _listed_en(text: str) -> Iterator[str]:
    lists = [*_LIST_EN.finditer(text)]
    needed = [each for each in lists if not each[0].lower().startswith("want")]
    for match in needed or lists:  # "I want a podcast, need a host": what is wanted is the undertaking
        is_cut = False
        for piece in _SPLIT_EN.split(match["list"]):
            deed = _WHO_EN.sub("", piece.strip(), count=1)
            if is_cut and not _LEAD_EN.match(piece):
                continue  # still about what came before: "translated into German and Chinese"
            rest = f" {deed}"
            kept = _END_EN.sub("", rest)
            is_cut = is_cut or kept != rest
            told = _LEAD_EN.sub("", kept.strip(" ,.'\"") + " ").strip()
            if not (deed != piece.strip() and kept != rest and " " not in told):  # "someone to fix it" says no more
                yield told


def _listed_zh(text: str) -> Iterator[str]:
    for match in _LIST_ZH.finditer(text):
        if match["list"].isascii():
            continue
        for piece in _SPLIT_ZH.split(match["list"]):
            if any(not character.isascii() for character in piece):
                yield _TAIL_ZH.sub("", _WHO_ZH.sub("", piece.strip(), count=1)).strip(" 的：:")


def _keep(found: dict[str, Thing], piece: str, counted: dict[str, int]) -> None:
    low = piece.lower()
    if topics_in(low) or loose_mentions(low) or undertaking_mentions(low):
        return  # the topics know it
    if not tells_something(low) or len(low.split()) > 5:
        return
    quantity = next((count for what, count in counted.items() if low in what or what in low), 0)
    found.setdefault(low, Thing(shorten(piece, LONGEST), quantity))


def until_its_end(words: str) -> str:
    """English words up to where they go on about something else: "soil for beginners" is about soil."""
    return _LEAD_EN.sub("", _END_EN.sub("", f" {words}").strip(" ,.'\"") + " ").strip()


def tells_something(text: str) -> bool:
    """Whether words in lower case name something, and are no more than a name."""
    return _tells_en(text) if text.isascii() else 2 <= len(text) <= 10 and not _VAGUE_ZH.search(text)


def _tells_en(text: str) -> bool:
    """Whether a text has a word that is neither common nor vague."""
    if not text.isascii():
        return False
    return any(len(word) > 2 and word.isalpha() and word not in _VAGUE_EN for word in tokens(text))
