"""Limits that stand in words: what a twin says of each, what code adds to it, and what is left in doubt.

Each is a numbered question to the twin. What it does not answer is unsure; and what its owner has written that they
never do, and stands in the demand or the plan in these very words, is unsure at the least, whatever a twin says: nobody
is talked round there, and the person decides.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from engine.directory.profile import HeldLimit, Profile
from engine.facts.quoting import stands_in
from engine.kernel import Message, plain
from engine.negotiation.answers import LimitAnswer, LimitVerdict, ProposalDraft, Understanding
from engine.negotiation.events import LimitDoubt, LimitsWeighed, Weighed
from engine.negotiation.remembering import remembered
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import HeldFinding

__all__ = [
    "LimitDoubt",
    "NumberedLimit",
    "Weighed",
    "by_data",
    "demand_texts",
    "doubts_of",
    "numbered",
    "plan_texts",
    "weighed",
]  # fmt: skip

_WORST: Final = (LimitVerdict.BROKEN, LimitVerdict.UNSURE, LimitVerdict.KEPT)


class NumberedLimit(Message):
    """A limit in words, as a question names it."""

    number: int
    """Counted from 1."""
    words: str
    source: str
    """Where its owner has written it: ``never``, ``from_now_on`` or ``leaves_if``."""


def numbered(limits: Sequence[HeldLimit], start: int = 1) -> tuple[NumberedLimit, ...]:
    """Number limits in words for a question."""
    return tuple(
        NumberedLimit(number=number, words=each.words, source=each.source) for number, each in enumerate(limits, start)
    )


# ── what a twin has answered ──────────────────────────────────────────────────────────────────────────────────────────


def weighed(
    profile: Profile, answers: Sequence[LimitAnswer], texts: Sequence[str], *, lifted: Collection[str] = ()
) -> Weighed:
    """Return what is in doubt of somebody's limits in words.

    Args:
        texts: the demand, and the plan where there is one.
        lifted: limits about which their owner was asked and has said yes for this demand.
    """
    limits = profile.worded_limits
    doubts = []
    for number, limit in enumerate(limits, 1):
        said = _answer(number, answers)
        verdict = said.verdict
        quote = said.quote if stands_in(said.quote, *texts) else ""
        is_their_word = limit.source == "never" and limit.words not in lifted and stands_in(limit.words, *texts)
        if verdict is LimitVerdict.KEPT and is_their_word:
            doubts.append(LimitDoubt(words=limit.words, verdict=LimitVerdict.UNSURE, quote=limit.words, by="words"))
        elif verdict is not LimitVerdict.KEPT:
            doubts.append(LimitDoubt(words=limit.words, verdict=verdict, quote=quote, by="twin"))
    return Weighed(is_limited=bool(limits), doubts=tuple(doubts))


def _answer(number: int, answers: Sequence[LimitAnswer]) -> LimitAnswer:
    """Return what was said of a limit, the worst where there is more than one answer; none is unsure."""
    said = [each for each in answers if each.number == number]
    return min(said, key=lambda each: _WORST.index(each.verdict), default=LimitAnswer(number=number))


def by_data(said: Weighed, broken: Iterable[HeldFinding]) -> Weighed:
    """Add the limits that are broken by data."""
    found = [
        LimitDoubt(words=each.words, verdict=LimitVerdict.BROKEN, by="data", wanted=each.wanted, found=each.found)
        for each in broken
    ]
    return replace(said, doubts=(*said.doubts, *found)) if found else said


# ── where a limit's own words can stand ───────────────────────────────────────────────────────────────────────────────

_IDS: Final = frozenset(
    {"agent_id", "need_id", "display_name", "covers", "after", "first", "last", "start", "end", "time_zone", "kind"}
)
_GUESSES: Final = frozenset(
    {"deep_understanding", "uncertainties", "question", "reply", "phrases", "language", "confidence"}
)
"""What a model has added to a demand."""
_ANSWERS: Final = frozenset({"conditions", "adjustment_summary", "not_chosen"})
"""What a version says about what people have asked for themselves, in their words."""


@remembered
def demand_texts(raw_input: str, understanding: Understanding | None) -> tuple[str, ...]:
    if understanding is None:
        return (raw_input,)
    return (raw_input, *_texts(plain(understanding), _IDS | _GUESSES))


@remembered
def plan_texts(plan: ProposalDraft) -> tuple[str, ...]:
    fields = ProposalDraft.fields_of(plan)
    return tuple(_texts(plain(ProposalDraft(**{**fields, "adjustment_summary": None})), _IDS | _ANSWERS))


def _texts(value: object, besides: Collection[str]) -> list[str]:
    """Return every text in plain values but for those in certain fields."""
    if isinstance(value, dict):
        values: Iterable[object] = [each for name, each in value.items() if name not in besides]
    else:
        values = value if isinstance(value, list | tuple) else ()
    found: list[str] = []
    for each in values:
        if type(each) is str:
            found.append(each)
        elif each and isinstance(each, dict | list | tuple):  # most fields are empty
            found += _texts(each, besides)
    return found


# ── what is in doubt ──────────────────────────────────────────────────────────────────────────────────────────────────


def doubts_of(state: Negotiation, agent_id: str) -> tuple[LimitDoubt, ...]:
    """Return why somebody's seat waits for its person, or what their twin's offer has left open; for them alone.

    Nothing once the person has spoken.
    """
    if not state.rounds:
        offer = state.offers.get(agent_id)
        by_hand = offer is not None and offer.source == "human"
        return () if by_hand else _together(state.weighed.get(agent_id, ()))
    latest = state.rounds[-1]
    seat = latest.seats.get(agent_id)
    if seat is None or seat.human is not None:
        return ()
    said = state.weighed.get(agent_id, ())
    return _together(
        each for each in said if each.version == latest.version and (each.by == "reader" or each.round == latest.number)
    )


def _together(said: Iterable[LimitsWeighed]) -> tuple[LimitDoubt, ...]:
    """Return what several say of each limit, the worst of it."""
    found: dict[tuple[str, str], LimitDoubt] = {}
    for event in said:
        for each in event.doubts:
            key = each.words, "" if each.words else str(each.wanted)
            before = found.get(key)
            if before is None or _WORST.index(each.verdict) < _WORST.index(before.verdict):
                found[key] = each
    return tuple(found.values())
