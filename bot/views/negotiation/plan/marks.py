"""How sure each thing in a plan is, which needs are met, and who is taken twice."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.data_words import found_words, wanted_words, when_words
from bot.views.kit.mrkdwn import UNLIMITED, Fit, escaped
from bot.views.negotiation.names import asked_on, bold_name, join_names, name_in_thread
from bot.views.negotiation.plan.times import not_then
from engine.facts.circumstances import Money
from engine.facts.data import Datum
from engine.negotiation.answers import AdjustmentSummary, Need
from engine.negotiation.plan.clashes import ClashTold, clashes_now, has_more
from engine.negotiation.plan.coverage import needs_of
from engine.negotiation.plan.marks import About, Mark, MarkKind, marks_of
from engine.negotiation.plan.told_needs import NOT_COVERED, NeedStatus, NeedTold, lacking, needs_in_round, needs_now
from engine.negotiation.search.substitutes import vacant_seat
from engine.negotiation.state import Negotiation, Round
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

    def without_wishes(self, of: Collection[str]) -> "Marks":
        """Leave out that the wishes of these people are not met."""
        return Marks(tuple(each for each in self._marks if not (_is_unmet_wish(each) and each.agent_id in of)))

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
    return bool(mark.agent_id) and mark.about in ("price", "capacity", "hours", "place", "notice")


def _is_unmet_wish(mark: Mark) -> bool:
    return mark.about == "request" and mark.kind is MarkKind.BROKEN


def _is_count(mark: Mark) -> bool:
    """Whether it holds how many cover a need: that is said with what is missing."""
    return mark.about == "need" and not mark.agent_id


NO_MARKS: Final = Marks(())


def both_data(mark: Mark, texts: Texts, today: str) -> str:
    """What the version says, and what was asked: "19:00, and no later than 18:00 was asked"."""
    if mark.about == "attendance":
        return ""  # `not_then` says both
    if mark.found_when is not None and mark.wanted_when is not None:
        found, wanted = when_words(mark.found_when, texts, today), when_words(mark.wanted_when, texts, today)
    elif mark.wanted is not None and mark.found is not None:
        found, wanted = found_words(mark.found, texts, today), _wanted(mark, texts, today)
    else:
        return ""
    return escaped(texts.say("{found}, and {wanted} was asked", found=found, wanted=wanted)) if found and wanted else ""


def _wanted(mark: Mark, texts: Texts, today: str) -> str:
    assert mark.wanted is not None  # noqa: S101 - see `both_data`
    if mark.about in ("budget", "price") and isinstance(mark.wanted, Money) and not mark.wanted.none:
        return texts.say("at most {sum}", sum=found_words(mark.wanted, texts))
    return wanted_words(mark.wanted, texts, today)


def _found(found: Datum, texts: Texts, today: str) -> str:
    is_free = isinstance(found, Money) and found.none  # of what somebody brings, not of what there is
    return texts.say("free of charge") if is_free else found_words(found, texts, today)


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
        case "attendance":
            return not_then(state, proposal.version, texts)
        case "deadline":
            return texts.say("when it is done")
        case "budget" | "price":
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


def troubles(
    state: Negotiation, proposal: Proposal, marks: Marks, texts: Texts, fit: Fit, wishes: Collection[str] = ()
) -> list[Block]:
    """Return the lines of a card that say which claims are broken or doubted; empty if none is.

    Args:
        wishes: agent ids of those whose unmet wish stands on the same card already.
    """
    marks = marks.without_wishes(wishes)

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
        said = escaped(_found(each.found, texts, asked_on(state))) if each.found else ""
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


MOST_NAMES = 2
"""Of those who cover one need, on a card: the plan says anyway what everybody brings."""

UNCOVERED = {NeedStatus.OPEN: "▫️", NeedStatus.MISSING: "❌", NeedStatus.PARTLY: "❌"}


def sign_of(need: NeedTold, marks: Marks) -> str:
    """What a line about a need begins with: how sure it is that it is covered; that somebody has accepted makes a claim
    no surer.
    """
    if need.status in UNCOVERED:
        return UNCOVERED[need.status]
    counted = need.accepted if need.status is NeedStatus.ACCEPTED else need.covered_by
    return marks.covered(need.need_id, counted, need.wanted) or "▫️"


def needs_line(state: Negotiation, texts: Texts, fit: Fit) -> str:
    """Return one line for the demand's own card; empty where the needs are not known."""
    needs = needs_now(state)
    shown = [_short(each, NO_MARKS, texts, fit) for each in fit.first(needs, 10)]
    return texts.say("Needed: {needs}", needs="   ".join(shown)) if shown else ""


def missing_now(state: Negotiation, texts: Texts, fit: Fit) -> list[str]:
    """Return what is needed and not covered, or by too few."""
    missing = [each for each in needs_now(state) if each.status in NOT_COVERED]
    return [
        f"{fit.line(each.what, 80)} ({_count(each, texts)})"
        if each.status is NeedStatus.PARTLY
        else fit.line(each.what, 80)
        for each in fit.first(missing, 6)
    ]


def _short(need: NeedTold, marks: Marks, texts: Texts, fit: Fit) -> str:
    what = f"{sign_of(need, marks)} {fit.line(need.what, 60)}"
    if need.status is NeedStatus.MISSING:
        return texts.say("{what} (missing)", what=what)
    return f"{what} ({_count(need, texts)})" if need.wanted > 1 and need.status is not NeedStatus.OPEN else what


def _count(need: NeedTold, texts: Texts) -> str:
    return texts.say("{count} of {wanted}", count=need.count, wanted=need.wanted)


def in_round(state: Negotiation, voted: Round, texts: Texts, fit: Fit) -> list[Block]:
    return _card(state, needs_in_round(state, voted), Marks.of(state, state.proposals[voted.version - 1]), texts, fit)


def needs_in_plan(state: Negotiation, texts: Texts, fit: Fit) -> list[Block]:
    """What is covered in an agreed plan and by whom, in small print: the plan tells above what everybody brings, and
    `lacks` what is not covered.
    """
    lacked = lacking(state)
    told = [each for each in needs_now(state) if each not in lacked]
    covered = [each for each in told if each.covered_by]
    if not covered or fit.only_whole():
        return _card(state, told, _marks(state), texts, fit)
    lines, marks = [], _marks(state)
    compared = compared_lines(state, marks, texts, lambda agent_id: name_in_thread(state, agent_id, fit))
    if told == covered and {*signs(state)} == {MET} and not compared:
        return [blocks.context(texts.say("✓ Everything that was asked for is covered."))]
    for each in fit.first(covered, 10):
        names = [
            _with_sign(name_in_thread(state, agent_id, fit), marks, each, agent_id)
            for agent_id in each.covered_by[:MOST_NAMES]
        ]
        who = join_names(names, texts, len(each.covered_by))
        lines.append(texts.say("{what}: {detail}", what=_short(each, marks, texts, fit), detail=who))
    return [blocks.context("\n".join([*lines, *compared]))]


def signs(state: Negotiation) -> list[str]:
    """The sign of each need that is covered in an agreed plan."""
    lacked, marks = lacking(state), _marks(state)
    return [sign_of(each, marks) for each in needs_now(state) if each.covered_by and each not in lacked]


def _marks(state: Negotiation) -> Marks:
    """The marks of an agreed plan."""
    return Marks.of(state, state.final.final_proposal) if state.final else NO_MARKS


def _card(state: Negotiation, needs: Sequence[NeedTold], marks: Marks, texts: Texts, fit: Fit) -> list[Block]:
    def named(agent_id: str) -> str:
        return name_in_thread(state, agent_id, fit)

    lines = [
        need_line(each, fit.line(each.what, 160), named, texts, UNLIMITED if fit.is_whole else MOST_NAMES, marks)
        for each in fit.first(needs, 10)
    ]
    return blocks.titled_list(texts.say("*What is needed*"), lines)


def need_line(
    need: NeedTold,
    what: str,
    name_of: Callable[[str], str],
    texts: Texts,
    most: int = UNLIMITED,
    marks: Marks = NO_MARKS,
) -> str:
    """
    Args:
        what: the need in its own words, escaped for where the line stands.
        name_of: agent id -> the name, escaped as well.
        most: how many of those who cover it are named.
        marks: of the version; a sign stands beside each name.
    """
    number = f"{what} × {need.quantity}" if need.quantity > 1 else what
    head = f"{sign_of(need, marks)} " + (texts.say("{what} (essential)", what=number) if need.essential else number)
    if need.status is NeedStatus.OPEN:
        return head
    if need.status is NeedStatus.MISSING:
        return texts.say("{what}: {detail}", what=head, detail=texts.say("missing; nobody covers it"))
    shown = need.covered_by[:most]
    signed = {each: _with_sign(name_of(each), marks, need, each) for each in shown}
    names = [_accepting(name, texts) if each in need.accepted else name for each, name in signed.items()]
    joined = join_names(names, texts, len(need.covered_by))
    told = texts.say("{names} – {count}", names=joined, count=_count(need, texts)) if need.wanted > 1 else joined
    return texts.say("{what}: {detail}", what=head, detail=told)


def _with_sign(name: str, marks: Marks, need: NeedTold, agent_id: str) -> str:
    """A name, and how sure it is that they cover the need, where that differs from what the line begins with."""
    sign = marks.sign("need", agent_id, need_id=need.need_id)
    return f"{name} {sign}" if sign and sign != sign_of(need, marks) else name


def _accepting(name: str, texts: Texts) -> str:
    return texts.say("{who} (accepts)", who=name)


def asked_for(state: Negotiation, agent_id: str, texts: Texts, line: Callable[[str], str]) -> str:
    """Return what somebody is asked for, in one line; empty where it is the demand as a whole."""
    seat = vacant_seat(state, agent_id)
    if seat is None:
        return ""
    wanted = [each.what for each in seat.needs] or [seat.role]
    return texts.say(", ").join(line(each) for each in dict.fromkeys(wanted) if each)


def lacks(state: Negotiation, texts: Texts, line: Callable[[str], str]) -> str:
    """Return what is essential and not covered, or by too few, of those who have agreed to the plan, in one line; empty
    where nothing is.
    """

    def told(each: NeedTold) -> str:
        return f"{line(each.what)} ({_count(each, texts)})" if each.status is NeedStatus.PARTLY else line(each.what)

    return texts.say(", ").join(map(told, lacking(state)))


MARK = "⚠️"


def clashes_line(state: Negotiation, texts: Texts, fit: Fit) -> str:
    """Return one line for the demand's own card, which notifies nobody; empty where nothing is taken twice."""
    taken = dict.fromkeys(_unnotified(state, each, fit) for each in clashes_now(state))
    names = texts.say(", ").join(fit.first([*taken], 6))
    return texts.say("{mark} Also in another plan at that time: {names}", mark=MARK, names=names) if names else ""


def _unnotified(state: Negotiation, clash: ClashTold, fit: Fit) -> str:
    if not clash.agent_id:
        return fit.line(clash.room, 60)
    known = state.known_person(clash.agent_id)
    return bold_name(known.display_name if known else "", clash.agent_id, fit)


def clashes_in_plan(state: Negotiation, texts: Texts, fit: Fit) -> list[Block]:
    """Return the part of a plan's card."""

    def named(agent_id: str) -> str:
        return name_in_thread(state, agent_id, fit)

    told = clash_lines(clashes_now(state), texts, named, lambda each: fit.line(each, 60))
    more = [texts.say("and more")] if has_more(state) else []
    return blocks.titled_list(texts.say("*Taken twice*"), [*fit.first(told, 12), *more])


def own_lines(clashes: Iterable[ClashTold], texts: Texts) -> list[str]:
    """Return what somebody is told about themselves."""
    return clash_lines(clashes, texts, lambda _: texts.say("You"), str)


def clash_lines(
    clashes: Iterable[ClashTold], texts: Texts, name_of: Callable[[str], str], line: Callable[[str], str]
) -> list[str]:
    """
    Args:
        name_of: agent id -> the name, escaped for where the line stands.
        line: escapes a room's name likewise.
    """
    return [
        f"{MARK} {_text(each, name_of(each.agent_id) if each.agent_id else line(each.room), texts)}" for each in clashes
    ]


def _text(clash: ClashTold, who: str, texts: Texts) -> str:
    fields = {"who": who, "demand": clash.demand_id, "day": _days(clash, texts)}
    if clash.start:
        hours, others = _hours(clash.start, clash.end), _hours(clash.other_start, clash.other_end)
        return texts.say(
            "{who}: also in {demand} on {day}, {others} (here {hours})", hours=hours, others=others, **fields
        )
    return texts.say("{who}: also in {demand} on {day}; the hours are not settled", **fields)


def _days(clash: ClashTold, texts: Texts) -> str:
    if clash.first == clash.last:
        return clash.first
    return texts.say("{first} to {last}", first=clash.first, last=clash.last)


def _hours(start: str, end: str) -> str:
    return f"{start}–{end}" if end else start
