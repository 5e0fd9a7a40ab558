"""Reads what a sentence asks for, thing by thing, and what is to be done about each."""

import re
from typing import Final

from engine.deliberation.words import words_of
from engine.facts.language import Language

_LEAD: Final = re.compile(
    r"^\W*(?:(?:we|i|they|people|guests|the \w+) (?:also |still |urgently )?(?:needs?|wants?|would like"
    r"|should have)(?: to have)? "
    r"|(?:还|也)?(?:我们|大家)?(?:还|也)?(?:需要|想要|希望有|要有|得有)(?:有)?|there (?:should|must|has to) be )",
    re.IGNORECASE,
)
_PART_EN: Final = re.compile(
    r"\s{0,3}(?:,\s{0,3}and|,|\band)\s{1,3}(?=(?:an?|two|three|four|five|some|somebody|someone|at least|enough|\d+)\s)",
    re.IGNORECASE,
)
_PART_ZH: Final = re.compile(r"、|，?(?:以及|还要|还需要)|和(?=[一两三四五六\d])")
_HAPPENS: Final = re.compile(
    r"\b(?:tests?|trials?|surveys?|rehearsals?|demos?|campaigns?|tours?|interviews?|trainings?|checks?|auditions?)\b",
    re.IGNORECASE,
)
_SOMEBODY: Final = re.compile(
    r"\b(?:\w{3,}(?:er|or|ist)s?|host|guide|cook|nurse|volunteers?|somebody|someone|people)\b(?!\s\w)", re.IGNORECASE
)
_PLACE: Final = re.compile(r"\b(?:restaurant|venue|room|hall|hotel|place|space|office|car park)\b", re.IGNORECASE)
_NO_PERSON: Final = re.compile(
    r"\b(?:posters?|papers?|dinners?|flyers?|banners?|projectors?|computers?|monitors?|trailers?|folders?"
    r"|numbers?|offers?"
    r"|orders?|letters?|newsletters?|covers?|stickers?|printers?|servers?|speakers? system|generators?|water"
    r"|floor|door"
    r"|list|checklist|color|cater|weather|shelter|router|container|scooter|counter|tower|shower|cleaner water)\b",
    re.IGNORECASE,
)


def needs_in(text: str) -> tuple[str, ...]:
    """What a sentence asks for, thing by thing: "We need a press kit and a beta test" are two."""
    what = _LEAD.sub("", text.strip()).strip(" .。!！") or text.strip()
    parts = (_PART_EN if what.isascii() else _PART_ZH).split(what)
    found = [each.strip(" ,，") for each in parts if words_of(each)]
    return tuple(found) if len(found) > 1 else (what,)


_COUNT: Final = re.compile(
    r"^(?:an?|one|two|three|four|five|six|some|at least|enough|\d+)\s+"
    r"|^[一两二三四五六七八九十\d]+[个位名套份张台]",
    re.IGNORECASE,
)


def uncounted(need: str) -> str:
    """A need without how many of it: what a task has to say."""
    return _COUNT.sub("", need) or need


def as_task(need: str, language: Language) -> str:
    """What is to be done about a need."""
    if language == "zh":
        return f"落实：{need}"
    if re.match(r"^(?:an?|two|three|some|somebody|someone|\d+)\b", need, re.IGNORECASE):
        is_somebody = _SOMEBODY.search(need) and not _NO_PERSON.search(need)
        verb = "Run" if _HAPPENS.search(need) else "Find" if is_somebody or _PLACE.search(need) else "Provide"
        return f"{verb} {need}"
    return f"Arrange: {need}"
