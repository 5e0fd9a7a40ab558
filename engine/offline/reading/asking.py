"""Finds the parts of a demand that ask for something, by its grammar alone: nothing is added to its words."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.offline.reading.grammar import rule, words
from engine.offline.reading.numbers import number

Spans = Sequence[tuple[int, int]]
_NO_NEED: Final = ("asking_stipulation", "asking_given", "asking_aside")
_TOLD: Final = (*_NO_NEED, "asking_have", "asking_nothing")


class Wanted(NamedTuple):
    """A part of a demand that asks for something: its words stand there from start to end."""

    start: int
    end: int
    essential: bool = True


def wanted_in(text: str, told: Spans) -> tuple[Wanted, ...]:
    """Return what the text asks for, beside what it tells of time, place, size and money; else the whole text."""
    listing, wishing = rule("asking_list"), rule("asking_wish")
    masked = masked_by(text, told)

    def is_stated(each: Wanted) -> bool:
        return bool(rule("asking_stated").fullmatch(masked[each.start : each.end].strip("\0 ")))

    found = [each for each in _asked(text, told, listing, is_list=True) if not is_stated(each)]
    if not any(each.essential for each in found):
        found = [*_asked(text, told, wishing, is_list=False), *found]
    if found:
        listed = [each for each in found if not rule("asking_known").match(text[each.start : each.end])]
        begin = max(start for start, _ in _clauses(text) if start <= found[0].start)
        asked = _asked(text[:begin], told, rule("asking_favour"), is_list=False)
        before = [each for each in asked if begin and each.start < begin]
        found = sorted({*(listed if before else found), *_left(text, told, found), *before})
        found = [each for each in found if len(found) < 2 or not is_stated(each)]
    said = text[found[0].start : found[0].end] if len(found) == 1 else ""
    if said and _says_nothing(said, 2 if rule("asking_points").search(said) else 0):
        found = []
    if not found:
        sentences = [each for each in rule("asking_sentence").finditer(text) if each[0].strip()]
        asking = [each for each in sentences if each[0].rstrip()[-1:] in "?？" and not _says_nothing(each[0])]
        asking = [each for each in asking if not rule("asking_points").search(each[0].rstrip(" ?？"))] or sentences
        start, end = (0, len(text)) if len(asking) != 1 else asking[0].span()
        pieces = [] if said or rule("asking_ends").search(text) else [*filter(None, _pieces(text, told, start, end))]
        others = [text[each.start : each.end] for each in pieces[1:] if not text[each.start].isdigit()]
        is_list = any(rule("asking_begins_one").match(each) and not rule("asking_known").match(each) for each in others)
        found = pieces if is_list else [*filter(None, (_trimmed(text, told, start, end),))]
    kept: dict[str, Wanted] = {}
    for each in found:
        said = text[each.start : each.end].casefold()
        is_dated = "\0" in masked[each.start : each.end].strip("\0 ")
        if not is_dated or not any(len(name := without_lead(one)) > 1 and said.startswith(name) for one in kept):
            kept.setdefault(said, each)  # a day that is said of one before is none of another
    return tuple(kept.values())


def _says_nothing(said: str, most: int = 0) -> bool:
    """Whether a part only asks for help, or for somebody: what it is about, in words enough, stands elsewhere."""
    plain = rule("asking_lead_zh").sub("", said) if not said.isascii() else said.lower()
    empty = words("words_common") | words("words_numbers")
    found = re.findall(r"\w+", rule("told_times").sub(" ", plain))
    return sum(len(each) > 1 and each not in empty for each in found) <= most


def sentence_end(text: str, at: int) -> int:
    return next((each.end() for each in rule("asking_sentence").finditer(text) if each.end() >= at), len(text))


def _asked(text: str, told: Spans, trigger: re.Pattern[str], *, is_list: bool) -> Iterator[Wanted]:
    for sentence in rule("asking_sentence").finditer(text):
        starts = [
            each
            for each in trigger.finditer(text, *sentence.span())
            if not rule("asking_not").search(text[sentence.start() : each.start()])
        ]
        passive = rule("asking_passive").search(sentence[0]) if is_list else None
        if passive:
            start, end = (sentence.start() + each for each in passive.span("what"))
            yield from filter(None, _pieces(text, told, start, end))
            starts = [each for each in starts if each.start() > end + 1 and not each[0].strip().endswith("ed")]
        if not starts and not passive:
            optional = clauses_of(text, "asking_optional") if is_list else ()
            within = [each for each in optional if sentence.start() <= each[0] < sentence.end()]
            yield from filter(None, (_piece(text, told, *each) for each in within))
        if not starts:
            continue
        bounds = [each.end() for each in starts], [*(each.start() for each in starts[1:]), sentence.end()]
        for start, end in zip(*bounds, strict=True):
            if not text[start:end].strip():
                continue
            stop = _stop(text, told, start, end)
            pieces = [*_pieces(text, told, start, stop, is_list=is_list)]
            yield from (each for each in pieces if each)
            if not is_list and any(pieces):
                return
            rest = text[stop:end]
            if stop < end and rule("asking_optional").search(rest) and (piece := _piece(text, told, stop, end)):
                yield piece


def _stop(text: str, told: Spans, start: int, end: int) -> int:
    """Return where the sentence goes on about something else."""
    for match in rule("asking_ends").finditer(text, start, end):
        if match.start() > start + 1 and not any(a < match.end() and match.start() < b for a, b in told):
            return match.start()
    return end


def _pieces(text: str, told: Spans, start: int, end: int, *, is_list: bool = True) -> Iterator[Wanted | None]:
    """Return the items of a list; what only goes on about the one before stays with it."""
    masked = rule("asking_brackets").sub(lambda each: "_" * len(each[0]), masked_by(text, told))
    cuts, kept, is_closed = [start], [True], False
    for match in rule("asking_between").finditer(masked, start, end):
        before, after = masked[cuts[-1] : match.start()], masked[match.end() : end]
        item = rule("asking_between").split(after.replace("\0", " "), maxsplit=1)[0].strip()
        is_aside = bool(rule("asking_told").match(after)) or any(rule(each).search(item) for each in _NO_NEED)
        is_one = rule("asking_begins_one").match(item) or rule("asking_optional").search(item)
        is_aside |= (not kept[-1] or bool(rule("asking_dated").search(item))) and not is_one
        is_last = len(cuts) > 1 and match[0].strip() == ", and" and not rule("asking_points").search(item)
        if is_aside or is_one or is_last or (not is_closed and _is_item(before, item, match[0], is_list=is_list)):
            cuts.append(match.end())
            kept.append(not is_aside)
            is_closed |= "and" in match[0]
    for first, last, is_kept in zip(cuts, [*cuts[1:], end], kept, strict=True):
        if is_kept:
            yield _piece(text, told, first, last)


def _left(text: str, told: Spans, found: Sequence[Wanted]) -> Iterator[Wanted]:
    """Return what stands after the first need and belongs to none: each is a need as well, if it is no circumstance."""
    masked = masked_by(text, told)
    for start, end in _clauses(text, found[0].end):
        is_taken = any(each.start < end and start < each.end for each in found)
        said = text[start:end].strip()
        is_one = rule("asking_begins_one").match(said) and not rule("asking_known").match(said)
        if is_taken or not is_one or _is_told(text[start:end], masked[start:end].replace("\0", " ")):
            continue
        if piece := _piece(text, told, start, end):
            yield piece


def _clauses(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    for sentence in rule("asking_sentence").finditer(text, start):
        begin = sentence.start()
        for between in rule("asking_between_clauses").finditer(text, *sentence.span()):
            yield begin, between.start()
            begin = between.end()
        yield begin, sentence.end()


def _is_told(said: str, left: str) -> bool:
    """Whether a clause only tells of circumstances, is polite, says why, or what somebody else hands over."""
    is_short = _says_nothing(left) if said.isascii() else len(re.findall(r"[\u3400-\u9fff]", left)) <= 4
    has_data = left != said or said.isascii()
    return (is_short and has_data) or any(rule(each).search(said) for each in _TOLD)


def clauses_of(text: str, name: str) -> Spans:
    """Return the clauses that tell what the rule of that name finds."""
    return [each for each in _clauses(text) if rule(name).search(text[slice(*each)])]


def asides_in(text: str, found: Sequence[Wanted]) -> tuple[str, ...]:
    """Return what a text rules out, or says that others hand over: it is no need, and nobody here can check it."""
    said = [
        text[start:end].strip(" .。!！")
        for start, end in _clauses(text)
        if not any(each.start < end and start < each.end for each in found)
    ]
    long = [each for each in said if len(each.split()) > (2 if each.isascii() else 0)]
    return tuple(each for each in long if any(rule(name).search(each) for name in _NO_NEED[:2]))


def _is_item(before: str, item: str, between: str, *, is_list: bool) -> bool:
    if not any(map(str.isalnum, item)) or rule("asking_is_verb").match(item):
        return False
    if rule("asking_optional").search(item):
        return True
    if not is_list and "、" not in between:
        return bool(rule("asking_begins_verb").match(item))
    if rule("asking_knows").search(before) and re.match(r"[^，,]*的", item):
        return False  # whoever knows one and the other is one person
    head = rule("asking_relates").split(item, maxsplit=1)[0] or item
    parts = head.split() if item.isascii() else [item[at : at + 3] for at in range(0, len(item), 3)]
    if len(parts) > 4:
        return False
    if "," in between or "，" in between or "、" in between:
        return not re.search(r"\bto\s+\w+", before)
    return not rule("asking_relates").search(before)


def masked_by(text: str, told: Spans) -> str:
    """Return the text, as long as before, with what it tells of time, place, size and money blanked out."""
    for start, end in told:
        text = text[:start] + "\0" * (end - start) + text[end:]
    return text


def _piece(text: str, told: Spans, start: int, end: int) -> Wanted | None:
    start = end - len(text[start:end].lstrip())
    said, clause = text[start:end], re.split(r"[,，;；。.]", text[:start])[-1]
    optional = bool(rule("asking_optional").search(said) or rule("asking_optional_words").match(clause.strip()))
    if rule("asking_have").search(said):
        return None
    if optional:
        begin = start
        for match in [*rule("asking_optional_words").finditer(said)]:
            if match.start() == 0 and match.end():
                start += match.end()
            elif match.end() == len(said.rstrip(" .!。！,，")) or match.end() == len(said):
                end = begin + match.start() if match.start() else end
    found = _trimmed(text, told, start, end)
    is_said = found and optional and re.match("能(?!有)", text[found.start : found.end])
    return Wanted(found.start, found.end, not optional) if found and not is_said else None


def _trimmed(text: str, told: Spans, start: int, end: int) -> Wanted | None:
    """Return the part without what it tells of time, place, size and money at its ends."""
    while True:
        before = (start, end)
        if match := rule("asking_edge_before").match(text[start:end]):
            start += match.end()
        if match := rule("asking_edge_after").search(text[start:end]):
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
    said = masked_by(text, told)[start:end]
    return Wanted(start, end) if sum(map(str.isalpha, said)) >= 2 and not _says_nothing(said) else None


def counted(said: str) -> tuple[int, bool]:
    """Return how many of it are asked for, 0 where no number stands with it, and whether they are people."""
    match = rule("asking_counted").match(said) or rule("asking_counted_later").search(said)
    return round(number(match["n"] or match["n2"])) if match else 0, bool(rule("asking_people").search(said))


def without_lead(said: str) -> str:
    """Return the words of a part without how people begin it: "somebody who can fix a bike" is about fixing a bike."""
    return rule("asking_lead_zh").sub("", rule("asking_lead_en").sub("", said, count=1)).strip() or said


def is_thanks(text: str) -> bool:
    """Whether the text thanks or praises, and asks for nothing."""
    names = ("asking_list", "asking_wish", "asking_favour", "asking_optional")
    return bool(rule("asking_thanks").search(text)) and not any(rule(each).search(text) for each in names)


def asks_for_judgement(text: str) -> bool:
    """Whether the text is a question to be weighed, which rules cannot do."""
    sentences = [each[0] for each in rule("asking_sentence").finditer(text)]
    weighed = [each for each in sentences if rule("asking_judgement").search(each)]
    asked = [each for each in weighed if each.rstrip()[-1:] in "?？" or "要不要" in each or "该不该" in each]
    return bool(asked) and not any(rule("asking_list").search(each) for each in sentences if each not in asked)
