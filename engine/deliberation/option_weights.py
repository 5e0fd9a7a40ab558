"""Weighs the options of a brief by the facts: what rules one out, what speaks for it, what against it, and who says so.

A fact is taken sentence by sentence. A sentence that names no option goes with the one before it ("It has no lift"), or
with the options whose own facts share a word with it that no other option's do: "Route A crosses the iron bridge" and
"The iron bridge is closed" rule out Route A.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.deliberation.evidence import DECISIVE, Manner, Weight, is_denied, manner_of, weight_of, what_is_denied
from engine.deliberation.measures import Measure, measures_in
from engine.deliberation.words import names, words_of
from engine.kernel import HandedFact

_SENTENCE: Final = re.compile(
    r"(?<=[。！？；;!?\n])"
    r"|(?<=[a-z0-9)\"”]\.)(?<!\b[MD]r\.)(?<!\bM[rs]s\.)(?<!\bMs\.)(?<!\bSt\.)(?<!\bNo\.)\s+(?=[A-Z“\"])|\.$"
)
_CLAUSE: Final = re.compile(
    r"[,，]?\s*\b(?:but|however|although|though|while|whereas|yet)\b[,]?\s*|[，,]?(?:但是?|不过|然而|可是|虽然"
    r"|尽管|而(?=[^且]))|[;；]",
    re.IGNORECASE,
)
_REQUIRES: Final = re.compile(
    r"\b(?:must|needs?|needed|require[sd]?|requirements?|at least|at most|no more than|no later than|has to"
    r"|have to|within|minimum|maximum|budget|necessary|essential|only (?:have|has)|deadline|expect\w*|for \d)\b"
    r"|必须|需要|要求|至少|不超过|不少于|最多|以内|预算|上限|不能超过|务必|一定要|得有|共有|我们有|预计|只有|预计|预期|来宾|客人",
    re.IGNORECASE,
)
_COMPARED: Final = re.compile(
    r"\b(?:than|compared (?:to|with)|over|rather than|instead of)\b|比(?!较|如|例|赛)|相比|优于|不如", re.IGNORECASE
)
_ALL: Final = re.compile(
    r"\b(?:all|every|each|both|any)\b.{0,24}\b(?:options?|candidates?|routes?|sites?|venues?|suppliers?|of them"
    r"|of these|suspects?|three|four|five)\b|所有|各(?:个|家|条)|三(?:个|家|条)都|都",
    re.IGNORECASE,
)
_ONLY: Final = re.compile(
    r"\b(?:only|the sole|nobody (?:but|except)|no (?:other|one else)|alone)\b|只有|唯一|仅", re.IGNORECASE
)
_GENERIC: Final = frozenset(
    """
    option route plan choice candidate hotel hall hospital school road bridge street center centre site city town
    supplier vendor company house hous park room build garden north south east west new old mr mrs dr ms the way via go
    take mountain river lake valley 方案 选项 路线 医院 学校 公司 酒店 中心 大厅 仓库 供应 应商 候选
    """.split()  # noqa: SIM905 - as one reads them
)
"""Words of options that tell none of them apart from other things."""
_BESIDE: Final = 5
"""Characters between "only" and the option that it is about."""
ASKED_FOR: Final = 0.5
"""What praise weighs more that is for what the question asks for."""
SOFT_HOP: Final = 0.4
"""What a sentence weighs that is linked to an option only by a word."""


@dataclass(frozen=True, slots=True)
class Evidence:
    fact: HandedFact
    sentence: str
    weight: Weight
    because: tuple[str, ...]
    """Ids of all facts that it takes."""


@dataclass(frozen=True, slots=True)
class Weighed:
    option: str
    evidence: tuple[Evidence, ...]

    @property
    def ruling_out(self) -> tuple[Evidence, ...]:
        return tuple(each for each in self.evidence if each.weight.decisive and each.weight.value < 0)

    @property
    def speaks_for(self) -> tuple[Evidence, ...]:
        return tuple(each for each in self.evidence if each.weight.value > 0)

    @property
    def speaks_against(self) -> tuple[Evidence, ...]:
        return tuple(each for each in self.evidence if each.weight.value < 0)

    @property
    def score(self) -> float:
        return sum(each.weight.value for each in self.evidence)


def weigh(options: Sequence[str], facts: Sequence[HandedFact], question: str) -> tuple[Weighed, ...]:
    """The options, the best first; of equals the one that was named first."""
    if not options:
        return ()
    reader = _Reader(options, facts, question)
    found = reader.evidence()
    weighed = [Weighed(each, tuple(found[each])) for each in options]
    return tuple(sorted(weighed, key=lambda each: (len(each.ruling_out) > 0, -round(each.score, 3))))


class _Reader:
    def __init__(self, options: Sequence[str], facts: Sequence[HandedFact], question: str) -> None:
        self._options = options
        self._facts = [*{each.text.strip(): each for each in reversed(facts)}.values()][::-1]
        self._question = question
        self._manner = manner_of(question)
        self._asked = words_of(question)
        self._own = _telling_words(options, self._asked)
        self._clauses = [*self._read()]
        self._linked = self._links()

    def _read(self) -> Iterator[tuple[HandedFact, str, tuple[str, ...]]]:
        """Each clause with the options that it is about."""
        for fact in self._facts:
            before: tuple[str, ...] = ()
            for sentence in filter(None, map(str.strip, filter(None, _SENTENCE.split(fact.text)))):
                sentence_named = self.named(sentence)
                for clause in filter(None, map(str.strip, _CLAUSE.split(sentence))):
                    named = self.named(clause) or (sentence_named if len(sentence_named) == 1 else ())
                    if not named and before and _continues(clause):
                        named = before
                    if named:
                        before = named
                    yield fact, clause, named

    def named(self, text: str) -> tuple[str, ...]:
        exact = [each for each in self._options if names(text, each) or names(text, _bare(each))]
        words = words_of(text)
        other = [each for each in self._options if each not in exact and not self._own[each].isdisjoint(words)]
        return tuple(each for each in self._options if each in exact or each in other)

    def _links(self) -> Mapping[str, frozenset[str]]:
        """The words that stand only in clauses about one option, by option."""
        by_option: dict[str, set[str]] = {each: set() for each in self._options}
        for _, clause, named in self._clauses:
            if len(named) == 1:
                by_option[named[0]] |= words_of(clause)
        found = {}
        for option, words in by_option.items():
            elsewhere = set().union(*(by_option[each] for each in self._options if each != option))
            found[option] = frozenset(
                each
                for each in words - elsewhere - self._asked
                if each not in _GENERIC and not each.isdigit() and (len(each) > 2 or not each.isascii())
            )
        return found

    def evidence(self) -> Mapping[str, list[Evidence]]:
        found: dict[str, list[Evidence]] = {each: [] for each in self._options}
        for fact, clause, named in self._clauses:
            for option, weight in self._weights(clause, named):
                if weight.value:
                    found[option].append(Evidence(fact, clause, weight, (fact.fact_id,)))
        for option, each in self._unmet():
            found[option].append(each)
        return found

    def _weights(self, clause: str, named: tuple[str, ...]) -> Iterator[tuple[str, Weight]]:
        weight = self._weight(clause, named)
        if not named:
            yield from self._hops(clause, weight)
            return
        if len(named) == len(self._options) and len(named) > 1 and not _COMPARED.search(clause):
            return  # what is said of all of them decides nothing
        if len(named) > 1 and _COMPARED.search(clause):
            first, *others = sorted(named, key=lambda each: self._place(clause, each))
            value = max(-1.0, min(1.0, weight.value or 0.5))
            if "不如" in clause:
                value = -abs(value)
            yield first, Weight(value)
            for each in others:
                yield each, Weight(-value)
            return
        if len(named) == 1 and _ONLY.search(clause) and self._is_exclusive(clause, named[0]) and not weight.decisive:
            yield named[0], Weight(max(1.0, weight.value))
            for each in self._options:
                if each != named[0]:
                    yield each, Weight(-2.5)
            return
        for each in named:
            yield each, weight

    def _weight(self, clause: str, named: tuple[str, ...]) -> Weight:
        """What it says; what the question asks for and it denies rules an option out."""
        if self._manner is Manner.BEST and _is_over_its_limit(clause):
            return Weight(-DECISIVE, decisive=True)
        weight = weight_of(clause, self._manner)
        if weight.decisive or self._manner is not Manner.BEST:
            return weight
        own = frozenset[str]().union(*(words_of(each) for each in named)) if named else frozenset()
        shared = (words_of(clause) & self._asked) - own - _GENERIC
        if weight.value < 0 and is_denied(clause) and shared & words_of(what_is_denied(clause)):
            return Weight(-DECISIVE, decisive=True)
        return Weight(weight.value + ASKED_FOR) if shared and weight.value > 0 else weight

    def _place(self, clause: str, option: str) -> int:
        low = clause.lower()
        at = low.find(option.lower())
        if at >= 0:
            return at
        places = [low.find(word) for word in self._own[option] if word in low]
        return min(places, default=len(low))

    def _is_exclusive(self, clause: str, option: str) -> bool:
        """Whether it says that nothing but this option has or can something: "only Hall B has a lift"."""
        match = _ONLY.search(clause)
        if match is None:
            return False
        behind = clause[match.end() : match.end() + _BESIDE + len(option)].lower()
        return option.lower() in behind or _bare(option).lower() in behind

    def _hops(self, clause: str, weight: Weight) -> Iterator[tuple[str, Weight]]:
        if not weight.value:
            return
        words = words_of(clause)
        linked = [each for each in self._options if not self._linked[each].isdisjoint(words)]
        if len(linked) != 1:
            return
        if weight.decisive:
            yield linked[0], Weight(-0.6 * DECISIVE, decisive=True)
        else:
            yield linked[0], Weight(SOFT_HOP * weight.value)

    # ── numbers ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _unmet(self) -> Iterator[tuple[str, Evidence]]:
        needed = [*self._needed()]
        for fact, clause, named in self._clauses:
            if len(named) != 1:
                continue
            for measure in measures_in(clause):
                for want, source in needed:
                    if want.kind != measure.kind or (source is not None and source.fact_id == fact.fact_id):
                        continue
                    verdict = _holds(want, measure)
                    because = tuple(dict.fromkeys((fact.fact_id, *((source.fact_id,) if source else ()))))
                    if verdict is False:
                        yield named[0], Evidence(fact, clause, Weight(-DECISIVE, decisive=True), because)
                    elif verdict is True:
                        yield named[0], Evidence(fact, clause, Weight(0.5), because)

    def _needed(self) -> Iterator[tuple[Measure, HandedFact | None]]:
        """Numbers that are asked for: in the question, and in facts about none of the options."""
        for sentence in filter(None, _SENTENCE.split(self._question)):
            for measure in measures_in(sentence):
                if measure.bound or _REQUIRES.search(sentence) or measure.kind == "people" or "要" in sentence:
                    yield measure, None
        for fact, clause, named in self._clauses:
            if not named and _REQUIRES.search(clause):
                for measure in measures_in(clause):
                    yield measure, fact


def _holds(want: Measure, offered: Measure) -> bool | None:
    """Whether what is offered is enough; None where that cannot be told.

    Without words that say so, people, weights and areas have to be as many at least, money, time and distances at most.
    """
    bound = want.bound
    if want.kind == "money":
        bound = "at most"
    elif not bound or (want.kind == "people" and bound == "at most" and offered.bound == "at most"):
        bound = "at least" if offered.is_room or want.kind in _THE_MORE else "at most"
    if want.kind == "clock" and want.value < HALF_A_DAY <= offered.value and offered.value - HALF_A_DAY <= want.value:
        return None  # five may be in the morning
    if bound == "at least":
        if offered.bound == "at least" and offered.value < want.value:
            return None
        return offered.value >= want.value
    return offered.value <= want.value


def _is_over_its_limit(clause: str) -> bool:
    """Whether it names a limit and what is more than that: a bridge for 5 tons, and trucks of 8."""
    if not _LIMIT.search(clause):
        return False
    found = [*measures_in(clause)]
    return any(
        limit.kind == other.kind and limit.bound == "at most" and other.bound != "at most" and other.value > limit.value
        for limit in found
        for other in found
    )


_LIMIT: Final = re.compile(
    r"\b(?:limit\w*|at most|no more than|only|maximum|max|up to|clearance|supports?|bears?|carries|holds?)\b"
    r"|限重|限高|限宽|限载|上限|最多|不超过|只能",
    re.IGNORECASE,
)


def _telling_words(options: Sequence[str], asked: frozenset[str] = frozenset()) -> Mapping[str, frozenset[str]]:
    """The words of each option that stand in none of the others and say which one it is."""
    words = {each: words_of(each) for each in options}
    found = {}
    for option in options:
        elsewhere = frozenset[str]().union(*(words[each] for each in options if each != option))
        own = {each for each in words[option] - elsewhere if len(each) > 1 and not each.isdigit()}
        telling = frozenset(own - _GENERIC - asked)
        found[option] = telling or frozenset(own if len(own) == 1 else ())
    return found


HALF_A_DAY: Final = 12
_THE_MORE: Final = frozenset({"people", "kg", "m2", "mbps", "kw", "units"})
"""Kinds of which there have to be so many at least."""
_ARTICLE: Final = re.compile(r"^(?:the|a|an|option [a-z0-9]+[:.)]?)\s+", re.IGNORECASE)


def _bare(option: str) -> str:
    return _ARTICLE.sub("", option)


_CONTINUES: Final = re.compile(
    r"^\W*(?:it|its|it's|they|their|he|she|his|her|this|that|there|the (?:same|place|site|owner|manager"
    r"|building|landlord|company|road|route)|also|and|in addition|which|who|has|is|was|can|cannot|does|would"
    r"|will)\b"
    r"|^\W*(?:它|他|她|其|该|这|那|此|而且|并且|也|还|但|不能|没有|可以|有|是|已|无)",
    re.IGNORECASE,
)


def _continues(clause: str) -> bool:
    return bool(_CONTINUES.search(clause))
