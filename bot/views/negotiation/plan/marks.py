"""Shows how sure what a version says is: ✓ checked, ○ as somebody said it, ? doubted, ✗ broken.

A sign stands beside what it is about. What is broken or doubted is also a line of its own, with both data, or with the
claim, the words that it rests on and why they are doubted.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.data_words import found_words, sum_words, wanted_words, when_words
from bot.views.kit.fit import UNLIMITED, Fit
from bot.views.kit.mrkdwn import escaped
from bot.views.negotiation.names import bold_name
from bot.views.negotiation.plan.dates import asked_on
from engine.facts.circumstances import Money
from engine.negotiation.answers import AdjustmentSummary, Need
from engine.negotiation.plan.coverage import needs_of
from engine.negotiation.plan.marks import About, Mark, MarkKind, marks_of
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import HeldCondition, Proposal

SIGNS: Final = {MarkKind.CHECKED: "✓", MarkKind.SAID: "○", MarkKind.DOUBTED: "?", MarkKind.BROKEN: "✗"}
_GRAVITY: Final = (MarkKind.BROKEN, MarkKind.DOUBTED, MarkKind.SAID, MarkKind.CHECKED)

MOST_LINES: Final = 6
"""Of what is broken or doubted, on a card."""

Line = Callable[[str, int], str]
"""Somebody's words, and how many characters may be shown -> the words on one line, escaped for where they stand."""


class Marks:
    """The marks of one version."""

    def __init__(self, marks: Iterable[Mark]) -> None:
        self._marks = tuple(marks)

    @classmethod
    def of(cls, state: Negotiation, version: Proposal) -> "Marks":
        return cls(marks_of(state, version))

    def sign(self, about: About, agent_id: str = "", *, need_id: str = "", number: int = 0) -> str:
        """The sign of the worst mark of something; empty where it has none.

        Args:
            agent_id, need_id, number: those that are left out are anybody's.
        """
        kinds = {
            each.kind
            for each in self._marks
            if each.about == about
            and (not agent_id or each.agent_id == agent_id)
            and (not need_id or each.need_id == need_id)
            and (not number or each.number in (0, number))
        }
        return next((SIGNS[each] for each in _GRAVITY if each in kinds), "")

    def is_broken(self, about: About, agent_id: str) -> bool:
        """Whether two data contradict each other there."""
        return self.sign(about, agent_id) == SIGNS[MarkKind.BROKEN]

    def covered(self, need_id: str, by: Iterable[str], wanted: int = 1) -> str:
        """The sign of a need: as sure as the last of those whom it takes, the surest counted first; empty where nobody
        covers it.

        Args:
            by: agent ids of those who count.
            wanted: how many it takes.
        """
        counted = {*by}
        kinds = [
            each.kind
            for each in self._marks
            if each.about == "need" and each.need_id == need_id and each.agent_id in counted
        ]
        surest = sorted(kinds, key=_GRAVITY.index, reverse=True)
        return SIGNS[surest[: max(wanted, 1)][-1]] if surest else ""

    def find(self, about: About, agent_id: str, number: int = 0) -> Mark | None:
        """The mark of a condition or a request of somebody."""
        found = [each for each in self._marks if each.about == about and each.agent_id == agent_id]
        return next((each for each in found if each.number == number), found[0] if len(found) == 1 else None)

    def of_condition(self, condition: HeldCondition) -> Mark | None:
        return self.find("condition", condition.agent_id, condition.condition_id)

    @property
    def fitting(self) -> Sequence[Mark]:
        """What each person brings that was held against what is asked for, and is enough."""
        return [each for each in self._marks if each.kind is MarkKind.CHECKED and _is_of_somebody(each)]

    @property
    def troubles(self) -> Sequence[Mark]:
        """What is broken, then what is doubted."""
        broken = [each for each in self._marks if each.kind is MarkKind.BROKEN and not _is_count(each)]
        return (*broken, *(each for each in self._marks if each.kind is MarkKind.DOUBTED))


def _is_of_somebody(mark: Mark) -> bool:
    """Whether it holds what one person brings against what is asked for."""
    return bool(mark.agent_id) and mark.about in ("capacity", "hours", "place", "notice")


def _is_count(mark: Mark) -> bool:
    """Whether it holds how many cover a need: that is said with what is missing."""
    return mark.about == "need" and not mark.agent_id


NO_MARKS: Final = Marks(())


def both_data(mark: Mark, texts: Texts, today: str) -> str:
    """What the version says, and what was asked: "19:00, and no later than 18:00 was asked"."""
    if mark.found_when is not None and mark.wanted_when is not None:
        found, wanted = when_words(mark.found_when, texts, today), when_words(mark.wanted_when, texts, today)
    elif mark.wanted is not None and mark.found is not None:
        found, wanted = found_words(mark.found, texts, today), _wanted(mark, texts, today)
    else:
        return ""
    return escaped(texts.say("{found}, and {wanted} was asked", found=found, wanted=wanted)) if found and wanted else ""


def _wanted(mark: Mark, texts: Texts, today: str) -> str:
    assert mark.wanted is not None  # noqa: S101 - see `both_data`
    if mark.about == "budget" and isinstance(mark.wanted, Money) and not mark.wanted.none:
        return texts.say("at most {sum}", sum=sum_words(mark.wanted.amount, mark.wanted.currency, texts))
    return wanted_words(mark.wanted, texts, today)


def doubt(mark: Mark, texts: Texts, line: Line) -> str:
    """The words that a doubted claim rests on, and why the second reader doubts it."""
    quote, why = line(mark.quote, 160), line(mark.why, 200)
    quoted = texts.say("“{quote}”", quote=quote) if quote else ""
    return " – ".join(filter(None, (quoted, why or texts.say("the second reader does not see it there"))))


def trouble_lines(
    state: Negotiation, proposal: Proposal, marks: Marks, texts: Texts, line: Line, name_of: Callable[[str], str]
) -> list[str]:
    """A line for each thing that is broken or doubted.

    Args:
        name_of: agent id -> the name, escaped as well.
    """
    today = asked_on(state)
    return [
        f"{SIGNS[each.kind]} {told}"
        for each in marks.troubles
        if (told := _trouble(state, proposal, each, texts, line, name_of, today))
    ]


def _trouble(
    state: Negotiation,
    proposal: Proposal,
    mark: Mark,
    texts: Texts,
    line: Line,
    name_of: Callable[[str], str],
    today: str,
) -> str:
    what = _about(state, proposal, mark, texts, line)
    who = name_of(mark.agent_id) if mark.agent_id and mark.about != "milestone" else ""
    claim = texts.say("{what}: {detail}", what=who, detail=what) if who and what else who or what
    detail = both_data(mark, texts, today) if mark.kind is MarkKind.BROKEN else doubt(mark, texts, line)
    return " – ".join(filter(None, (claim, detail)))


def _about(state: Negotiation, proposal: Proposal, mark: Mark, texts: Texts, line: Line) -> str:
    match mark.about:
        case "need":
            return _need(needs_of(state), mark.need_id, line)
        case "condition":
            return _condition(proposal, mark, line)
        case "request":
            return _request(proposal, mark, line)
        case "milestone":
            steps = proposal.timeline.milestones
            return line(steps[mark.number - 1].name, 100) if 0 < mark.number <= len(steps) else ""
        case "deadline" if mark.need_id:
            return _need(needs_of(state), mark.need_id, line)
        case "capacity" if mark.need_id and (need := _need(needs_of(state), mark.need_id, line)):
            return texts.say("{what}: {detail}", what=need, detail=texts.say("for how many it is enough"))
        case "when":
            return texts.say("the time")
        case "deadline":
            return texts.say("when it is done")
        case "budget":
            return texts.say("what it costs")
        case "capacity":
            return texts.say("for how many it is enough")
        case "hours":
            return texts.say("the hours of work")
        case "place":
            return texts.say("the place")
        case "notice":
            return texts.say("how long ahead they are asked")
        case "order":
            return texts.say("waits for somebody who waits for them")
        case "complete":
            return texts.say("nothing is missing")


def _need(needs: Sequence[Need], need_id: str, line: Line) -> str:
    return next((line(each.what, 100) for each in needs if each.need_id == need_id), "")


def _condition(proposal: Proposal, mark: Mark, line: Line) -> str:
    theirs = [each for each in proposal.conditions if each.agent_id == mark.agent_id]
    found = next((each for each in theirs if each.condition_id == mark.number), None)
    if found is None and 0 < mark.number <= len(theirs):
        found = theirs[mark.number - 1]
    return line(found.condition, 160) if found else ""


def _request(proposal: Proposal, mark: Mark, line: Line) -> str:
    summary = proposal.adjustment_summary or AdjustmentSummary()
    said = [(each.agent_id, each.request) for each in summary.requests_addressed]
    said += [(each.agent_id, each.request) for each in summary.requests_declined]
    who, request = said[mark.number - 1] if 0 < mark.number <= len(said) else ("", "")
    return line(request, 160) if who == mark.agent_id else ""


def troubles(state: Negotiation, proposal: Proposal, marks: Marks, texts: Texts, fit: Fit) -> list[Block]:
    """What does not fit, and what is doubted, on a card; nothing where that is nothing."""

    def name_of(agent_id: str) -> str:
        return bold_name(_display_name(state, proposal, agent_id), agent_id, fit)

    lines = trouble_lines(state, proposal, marks, texts, fit.line, name_of)
    shown = fit.first(lines, MOST_LINES if not fit.is_whole else UNLIMITED)
    return blocks.titled_list(texts.say("*To look at*"), [*shown])


def compared_lines(state: Negotiation, marks: Marks, texts: Texts, name_of: Callable[[str], str]) -> list[str]:
    """A line for each person of whose part data was compared that fits: "✓ Ada: London · up to 60 people".

    Args:
        name_of: agent id -> the name, escaped.
    """
    found: dict[str, list[str]] = {}
    for each in marks.fitting:
        said = escaped(found_words(each.found, texts, asked_on(state))) if each.found else ""
        if said and said not in found.setdefault(each.agent_id, []):
            found[each.agent_id].append(said)
    return [
        f"{SIGNS[MarkKind.CHECKED]} " + texts.say("{what}: {detail}", what=name_of(who), detail=" · ".join(said))
        for who, said in found.items()
        if said
    ]


def _display_name(state: Negotiation, proposal: Proposal, agent_id: str) -> str:
    seat = next((each for each in proposal.assignments if each.agent_id == agent_id), None)
    asked = state.known_person(agent_id)
    return (seat.display_name if seat else "") or (asked.display_name if asked else "")


MET, PROMISED, DOUBTED, BROKEN = "✓", "○", "?", "✗"
"""What is only promised is no tick, and what is open is not broken: both are as they were said."""


def mark_of(condition: HeldCondition, mark: Mark | None = None) -> str:
    """Return its mark. Nothing is broken of which there are not two data that contradict each other."""
    if condition.status == "broken" and condition.wanted is not None and condition.found is not None:
        return BROKEN
    if not condition.met or condition.status == "broken":
        return PROMISED
    if mark is not None:
        return SIGNS[mark.kind]
    return PROMISED if condition.status == "unknown" else MET


def marked(
    text: str, condition: HeldCondition, line: Line, texts: Texts, today: str = "", mark: Mark | None = None
) -> str:
    """Return a line about a condition: its sign, the text, and why: both data where they contradict each other.

    Args:
        line: escapes what a model has said for where the line stands.
    """
    sign, reasons = mark_of(condition, mark), [line(condition.reason, 200)]
    if sign == BROKEN:
        held = Mark(about="condition", kind=MarkKind.BROKEN, wanted=condition.wanted, found=condition.found)
        reasons = [both_data(held, texts, today)]
    elif sign == DOUBTED and mark is not None:
        reasons.append(doubt(mark, texts, line))
    elif sign == PROMISED and condition.met:
        reasons.append(texts.say("promised; the plan cannot show it"))
    elif sign == PROMISED and not condition.reason:
        reasons.append(texts.say("still open"))
    return " – ".join(filter(None, (f"{sign} {text}", *reasons)))


def counted(state: Negotiation, proposal: Proposal, needs: Iterable[str]) -> str:
    """Return how many of a plan's needs and conditions have each mark: ``✓ 1 · ○ 2``; empty where there are none.

    Args:
        needs: their signs.
    """
    marks = Marks.of(state, proposal)
    found = Counter([*needs, *(mark_of(each, marks.of_condition(each)) for each in proposal.conditions)])
    return " · ".join(f"{each} {found[each]}" for each in (MET, PROMISED, DOUBTED, BROKEN) if found[each])
