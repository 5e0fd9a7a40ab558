"""Finds the parts of a demand that ask for something, by its grammar alone: nothing is added to its words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.offline.reading.numbers import NUMBER_EN, NUMBER_ZH, number

Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A part of a demand that asks for something: its words stand there from start to end."""

    start: int
    end: int
    essential: bool = True


_SENTENCE: Final = re.compile(r"(?:[^.!?;。！？；\n]|\.(?=\w))+[.!?;。！？；]*")
_NOT: Final = re.compile(
    r"\b(?:do(?:es)? not|don'?t|doesn'?t|no|never|without)\s+(?:\w+\s+)?$|\bnot\s+$|(?:不|不再|没有|无需|别)\s*$",
    re.IGNORECASE,
)
_HAVE: Final = re.compile(
    r"^\W*(?:we|i)?\s*(?:already\s+)?(?:have|'ve got)\s+(?!to\b)|\balready (?:have|booked|taken care)|已经有|已有|不需要|不用",
    re.I,
)
_ENGLISH_LIST: Final = (
    r"\b(?:needs?|needed|requires?|in need of|looking for|look for|searching for|search for|seek(?:ing)?|could use"
    r"|hire|find(?:ing)?|recruit|missing|lacking)\b:?\s+"
)
_ENGLISH_WISH: Final = (
    r"\b(?:want(?:s|ed)?|would like|'d like|would love|'d love|hope|planning|plan|going|trying)\s+(?:to\s+)?"
    r"|\b(?:can|could|would|will)\s+(?:some(?:one|body)|any(?:one|body)|you)\s+(?:please\s+)?(?:help\s+(?:me|us)\s+)?(?:to\s+)?"
    r"|\bwho\s+(?:can|could|would|wants to|knows how to)\s+(?:help\s+(?:me|us)\s+)?(?:to\s+)?"
    r"|\b(?:is there|does)\s+any(?:one|body)\s+(?:who (?:can|could)|to|for|know how to)?\s*"
    r"|\bhelp\s+(?:me|us)?\s*(?:to|with)?\s+|\bplease\s+"
)
_CHINESE_LIST: Final = (
    r"(?:还|急|也|都|只|就)?(?:需要|急需)|缺(?!点)|想找|寻找|招募|招聘|征集|(?<![去来看查])找(?!到)|想请|诚招|(?<![聘申邀])请(?=一|两|几|\d|个|位|专)|求(?=一|两|个|助)"
    r"|(?<![不需想只主重])要有?(?=[一二两三四五六\d]+[个位名场间台])"
)
_CHINESE_WISH: Final = r"(?:谁|哪位|有没有人|有人|有谁)(?:能|可以|会|愿意)?(?:帮(?:忙|我们?|着)?)?|能不能|可不可以|想要|我?们?想|打算|希望|计划|准备|(?:做|写|拍|画|设计|制作)(?=[一两三几]?[个张份篇支款套])|请(?:帮忙|帮我们?|大家)?|帮(?:忙|我们?)"
_OPTIONAL: Final = re.compile(
    r"\b(?:would|'d) be (?:nice|great|good|lovely|welcome|a plus|a bonus|perfect|cool)\b|\bideally\b|\bif possible\b"
    r"|\boptional(?:ly)?\b|\bnice to have\b|\bmaybe\b|\bperhaps\b|\bbonus\b|最好|可选|如果有|要是有|能有.{0,8}更好|更好|锦上添花",
    re.IGNORECASE,
)
_OPTIONAL_WORDS: Final = re.compile(
    r"^(?:ideally|maybe|perhaps|if possible|optionally|最好(?:还)?(?:能)?(?:有|是)?|如果(?:能)?有|要是(?:能)?有)[,，:：]?\s*"
    r"|\s*,?\s*(?:(?:would|'d) be (?:nice|great|good|lovely|welcome|a plus|a bonus|perfect|cool)"
    r"|is (?:nice to have|optional|a bonus)|if possible|\(optional\)|(?:的话)?(?:就|会)?更好(?:了)?|可选)[^,]*$",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    r",?\s+\b(?:because|since|so that|so we|so i|but|while|otherwise|as (?:i|we)\b|thanks|thank you|i'?m|i am|i have|we are"
    r"|we have|we will|it is|it's|they are|there is|there are)\b|(?:因为|所以|但是|不过|否则)|[,，]\s*(?:但|谢谢|我们?|时间|地点|预算|大家|到时候|会有)"
    r"|\s[-–—]+\s|\s*[(（]",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(
    r"\s*(?:,\s*(?:and|plus|or)\s+|,|，|、|\band also\b|\band\b|\bplus\b|\bas well as\b|&|以及|还有|和(?!平|谐|解|睦|声)|(?<![参普])与|及(?!时|格))\s*",
    re.IGNORECASE,
)
_BEGINS_ONE: Final = re.compile(
    rf"(?:an?|the|some|any|another|one|our|my|more|somebody|someone|anybody|people|{NUMBER_EN})\s|(?:最好|还|另外|{NUMBER_ZH}?[个位名场间台份套支])",
    re.IGNORECASE,
)
_RELATES: Final = re.compile(r"\b(?:to|who|that|which|for|about|with|of|between|from|into|how)\b", re.IGNORECASE)
_POINTS: Final = re.compile(r"\b(?:it|them|this|that|these|those)$|\b(?:it|them)\b|[它他她](?!们?的)", re.IGNORECASE)
"""Words that stand for others: without the rest of the text nobody knows what is meant."""
_IS_VERB: Final = re.compile(
    r"(?:and\s+)?(?:then|also|it|them|to|is|are|was|has|have|will|must|should|can|each|starting|including|especially|no|not|from|on|at|in|by|until"
    r"|within|before|after|next|this|tomorrow|today|asap|please|about|around|preferably|free|paid)\b"
    r"|不|没|最晚|大概|大约|每|从|在|到|于",
    re.IGNORECASE,
)
_EDGE_BEFORE: Final = re.compile(
    r"^(?:[\s,，、.;:：!！?？\-–—]|(?:on|in|at|by|for|from|until|till|before|and|or|to|with|also|please|is|the|around|about|of)(?=\s|$)(?!\s*\S*\w)|的(?=[^士确]))+",
    re.IGNORECASE,
)
_EDGE_AFTER: Final = re.compile(
    r"(?:[\s,，、.;；:：!！?？。\-–—~]|(?<=\s)(?:on|in|at|by|for|from|until|till|before|and|or|to|with|is|are|the|a|around|about|of|starting|please|thanks|asap|budget)(?=$)"
    r"|(?:的人|吗|呢|吧|了|帮忙|谢谢|有|在|和|与|及|以及|还有|预算|时间|地点)(?=$))+$",
    re.IGNORECASE,
)
_LEFT_BEFORE: Final = re.compile(r"^(?:在|于|办|到)?(?:的)?")


@cache
def _triggers() -> tuple[re.Pattern[str], re.Pattern[str]]:
    return (
        re.compile(f"{_ENGLISH_LIST}|{_CHINESE_LIST}", re.IGNORECASE),
        re.compile(f"{_ENGLISH_WISH}|{_CHINESE_WISH}", re.IGNORECASE),
    )


def wanted_in(text: str, told: Spans) -> tuple[Wanted, ...]:
    """Return what the text asks for, in its order; the whole text where its grammar does not say.

    Args:
        told: where it speaks of time, place, size and money.
    """
    listing, wishing = _triggers()
    found = [*_asked(text, told, listing, is_list=True)]
    found = found or [*_asked(text, told, wishing, is_list=False)]
    if len(found) == 1 and _POINTS.search(text[found[0].start : found[0].end]):
        found = []
    if not found:
        found = [each for each in (_trimmed(text, told, *_first_sentence(text)),) if each]
    kept: dict[str, Wanted] = {}
    for each in found:
        kept.setdefault(text[each.start : each.end].casefold(), each)
    return tuple(kept.values())


def _first_sentence(text: str) -> tuple[int, int]:
    sentences = [each for each in _SENTENCE.finditer(text) if each[0].strip()]
    return (0, len(text)) if len(sentences) != 1 else sentences[0].span()


def _asked(text: str, told: Spans, trigger: re.Pattern[str], *, is_list: bool) -> Iterator[Wanted]:
    for sentence in _SENTENCE.finditer(text):
        starts = [
            each
            for each in trigger.finditer(text, *sentence.span())
            if not _NOT.search(text[sentence.start() : each.start()])
        ]
        if not starts:
            if is_list and (optional := _OPTIONAL.search(sentence[0])) and not _HAVE.search(sentence[0]):
                piece = _piece(text, told, sentence.start(), sentence.end())
                if piece and optional:
                    yield piece
            continue
        bounds = [each.end() for each in starts], [*(each.start() for each in starts[1:]), sentence.end()]
        for start, end in zip(*bounds, strict=True):
            if not text[start:end].strip():
                continue
            stop = _stop(text, told, start, end)
            pieces = [*_pieces(text, told, start, stop)] if is_list else [_piece(text, told, start, stop)]
            yield from (each for each in pieces if each)
            if not is_list and any(pieces):
                return
            rest = text[stop:end]
            if stop < end and _OPTIONAL.search(rest) and (piece := _piece(text, told, stop, end)):
                yield piece


def _stop(text: str, told: Spans, start: int, end: int) -> int:
    """Return where the sentence goes on about something else."""
    for match in _ENDS.finditer(text, start, end):
        if match.start() > start + 1 and not any(a < match.end() and match.start() < b for a, b in told):
            return match.start()
    return end


def _pieces(text: str, told: Spans, start: int, end: int) -> Iterator[Wanted | None]:
    """Return the items of a list; what only goes on about the one before stays with it."""
    masked = masked_by(text, told)
    cuts, kept = [start], [True]
    for match in _BETWEEN.finditer(masked, start, end):
        before, after = masked[cuts[-1] : match.start()], masked[match.end() : end]
        item = _BETWEEN.split(after.replace("\0", " "), maxsplit=1)[0].strip()
        is_aside = after.startswith("\0") or bool(_STIPULATION.match(item))
        if is_aside or _is_item(before, item, match[0]):
            cuts.append(match.end())
            kept.append(not is_aside)
    for first, last, is_kept in zip(cuts, [*cuts[1:], end], kept, strict=True):
        if is_kept:
            yield _piece(text, told, first, last)


_STIPULATION: Final = re.compile(r"(?:but\s+)?(?:no|without|nothing|not)\b|不要|不能|不可|禁止|别", re.IGNORECASE)


def stipulations_in(text: str) -> tuple[str, ...]:
    """Return what the text rules out, in its words: it is no need, and nobody here can check it."""
    found = []
    for sentence in _SENTENCE.finditer(text):
        for piece in _BETWEEN.split(sentence[0]):
            if _STIPULATION.match(piece.strip()) and len(piece.split()) > 2 + (not piece.isascii()) * -2:
                found.append(piece.strip(" .。!！"))
    return tuple(found)


def _is_item(before: str, item: str, between: str) -> bool:
    if not any(map(str.isalnum, item)) or _IS_VERB.match(item):
        return False
    if _BEGINS_ONE.match(item) or _OPTIONAL.search(item):
        return True
    words = item.split() if item.isascii() else [item[at : at + 3] for at in range(0, len(item), 3)]
    if len(words) > 4:
        return False
    if "," in between or "，" in between or "、" in between:
        return not re.search(r"\bto\s+\w+", before) and len(words) <= 4
    return not _RELATES.search(before)


def masked_by(text: str, told: Spans) -> str:
    """Return the text, as long as before, with what it tells of time, place, size and money blanked out."""
    for start, end in told:
        text = text[:start] + "\0" * (end - start) + text[end:]
    return text


def _piece(text: str, told: Spans, start: int, end: int) -> Wanted | None:
    said = text[start:end]
    optional = bool(_OPTIONAL.search(said))
    if _HAVE.search(said):
        return None
    if optional:
        for match in [*_OPTIONAL_WORDS.finditer(said)]:
            if match.start() == 0 and match.end():
                start += match.end()
            elif match.end() == len(said.rstrip(" .!。！,，")) or match.end() == len(said):
                end = start + match.start() if match.start() else end
    found = _trimmed(text, told, start, end)
    return Wanted(found.start, found.end, not optional) if found else None


def _trimmed(text: str, told: Spans, start: int, end: int) -> Wanted | None:
    """Return the part without what it tells of time, place, size and money at its ends."""
    while True:
        before = (start, end)
        if match := _EDGE_BEFORE.match(text[start:end]):
            start += match.end()
        if match := _EDGE_AFTER.search(text[start:end]):
            end = start + match.start()
        for first, last in told:
            if first <= start < last:
                start = last
            if first < end <= last:
                end = first
        if start >= end:
            return None
        if (start, end) == before:
            break
    said = text[start:end]
    return Wanted(start, end) if sum(map(str.isalpha, said)) >= 2 else None


_COUNTED_EN: Final = re.compile(
    rf"(?P<n>{NUMBER_EN})\s+(?:more\s+|other\s+)?(?P<of>[a-z][\w-]*(?:\s+[a-z][\w-]*)?)", re.I
)
_COUNTED_ZH: Final = re.compile(rf"(?P<n>{NUMBER_ZH})\s*(?P<of>[个位名人场间台份套支张辆块])")
_COUNTED_LATER: Final = re.compile(rf",?\s*(?:at least|about|around|ideally)\s+(?P<n>{NUMBER_EN})$", re.IGNORECASE)
_PEOPLE: Final = re.compile(
    r"\b(?:people|persons?|volunteers?|helpers?|speakers?|judges?|colleagues?|testers?|designers?|developers?|engineers?"
    r"|photographers?|translators?|interpreters?|moderators?|hosts?|trainers?|drivers?|cooks?|experts?|guides?|mentors?"
    r"|first aiders?|players?|writers?|facilitators?|researchers?)\b",
    re.IGNORECASE,
)


def counted(said: str) -> tuple[int, bool]:
    """Return how many of it are asked for, 0 where no number stands with it, and whether they are people."""
    if match := _COUNTED_EN.match(said):
        return round(number(match["n"])), bool(_PEOPLE.search(said))
    if match := _COUNTED_ZH.match(said):
        is_people = (
            match["of"] in "位名人"
            or said[match.end() :].startswith("人")
            or bool(re.search(r"(?:人|者|师|员|手|嘉宾|评委|志愿者|同事)$", said))
        )
        return round(number(match["n"])), is_people
    match = _COUNTED_LATER.search(said)
    return round(number(match["n"])) if match else 0, bool(_PEOPLE.search(said))


_LEAD_EN: Final = re.compile(
    rf"^(?:(?:an?|the|some|any|our|my|another|one|more|{NUMBER_EN})\s+)*"
    r"(?:(?:some(?:one|body)|any(?:one|body)|people|person|colleagues?|help|expert|experts)\s+"
    r"(?:(?:who|that)\s+(?:can|could|knows?(?: how to)?|will|is|are)?|to|with|for|in)\s+)?"
    r"(?:(?:an?|the|some|any|our|my)\s+)*",
    re.IGNORECASE,
)
_LEAD_ZH: Final = re.compile(
    rf"^(?:有人)?(?:{NUMBER_ZH}|几|一些)?\s*[个位名场间台份套支辆张块]?(?:人|同事)?(?:能|会|懂|可以|擅长|来|帮忙|帮)*|(?:的?同事|的人)$"
)


def without_lead(said: str) -> str:
    """Return the words of a part without how people begin it: "somebody who can fix a bike" is about fixing a bike."""
    return _LEAD_ZH.sub("", _LEAD_EN.sub("", said, count=1)).strip() or said


_GREETING: Final = re.compile(
    r"^\W*(?:hi|hello|hey|good (?:morning|evening|afternoon)|thanks?(?: you| a lot)?|ok(?:ay)?|bye|test|你好|您好|嗨|谢谢|在吗|早上好|测试)"
    r"(?:\W+(?:there|all|everyone|everybody|team|大家))?\W*$",
    re.IGNORECASE,
)


def is_greeting(text: str) -> bool:
    return bool(_GREETING.match(text))


_JUDGEMENT: Final = re.compile(
    r"^\W*(?:(?:so|and|hey|hi|hello|team|all|question)\W+)*(?:should (?:we|i|the|our)\b|which (?!of you\b)|what should\b|what is the best\b|is it (?:better|worth|wise)\b"
    r"|do you think\b|would it be (?:better|wise)\b|how should (?:we|i)\b|why\b|what do you think\b|are we\b|does it make sense\b)"
    r"|要不要|该不该|应不应该|是否应该|是不是应该|应该(?:选|先|用|怎么)|选哪|哪(?:个|种|一个|座|家|条)(?!人能).*(?:好|合适|优先|先|选|疏散|划算)|值不值得|怎么选|还是.{1,20}[?？]",
    re.IGNORECASE,
)


def asks_for_judgement(text: str) -> bool:
    """Whether the text is a question to be weighed, which rules cannot do."""
    listing, _ = _triggers()
    sentences = [each[0] for each in _SENTENCE.finditer(text)]
    is_asked = any(each.rstrip().endswith(("?", "？")) and _JUDGEMENT.search(each) for each in sentences)
    return (is_asked or "要不要" in text or "该不该" in text) and not listing.search(text)
