"""Holds the words of a version to its seats: they name nobody who has none, and call nothing complete that is not.

A model is asked once more where its draft does (`faults`); whatever is left is replaced by a sentence that is made of
the seats (`true_words`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from msgspec.structs import replace

from engine.facts.language import Language, language_of
from engine.lexicon.forms import folded
from engine.negotiation.answers import Assignment, Need, ProposalDraft, Timeline
from engine.negotiation.coverage import brought, is_enough, needs_of, wanted
from engine.negotiation.remembering import remembered
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Assigned, Person

UNKNOWN: Final = "[TBD]"
"""What stands in a short text for somebody who is not there."""

WHO: Final[dict[Language, str]] = {"en": "Those who take part: {names}.", "zh": "参与的人：{names}。"}
MISSING: Final[dict[Language, str]] = {"en": "Nobody covers yet: {needs}.", "zh": "还没有人负责：{needs}。"}
TOO_FEW: Final[dict[Language, str]] = {"en": "Too few so far: {needs}.", "zh": "人数还不够：{needs}。"}

_OURS: Final = re.compile(
    "|".join(each.partition("{")[0].strip() for each in (*WHO.values(), *MISSING.values(), *TOO_FEW.values()))
)
"""How a sentence of ours begins: a model that revises a plan repeats the one of the version before."""

_SENTENCE: Final = re.compile(r"(?<=[。！？\n])|(?<=[.!?])(?=\s)")
_COMPLETE: Final = re.compile(
    r"\bfully (?:covered|staffed|complete)\b|\bnothing is (?:missing|lacking)\b|\bcomplete plan\b|\bplan is complete\b"
    r"|\b(?:all|every|everything)\b[^.!?]{0,40}\b(?:covered|in place|taken care of|settled|arranged|staffed|complete)\b"
    r"|(?:全部|全都|均已|都已|一切)[^。！？]{0,12}(?:到位|落实|齐全|齐备|覆盖|就绪|安排好|有人负责)"
    r"|一应俱全|万事俱备|没有(?:任何)?缺口|人员齐全|完整覆盖|方案完整",
    re.IGNORECASE,
)
_LATIN: Final = re.compile(r"[^\W\d_\u3400-\u9fff][\w'’-]*", re.UNICODE)
_CHINESE: Final = re.compile(r"[\u3400-\u9fff·]{2,}")
_WORDS_TOO: Final = frozenset(
    {
        "April", "August", "Art", "Bill", "Chase", "Dean", "Faith", "Frank", "Grace", "Hope", "June", "Long", "Mark",
        "Max", "May", "Page", "Rich", "Rose", "Summer", "Sunny", "Will", "Young",
    }
)  # fmt: skip
"""Given names that are other words as well; only the whole name counts as naming somebody."""
SHORTEST: Final = 3
"""Letters of a given name that counts by itself."""


def faults(state: Negotiation, draft: ProposalDraft, seats: Sequence[Assigned]) -> str:
    """Say what is wrong with the words of a draft that makes a version with these seats; empty where nothing is."""
    names, texts = _names(state, seats), [*_texts(draft)]
    found = [
        f"{where} names {', '.join(named)}, who has no seat in this version"
        for where, text in (texts if names.may_be_in(*(text for _, text in texts)) else ())
        if (named := names.strangers_in(text))
    ]
    missing = _uncovered(state, seats)
    if missing:
        lacks = "; ".join(each.what for each in missing)
        found += [
            f"{where} calls the plan complete, and nobody covers: {lacks}"
            for where, text in (("summary", draft.summary), ("rationale", draft.rationale))
            if _COMPLETE.search(text)
        ]
    return "\n".join(dict.fromkeys(found))


def true_words(state: Negotiation, draft: ProposalDraft, seats: Sequence[Assigned]) -> dict[str, Any]:
    """Return the fields of a version whose words may be others than the draft's, with its seats."""
    names, missing, own = _names(state, seats), _uncovered(state, seats), language_of(state.raw_input)
    texts = (text for each in seats for text in (each.role, each.responsibility, each.notes, *each.dependencies))
    told = tuple(_told_seat(each, names) for each in seats) if names.may_be_in(*texts) else tuple(seats)
    who = _who(told, own)

    def is_true(sentence: str) -> bool:
        return not (names.strangers_in(sentence) or (missing and _COMPLETE.search(sentence)))

    essential = [each for each in missing if each.essential]
    covered = {need_id for each in seats for need_id in each.covers}
    none = [each.what for each in essential if each.need_id not in covered]
    few = [_counted(state, each, seats, own) for each in essential if each.need_id in covered]
    last = [said[own].format(needs=_joined(each, own)) for said, each in ((MISSING, none), (TOO_FEW, few)) if each]
    demand = state.demand_text
    return {
        "summary": _spaced((_kept(draft.summary, is_true, instead=who), *last), own),
        "objective": _kept(draft.objective, is_true)
        or (draft.objective and (who if names.strangers_in(demand) else demand)),
        "rationale": _kept(draft.rationale, is_true),
        "timeline": _told_timeline(draft.timeline, names),
        "success_criteria": tuple(names.without_strangers(each) for each in draft.success_criteria),
        "assignments": told,
    }


class _Names:
    """Who is named in a text, of those whom this negotiation knows.

    Somebody whom the demand itself names, and who was never asked to take part, may be what it is about.
    """

    def __init__(self, state: Negotiation, seats: Sequence[Assigned]) -> None:
        seated = {each.agent_id for each in seats}
        people: Iterable[Person] = (*state.invited.values(), *state.candidates, *state.reserve)
        others = {each.agent_id: each for each in people if each.agent_id not in seated}
        self._said = f"{state.raw_input}\n{state.demand_text}"
        self._here = [each.display_name for each in seats]
        self._seated = seated
        self._whole: list[str] = []
        self._given: list[str] = []
        for each in others.values():
            if each.agent_id not in state.invited and each.display_name in self._said:
                continue
            self._whole += [name for name in (each.agent_id, *_whole_names(each.display_name)) if _is_whole(name)]
            self._given += [word for word in _LATIN.findall(each.display_name)[:1] if _is_given(word)]
        self._folded = [folded(each.strip()) or "" for each in (*self._whole, *self._given)]

    def strangers_in(self, text: str) -> tuple[str, ...]:
        """Return who is named in the text and has no seat, in the text's words."""
        if not self.may_be_in(text) or self._pattern is None:
            return ()
        return tuple(dict.fromkeys(each["stranger"] for each in self._pattern.finditer(text) if each["stranger"]))

    def without_strangers(self, text: str) -> str:
        if not self.may_be_in(text) or self._pattern is None:
            return text
        return self._pattern.sub(lambda found: UNKNOWN if found["stranger"] else found[0], text)

    def may_be_in(self, *texts: str) -> bool:
        """Whether a stranger's name may stand in one of them: most hold none, and the pattern takes long to make."""
        low = folded("\n".join(texts))
        return low is None or any(map(low.__contains__, self._folded))

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        known = {word for name in (*self._here, self._said) for word in _LATIN.findall(name)} | _WORDS_TOO
        return _pattern(
            (*self._here, *self._seated),
            (each for each in self._whole if each not in self._here),
            (each for each in self._given if each not in known),
        )


@remembered
def _names(state: Negotiation, seats: Sequence[Assigned]) -> _Names:
    return _Names(state, seats)


def _whole_names(display_name: str) -> Iterator[str]:
    """A name as it is, and each of its parts in one script."""
    yield display_name
    yield from _CHINESE.findall(display_name)
    latin = _LATIN.findall(display_name)
    if len(latin) > 1:
        yield " ".join(latin)


def _is_whole(name: str) -> bool:
    """Whether a name is more than a word, which may mean something else in lower case."""
    return bool(_CHINESE.search(name)) or "_" in name or " " in name.strip()


def _is_given(word: str) -> bool:
    return len(word) >= SHORTEST and word[0].isupper()


def _pattern(here: Iterable[str], whole: Iterable[str], given: Iterable[str]) -> re.Pattern[str] | None:
    """Find names. Those who have a seat come first, so that nobody is found inside a longer name of theirs."""
    strangers = [f"(?i:{each})" for each in _alternatives(whole)] + _alternatives(given)
    if not strangers:
        return None
    seated = [f"(?i:{each})" for each in _alternatives(here)]
    return re.compile(f"(?P<seated>{'|'.join(seated) or '(?!)'})|(?P<stranger>{'|'.join(strangers)})")


def _alternatives(names: Iterable[str]) -> list[str]:
    """The longest first. Chinese is written without spaces, so only other letters must not go on."""
    found = sorted({each.strip() for each in names if len(each.strip()) > 1}, key=lambda each: (-len(each), each))
    return [
        re.escape(each) if _CHINESE.search(each) else rf"(?<![A-Za-z0-9_]){re.escape(each)}(?![A-Za-z0-9_])"
        for each in found
    ]


def _texts(draft: ProposalDraft) -> Iterator[tuple[str, str]]:
    """The texts of a draft that may name only who is there, and where they are."""
    yield from (("summary", draft.summary), ("objective", draft.objective), ("rationale", draft.rationale))
    for each in draft.timeline.milestones:
        yield from (("timeline.milestones", each.name), ("timeline.milestones", each.deliverable))
    yield from (("success_criteria", each) for each in draft.success_criteria)
    for seat in draft.assignments:
        for text in (seat.role, seat.responsibility, seat.notes, *seat.dependencies):
            yield "assignments", text


def _told_seat(seat: Assigned, names: _Names) -> Assigned:
    if not names.may_be_in(seat.role, seat.responsibility, seat.notes, *seat.dependencies):
        return seat
    return replace(
        seat,
        role=names.without_strangers(seat.role),
        responsibility=names.without_strangers(seat.responsibility),
        notes=names.without_strangers(seat.notes),
        dependencies=tuple(names.without_strangers(each) for each in seat.dependencies),
    )


def _told_timeline(timeline: Timeline, names: _Names) -> Timeline:
    milestones = tuple(
        replace(
            each,
            name=names.without_strangers(each.name),
            deliverable=names.without_strangers(each.deliverable),
        )
        for each in timeline.milestones
    )
    return replace(timeline, milestones=milestones)


def _kept(text: str, is_true: Callable[[str], bool], instead: str = "") -> str:
    """Return the text without the sentences that are not true, and with another one instead of the first of them."""
    kept: list[str] = []
    for sentence in _SENTENCE.split(text):
        if _OURS.match(sentence.strip()) or not is_true(sentence):
            if instead and instead not in kept and not _is_missing(sentence):
                kept.append(instead)
        else:
            kept.append(sentence)
    joined = "".join(f" {each}" if each == instead and number else each for number, each in enumerate(kept))
    return joined.strip() or instead


def _is_missing(sentence: str) -> bool:
    lacks = (*MISSING.values(), *TOO_FEW.values())
    return any(sentence.strip().startswith(each.partition("{")[0].strip()) for each in lacks)


def _who(seats: Iterable[Assigned], own: Language) -> str:
    brackets = "（{}）" if own == "zh" else " ({})"
    names = [(each.display_name or each.agent_id) + (brackets.format(each.role) if each.role else "") for each in seats]
    return WHO[own].format(names=_joined(names, own))


def _joined(texts: Iterable[str], own: Language) -> str:
    return ("、" if own == "zh" else ", ").join(texts)


def _spaced(sentences: Iterable[str], own: Language) -> str:
    return ("" if own == "zh" else " ").join(each for each in sentences if each)


def _uncovered(state: Negotiation, seats: Sequence[Assignment]) -> tuple[Need, ...]:
    return tuple(each for each in needs_of(state) if not is_enough(state, each, seats))


def _counted(state: Negotiation, need: Need, seats: Sequence[Assignment], own: Language) -> str:
    here = brought(state, need, (each.agent_id for each in seats if need.need_id in each.covers))
    count = {"en": f"{here} of {wanted(state, need)}", "zh": f"{wanted(state, need)}人里有{here}人"}[own]
    return f"{need.what}（{count}）" if own == "zh" else f"{need.what} ({count})"
