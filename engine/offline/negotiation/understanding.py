"""Prompt 1: understand a demand."""

import re

from msgspec.structs import replace

from engine.facts.answer_fields import Level
from engine.facts.language import Language, language_of
from engine.facts.shortening import shorten
from engine.lexicon.mentions import topics_in
from engine.lexicon.reading.money import has_money
from engine.lexicon.reading.places import ONLINE, place_in
from engine.lexicon.reading.quantities import quantities_in
from engine.lexicon.topics import topic
from engine.negotiation.answers import MOST_NEEDS, Circumstances, DeepUnderstanding, Need, Understanding
from engine.negotiation.reading import Today, asked_on
from engine.offline.negotiation.needs import Needs, needs_in
from engine.offline.negotiation.old_reading import circumstances_in
from engine.offline.negotiation.phrasing import phrase

_NARROW = {code: code - 0xFEE0 for first, last in ("０９", "ＡＺ", "ａｚ") for code in range(ord(first), ord(last) + 1)}
"""Full-width letters and digits to their usual forms."""

LONGEST_SURFACE = 300
MOST_TAGS = 8
MOST_QUESTIONS = 5

_SENTENCE = re.compile(r"[^。！？!?\n]+?(?:[。！？!?\n]|\.(?:\s|$)|$)")
_WHY = re.compile(
    r"(?:因为|为了|目的是|初衷是|好让|想让|希望能?)[^，。；！？,;!?\n]{2,60}"
    r"|\b(?:because|so that|in order to|hoping to|we hope to|to help|that helps?)\b[^,.;!?\n]{3,120}",
    re.IGNORECASE,
)
_PREFERENCES: tuple[tuple[str, str, str], ...] = (
    (r"轻松|随意|casual|relaxed|informal|chill|fun\b", "轻松的氛围", "a relaxed atmosphere"),
    (r"高质量|质量|精品|专业|high.quality|quality|professional", "质量优先", "quality first"),
    (r"省钱|便宜|低成本|免费|没有?预算|cheap|low.cost|free\b|no budget|shoestring", "尽量少花钱", "low cost"),
    (r"小而精|小范围|小型|small|intimate|cosy|cozy", "规模小一点", "small scale"),
    (r"尽快|赶紧|紧急|马上|asap|urgent|quickly|right away", "越快越好", "speed"),
    (r"动手|实操|实战|hands.on|practical", "动手实践", "hands-on work"),
    (r"交流|社交|认识(?:新)?朋友|networking|meet people|connect", "多交流", "time to talk"),
    (r"安静|不打扰|quiet|low.key", "安静低调", "something quiet"),
    (r"环保|可持续|sustainable|eco", "环保", "sustainability"),
)
_MOODS: tuple[tuple[str, str, str], ...] = (
    (r"兴奋|激动|期待|太棒|excited|thrilled|can'?t wait|looking forward", "很期待", "looking forward to it"),
    (r"着急|紧急|赶|来不及|焦虑|压力|urgent|asap|worried|stressed|deadline", "有些着急", "under some pressure"),
    (
        r"第一次|没经验|不懂|first time|never done|no experience|not sure how",
        "第一次做，心里没底",
        "new to this, unsure",
    ),
    (r"失望|糟糕|不满|frustrat|disappoint|annoy|fed up", "对现状不满", "unhappy with how it is"),
)


def understand(raw_input: str, today: Today, user_context: str = "") -> Understanding:
    """Understand a demand: tags come from the whole text, the surface demand is as much of it as fits."""
    text = re.sub(r"[^\S\n]+", " ", raw_input.translate(_NARROW)).strip()
    language = language_of(text)
    needs = needs_in(text)
    context = circumstances_in(text, asked_on(today), language)
    questions = _questions(needs, context, text)
    wanted = _needs(needs, text)
    return Understanding(
        surface_demand=_surface(text) if _has_words(text) else phrase("understand.unclear", language),
        deep_understanding=DeepUnderstanding(
            motivation=_motivation(text),
            likely_preferences=_matches(_PREFERENCES, text, language),
            emotional_context=next(iter(_matches(_MOODS, text, language)), ""),
        ),
        capability_tags=tuple(topic(key).tag.said_in(language) for key in needs.topics[:MOST_TAGS]),
        needs=wanted,
        context=context,
        uncertainties=tuple(phrase(f"question.{each}", language) for each in questions),
        question="" if wanted else phrase("understand.question", language),
        confidence=_confidence(needs, context, questions),
    )


def _needs(needs: Needs, text: str) -> tuple[Need, ...]:
    """One need for each ability, those first without which it cannot be, and one for each thing that is no topic."""
    counts = [(topics_in(each.what), each.count) for each in quantities_in(text)]
    order = sorted(needs.topics[:MOST_TAGS], key=lambda key: key not in needs.essential)
    found = [
        Need(
            need_id="-",
            what=(tag := topic(key).tag.said_in(needs.language)),
            essential=key in needs.essential,
            quantity=0 if key in needs.hired else next((count for keys, count in counts if key in keys), 0),
            tags=(tag,),
        )
        for key in order
    ]
    if needs.subject:
        what = phrase("need.subject", needs.language, subject=needs.subject)
        found.append(Need(need_id="-", what=what, essential=True, tags=(needs.subject,)))
    found += [
        Need(need_id="-", what=each.what, essential=each.essential, quantity=each.quantity) for each in needs.things
    ]
    return tuple(replace(each, need_id=f"need_{number}") for number, each in enumerate(found[:MOST_NEEDS], 1))


def _has_words(text: str) -> bool:
    return any(character.isalpha() for character in text)


def _surface(text: str) -> str:
    """As many whole sentences as fit."""
    if len(text) <= LONGEST_SURFACE:
        return " ".join(text.split())
    kept = ""
    for sentence in _SENTENCE.findall(text):
        if len(kept) + len(sentence) > LONGEST_SURFACE:
            break
        kept += sentence
    return shorten(" ".join((kept.strip() or text).split()), LONGEST_SURFACE)


def _motivation(text: str) -> str:
    match = _WHY.search(text)
    return match[0].strip().removeprefix("that ") if match else ""


def _matches(table: tuple[tuple[str, str, str], ...], text: str, language: Language) -> tuple[str, ...]:
    low = text.lower()
    return tuple(zh if language == "zh" else en for pattern, zh, en in table if re.search(pattern, low))


def _questions(needs: Needs, context: Circumstances, text: str) -> list[str]:
    """The keys of the questions that the text leaves open, the most important first."""
    if not needs.topics:
        return ["what", "help"] if not _has_words(text) or needs.kind is None else ["help"]
    missing: list[str] = []
    if needs.kind == "event":
        online = context.location is not None and place_in(context.location) == ONLINE
        missing += ["date"] * (context.date is None)
        missing += ["place"] * (context.location is None)
        missing += ["attendees"] * (context.expected_attendees is None)
        missing += ["budget"] * (context.budget is None and not online)
    else:
        missing += ["deadline"] * (context.date is None)
        missing += ["users"] * (needs.kind == "product")
        missing += ["budget"] * (context.budget is None)
    return missing[:MOST_QUESTIONS]


def _confidence(needs: Needs, context: Circumstances, questions: list[str]) -> Level:
    if not needs.topics:
        return "low"
    known = sum(
        (bool(needs.explicit), context.date is not None, context.location is not None, has_money(context.budget))
    ) + (context.expected_attendees is not None)
    if needs.explicit and len(questions) <= 2 and known >= 2:
        return "high"
    return "medium" if known >= 2 or (needs.explicit and needs.kind) else "low"
