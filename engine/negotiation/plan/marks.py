"""Marks: how sure what a version says is. Data that was compared is checked or broken; the rest is as somebody said it.

A mark is no verdict: it moves no status and removes nobody. People see it beside what it is about. A broken one needs
two data of one kind, and shows both. The limits of people are in none of them.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Literal

from engine.facts.circumstances import Money, People, When
from engine.facts.data import Datum, Days, Deadline, Effort, Hours, MaybeDatum, Notice, Place
from engine.facts.holding import UNKNOWN, Finding, Part, Status, holds
from engine.facts.quoting import folded, stands_in
from engine.kernel import ModelAnswer
from engine.negotiation.answers import AdjustmentSummary, Circumstances
from engine.negotiation.demand.reading import asked
from engine.negotiation.events import OfferSubmitted
from engine.negotiation.plan.conditions import found_of
from engine.negotiation.plan.coverage import NeedCoverage, coverage
from engine.negotiation.plan.moving import circles
from engine.negotiation.plan.parts import circumstances, day_of, heads, iso_day, may_begin, whole_part
from engine.negotiation.remembering import remembered
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Assigned, HeldFinding, OfferedData, Proposal, Source
from engine.negotiation.voting.requests import wanted_before

About = Literal[
    "need",
    "condition",
    "request",
    "when",
    "attendance",
    "deadline",
    "budget",
    "price",
    "capacity",
    "hours",
    "place",
    "notice",
    "milestone",
    "order",
    "complete",
]


class MarkKind(StrEnum):
    CHECKED = "checked"
    """Data against data."""
    SAID = "said"
    DOUBTED = "doubted"
    """Another reader says no."""
    BROKEN = "broken"
    """Two data contradict each other; both are shown."""


class Mark(ModelAnswer, kw_only=True):
    """How sure one thing is that a version says."""

    about: About
    kind: MarkKind
    agent_id: str = ""
    """Whose seat, condition or request it is about."""
    need_id: str = ""
    number: int = 0
    """Of the condition, the milestone or the wish, counted from 1; of wishes, those that are open come last."""
    wanted: MaybeDatum = None
    found: MaybeDatum = None
    wanted_when: When | None = None
    found_when: When | None = None
    quote: str = ""
    """The words that a claim rests on."""
    why: str = ""
    """What the other reader says, where it doubts."""


def limit_marks_of(state: Negotiation, agent_id: str) -> tuple[HeldFinding, ...]:
    """Return which limit of somebody the demand breaks, for its owner alone."""
    offer = state.offers.get(agent_id)
    return (offer.broken_limit,) if offer and offer.broken_limit else ()


@remembered
def marks_of(state: Negotiation, version: Proposal) -> tuple[Mark, ...]:
    """Return what is checked, said, doubted or broken of a version; everybody who may see it may know these."""
    context = circumstances(state)
    found = (
        *_needs(state, version),
        *_conditions(version),
        *_requests(state, version),
        *_times(state, context, version),
        *_attendance(state, version),
        *_deadline(context, version),
        *_milestones(state, context, version),
        *_budget(state, context, version),
        *_prices(state, context, version),
        *_capacity(state, context, version),
        *_hours(state, version),
        *_places(state, context, version),
        *_notices(state, context, version),
        *_order(version),
        *_complete(state, version),
    )
    doubts = _doubts(state, version)
    return tuple(_doubted(each, doubts) for each in found)


_Key = tuple[str, str, str, int]
"""What a mark is about, whose, of which need, and its number."""


def _doubts(state: Negotiation, version: Proposal) -> Mapping[_Key, tuple[str, str]]:
    """Return what the second reader says no to: the words that it quotes, and why."""
    given = state.opinions.get(version.version)
    return {
        (each.about, each.agent_id, each.need_id, each.number): (each.quote, each.why)
        for each in (given.opinions if given else ())
        if each.verdict == "no"
    }


def _doubted(mark: Mark, doubts: Mapping[_Key, tuple[str, str]]) -> Mark:
    """Doubt what was only said. What was checked, or confirmed by its person, stays so."""
    key = (mark.about, mark.agent_id, mark.need_id, mark.number)
    if mark.kind is not MarkKind.SAID or key not in doubts:
        return mark
    quote, why = doubts[key]
    return Mark(
        about=mark.about,
        kind=MarkKind.DOUBTED,
        agent_id=mark.agent_id,
        need_id=mark.need_id,
        number=mark.number,
        quote=quote or mark.quote,
        why=why,
    )


_KINDS: Mapping[Status, MarkKind] = {
    "met": MarkKind.CHECKED,
    "broken": MarkKind.BROKEN,
    "unknown": MarkKind.SAID,
}


# ── what somebody has said ────────────────────────────────────────────────────────────────────────────────────────


def _needs(state: Negotiation, version: Proposal) -> Iterator[Mark]:
    confirmed = _confirmed(state, version)
    for each in coverage(state, version):
        need_id = each.need.need_id
        for agent_id in each.covered_by:
            offer = state.offers.get(agent_id)
            claims = offer.claims if offer else ()
            quote = next((claim.quote for claim in claims if claim.need_id == need_id), "")
            kind = MarkKind.CHECKED if agent_id in confirmed else MarkKind.SAID
            yield Mark(about="need", kind=kind, agent_id=agent_id, need_id=need_id, quote=quote)
        yield from _enough(each)


def _enough(covered: NeedCoverage) -> Iterator[Mark]:
    """Hold how many people cover a need against how many it takes."""
    if covered.wanted > 1 and covered.covered_by:
        yield Mark(
            about="need",
            kind=MarkKind.CHECKED if covered.is_enough else MarkKind.BROKEN,
            need_id=covered.need.need_id,
            wanted=People(at_least=covered.wanted),
            found=People(at_least=covered.count, at_most=covered.count),
        )


def _confirmed(state: Negotiation, version: Proposal) -> frozenset[str]:
    """Return who has accepted this version by their own hand: that confirms what their seat covers."""
    return frozenset(
        agent_id
        for voted in state.rounds
        if voted.version == version.version and not state.is_secret(voted)
        for agent_id, seat in voted.seats.items()
        if (vote := seat.human)
        and vote.source is Source.HUMAN
        and vote.by == seat.user_id
        and vote.feedback_type.kind.agrees
    )


def _conditions(version: Proposal) -> Iterator[Mark]:
    for each in version.conditions:
        yield Mark(
            about="condition",
            kind=_KINDS[each.status or "unknown"],
            agent_id=each.agent_id,
            number=each.condition_id,
            wanted=each.wanted if each.status in ("met", "broken") else None,
            found=each.found if each.status in ("met", "broken") else None,
        )


def _requests(state: Negotiation, version: Proposal) -> Iterator[Mark]:
    summary = version.adjustment_summary or AdjustmentSummary()
    wanted = wanted_before(state, summary.round)
    for number, each in enumerate(summary.requests_addressed, 1):
        yield _request(state, version, each.agent_id, wanted.get(each.agent_id), number)
    for number, left in enumerate(summary.requests_declined, len(summary.requests_addressed) + 1):
        mark = _request(state, version, left.agent_id, wanted.get(left.agent_id), number)
        if mark.kind is MarkKind.BROKEN and not left.reason:
            yield mark  # nobody says why: the version was said to meet it, or forgets it


def _request(state: Negotiation, version: Proposal, who: str, wanted: Datum | None, number: int) -> Mark:
    found = found_of(state, wanted, who, version, version.assignments)
    return _compared("request", found, wanted, agent_id=who, number=number)


def _compared(
    about: About,
    found: Finding,
    wanted: Datum | None,
    *,
    agent_id: str = "",
    need_id: str = "",
    number: int = 0,
) -> Mark:
    is_known = found.status != "unknown"
    return Mark(
        about=about,
        kind=_KINDS[found.status],
        agent_id=agent_id,
        need_id=need_id,
        number=number,
        wanted=wanted if is_known else None,
        found=found.found if is_known else None,
    )


# ── when ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _times(state: Negotiation, context: Circumstances, version: Proposal) -> Iterator[Mark]:
    """Hold when a version takes place against when it was asked for. Another time that whoever asked has wished for
    since is as they said.
    """
    when, asked = version.when, context.when
    zone = asked.time_zone if when.time_zone else ""
    if not (when.first or when.last or when.start):
        return
    part = Part(when=when)
    days = holds(Days(first=asked.first, last=asked.last), part)
    hours = holds(Hours(start=asked.start, end=asked.end, time_zone=zone), part)
    both = (days.status, hours.status)
    is_same = (asked.start, asked.end, asked.time_zone) == (when.start, when.end, when.time_zone)
    is_met = days.status == "met" and (hours.status == "met" or is_same or not (asked.start or asked.end))
    status: Status = "broken" if "broken" in both else "met" if is_met else "unknown"
    is_vague = asked.exact == "vague"
    if asked.said and not stands_in(asked.said, state.raw_input, state.demand_text):
        status = "unknown"  # nobody has said so
    if status == "broken" and (is_vague or any(each.request is not None for each in state.rounds)):
        status = "unknown"
    is_known = status != "unknown"
    yield Mark(
        about="when",
        kind=_KINDS[status],
        wanted_when=asked if is_known else None,
        found_when=when if is_known else None,
    )


def _attendance(state: Negotiation, version: Proposal) -> Iterator[Mark]:
    """Hold how many can when it takes place against of how many that is known; who cannot is in no mark."""
    found = state.times.get(version.version)
    if found is None or found.then is None:
        return
    can, cannot = found.then.can, len(found.then.cannot)
    yield Mark(
        about="attendance",
        kind=MarkKind.BROKEN if cannot else MarkKind.CHECKED,
        wanted=People(at_least=can + cannot),
        found=People(at_least=can, at_most=can),
    )


def _deadline(context: Circumstances, version: Proposal) -> Iterator[Mark]:
    """Hold the last day of the whole against the day by which it is to be done."""
    if not context.deadline:
        return
    wanted = Deadline(day=context.deadline)
    found = holds(wanted, whole_part(context, version))
    if found.status == "met" and not all(map(day_of, version.timeline.milestones)):
        found = Finding("unknown")
    yield _compared("deadline", found, wanted)


def _milestones(state: Negotiation, context: Circumstances, version: Proposal) -> Iterator[Mark]:
    """Hold the day of each step against the day by which its need, or the whole, is to be there."""
    due = _due(state)
    for number, each in enumerate(version.timeline.milestones, 1):
        deadline, day = due.get(each.need_id) or context.deadline, day_of(each)
        if deadline and day:
            wanted = Deadline(day=deadline)
            found = holds(wanted, Part(ready=day))
            yield _compared("milestone", found, wanted, agent_id=each.agent_id, need_id=each.need_id, number=number)


def _due(state: Negotiation) -> Mapping[str, str]:
    """Return by which day each need is to be there, by its id; empty where none is said."""
    return {each.need_id: each.deadline for each in (state.understanding.needs if state.understanding else ())}


# ── how much ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _budget(state: Negotiation, context: Circumstances, version: Proposal) -> Iterator[Mark]:
    """Hold the sum of what the seats cost against what is there. What is in another currency is in no sum."""
    money, count = context.money, heads(context).at_most
    costs = [_cost(state, context, each) for each in version.assignments]
    there = money.amount or money.per_head * count
    spent = sum(each for each in costs if each)
    if not spent or not (there or money.none) or (None in costs and spent <= there):
        return
    yield Mark(
        about="budget",
        kind=MarkKind.CHECKED if spent <= there else MarkKind.BROKEN,
        wanted=money if money.none or money.amount else Money(amount=there, currency=money.currency),
        found=Money(amount=spent, currency=money.currency),
    )


def _cost(state: Negotiation, context: Circumstances, seat: Assigned) -> int | None:
    """Return what a seat costs in the demand's currency, 0 where that is not known; None where it is in another."""
    offer = state.offered_by(seat.agent_id)
    if offer is None:
        return seat.cost
    said = offer.cost or offer.per_head * heads(context).at_most
    if seat.cost in (0, said) and said and not _is_one_currency(offer.currency, context.money.currency):
        return None  # of two sums in one currency code makes one; whoever drafts may have changed it
    return seat.cost or said


def _is_one_currency(one: str, other: str) -> bool:
    """Whether sums can be compared; a currency that nobody has said is the other one."""
    return not one or not other or folded(one) == folded(other)


def _prices(state: Negotiation, context: Circumstances, version: Proposal) -> Iterator[Mark]:
    """Hold what somebody takes for each head, or that they take nothing, against what is there."""
    money = context.money
    if not (money.amount or money.per_head or money.none):
        return
    for each in version.assignments:
        offer = state.offered_by(each.agent_id)
        wanted = money
        if offer and offer.free and not (each.cost or offer.cost or offer.per_head):
            found = Finding("met", Money(none=True))
        elif offer and offer.per_head and money.per_head and _is_one_currency(offer.currency, money.currency):
            wanted, price = (Money(per_head=one.per_head, currency=money.currency) for one in (money, offer))
            found = Finding("met" if offer.per_head <= money.per_head else "broken", price)
        else:
            continue
        yield _compared("price", found, wanted, agent_id=each.agent_id)


def _capacity(state: Negotiation, context: Circumstances, version: Proposal) -> Iterator[Mark]:
    """Hold for how many people it is enough what those bring who cover a need, against how many come."""
    come = heads(context)
    if not (come.at_least or come.at_most):
        return
    for each in coverage(state, version):
        known = [offer.capacity for one in each.covered_by if (offer := state.offered_by(one))]
        enough = sum(known)
        if not enough:
            continue
        is_all = len(known) == len(each.covered_by) and all(known)
        # What is needed for fewer than come says so by its own number: forty meals without meat.
        fewest = min(come.at_least, each.need.quantity) if each.need.quantity > 1 else come.at_least
        if enough >= (come.at_most or come.at_least):
            kind = MarkKind.CHECKED
        elif is_all and enough < fewest:
            kind = MarkKind.BROKEN
        else:
            continue
        yield Mark(
            about="capacity",
            kind=kind,
            need_id=each.need.need_id,
            agent_id=each.covered_by[0] if len(each.covered_by) == 1 else "",
            wanted=come,
            found=People(at_most=enough),
        )


def _hours(state: Negotiation, version: Proposal) -> Iterator[Mark]:
    """Hold the hours of each seat against those that its person gives."""
    for each in version.assignments:
        offer = state.offered_by(each.agent_id)
        if offer and offer.hours and each.hours:
            wanted = Effort(hours=offer.hours)
            yield _compared("hours", holds(wanted, Part(hours=each.hours)), wanted, agent_id=each.agent_id)


# ── where, and how soon ───────────────────────────────────────────────────────────────────────────────────────────


def _places(state: Negotiation, context: Circumstances, version: Proposal) -> Iterator[Mark]:
    """Hold where somebody does their part against where it takes place; who does not attend may be anywhere."""
    for each in version.assignments:
        if offer := state.offered_by(each.agent_id):
            wanted, found = _place(context, offer)
            if found.status == "met" or (found.status == "broken" and each.attends):
                yield _compared("place", found, wanted, agent_id=each.agent_id)


def _place(context: Circumstances, offer: OfferSubmitted | OfferedData) -> tuple[Place, Finding]:
    """Return what was asked for, and whether an offer is there: in that city, in the room of that name, or online."""
    wanted, where = context.place, context.location or ""
    if offer.online:  # whoever joins by video is nowhere else
        is_met = wanted.online and wanted.allowed
        return wanted, Finding("met", Place(online=True)) if is_met else UNKNOWN
    is_city = bool(wanted.city and wanted.allowed and offer.city)
    found = holds(wanted, Part(place=Place(city=offer.city))) if is_city else UNKNOWN
    parts = {folded(each) for each in (where, *where.split(","))}
    if found.status != "broken" and offer.room and folded(offer.room) in parts:
        return Place(city=where), Finding("met", Place(city=offer.room))
    return wanted, found


def _notices(state: Negotiation, context: Circumstances, version: Proposal) -> Iterator[Mark]:
    """Hold how long ahead somebody has to be asked, and from when on they can, against when their part is to be there.

    Of several days on which it may be, all are late enough, or none is; else nothing is known.
    """
    due, today = _due(state), asked(state).day
    for each in version.assignments:
        offer = state.offered_by(each.agent_id)
        if not (offer and (offer.notice or offer.earliest)):
            continue
        days = [day for need_id in each.covers if (day := iso_day(due.get(need_id, "")))]
        day = min(days, default=None)
        first, last = (day, day) if day else may_begin(context, version)
        if first is None or last is None:
            continue
        begins = When(first=first.isoformat(), last=last.isoformat(), exact="span")
        held: list[tuple[Datum, Finding]] = []
        if offer.notice:
            wanted = Notice(days=offer.notice)
            ahead = [holds(wanted, Part(days_ahead=(one - today).days)) for one in (first, last)]
            held.append((wanted, ahead[0] if ahead[0].status == ahead[1].status else UNKNOWN))
        if offer.earliest:
            held.append((free := Days(first=offer.earliest), holds(free, Part(when=begins))))
        yield from (
            _compared("notice", found, wanted, agent_id=each.agent_id)
            for wanted, found in held
            if found.status != "unknown"
        )


def _complete(state: Negotiation, version: Proposal) -> Iterator[Mark]:
    """Say that nothing is missing only where a second reader was asked about it."""
    given = state.opinions.get(version.version)
    if given and any(each.about == "complete" for each in given.opinions):
        yield Mark(about="complete", kind=MarkKind.SAID)


def _order(version: Proposal) -> Iterator[Mark]:
    """Name those who wait for each other in a circle: each of them would have to be done before the other."""
    for circle in circles(version.assignments):
        for agent_id in circle:
            yield Mark(about="order", kind=MarkKind.BROKEN, agent_id=agent_id)
