"""A person's own part in a version: what they do, when, where and on which conditions; and what changed of it."""

from dataclasses import dataclass

from bot.texts import Texts
from bot.views.kit.data_words import city_words, day_words
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import escaped
from bot.views.negotiation.plan.dates import asked_on, start_text, step_text, when_text
from bot.views.negotiation.plan.marks import Marks, marked
from engine.facts.circumstances import When
from engine.facts.places import is_city
from engine.negotiation.answers import Assignment, Circumstances, Milestone
from engine.negotiation.plan.coverage import needs_of
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import HeldCondition, Proposal


@dataclass(frozen=True, slots=True)
class OwnPart:
    """Everything in a version that one person agrees to; parts that are equal need no other vote."""

    assignment: Assignment
    needs: tuple[str, ...]
    """What they cover, in the words of the demand."""
    when: When
    """Of the seat, else of the plan, else of the demand where it names the day."""
    deadline: str
    """The ISO date by which what they cover is to be done, else the whole; empty where a time is known."""
    start_date: str
    steps: tuple[Milestone, ...]
    """Of the plan."""
    summary: str
    """Of the plan."""
    location: str
    """Of the demand."""
    room: str
    """Of the plan."""
    is_online: bool
    today: str
    """The ISO date on which the demand was asked."""
    conditions: tuple[HeldCondition, ...]
    """Their own."""


def own_part(state: Negotiation, proposal: Proposal, agent_id: str) -> OwnPart | None:
    """Return what this version asks of somebody; None where they have no seat in it."""
    seat = next((each for each in proposal.assignments if each.agent_id == agent_id), None)
    if seat is None:
        return None
    context = state.understanding.context if state.understanding else Circumstances()
    covered = [each for each in needs_of(state) if each.need_id in seat.covers]
    when = next((each for each in (seat.when, proposal.when, _named_day(context.when)) if each != When()), When())
    due = min((each.deadline for each in covered if each.deadline), default=context.deadline)
    return OwnPart(
        assignment=seat,
        needs=tuple(each.what for each in covered),
        when=when,
        deadline=due if not (when.first or when.last) else "",
        start_date=proposal.timeline.start_date,
        steps=proposal.timeline.milestones,
        summary=proposal.summary,
        location=context.location or context.place.city,
        room=proposal.room,
        is_online=context.place.online,
        today=asked_on(state),
        conditions=tuple(each for each in proposal.conditions if each.agent_id == agent_id),
    )


def _named_day(asked: When) -> When:
    """The time of the demand if it is one day; a span of which it leaves open what is when says nothing of a part."""
    return asked if asked.first and asked.first == asked.last else When()


def assignment_lines(part: OwnPart, texts: Texts, fit: Fit, *, for_another: bool = False) -> list[str]:
    """``for_another``: whether somebody else reads it than who does it."""
    seat = part.assignment
    role = fit.line(seat.role, 80)
    head = " · ".join(each for each in (role, texts.say("⭐ core") if seat.core else "") if each)
    depends = _listed(seat.dependencies, texts, fit)
    covers = _listed(part.needs, texts, fit)
    lines = [
        head,
        fit.text(seat.responsibility, 1_200),
        _covers(covers, texts, for_another=for_another),
        fit.text(seat.notes, 400),
        texts.say("Depends on: {what}", what=depends) if depends else "",
    ]
    return [each for each in lines if each] or ["…"]


def _covers(needs: str, texts: Texts, *, for_another: bool) -> str:
    """The needs that somebody says yes to with their seat."""
    if not needs:
        return ""
    return texts.say("Covers: {what}", what=needs) if for_another else texts.say("You would cover: {what}", what=needs)


def plan_lines(part: OwnPart, texts: Texts, fit: Fit) -> list[str]:
    """The plan in few words, and when and where the person is needed."""
    start = start_text(part.start_date, texts, fit, part.today)
    lines = [
        fit.text(part.summary, 600),
        *when_and_where(part, texts, fit),
        texts.say("• {date}: start", date=start) if start else "",
        *(_step(each, part.today, texts, fit) for each in fit.first(part.steps, 8)),
    ]
    return [each for each in lines if each]


def when_and_where(part: OwnPart, texts: Texts, fit: Fit) -> list[str]:
    """When and where the person is needed, as far as either is known."""
    when, where = when_text(part.when, texts, part.today), place_text(part, texts, fit)
    if part.deadline:
        when = escaped(texts.say("by {day}", day=day_words(part.deadline, texts, part.today)))
    return [line for line in (f"📅 {when}" if when else "", f"📍 {where}" if where else "") if line]


def _step(step: Milestone, today: str, texts: Texts, fit: Fit) -> str:
    when, what = step_text(step, texts, fit, today), fit.line(step.name, 120)
    return "• " + (texts.say("{what}: {detail}", what=when, detail=what) if when and what else when or what)


def condition_lines(part: OwnPart, marks: Marks, texts: Texts, fit: Fit) -> list[str]:
    return [
        marked(fit.line(each.condition, 240), each, fit.line, texts, part.today, marks.of_condition(each))
        for each in fit.first(part.conditions, 10)
    ]


def changed_lines(before: OwnPart | None, now: OwnPart, texts: Texts, fit: Fit) -> list[str]:
    """What the version before said otherwise, one line each: the part itself, its times, its place, its conditions."""
    if before is None:
        return []
    return [
        *_changed_task(before, now, texts, fit),
        *_changed_times(before, now, texts, fit),
        *_changed_conditions(before, now, texts, fit),
    ]


def _changed_task(before: OwnPart, now: OwnPart, texts: Texts, fit: Fit) -> list[str]:
    was, seat = before.assignment, now.assignment
    lines = []
    if (was.role, was.responsibility) != (seat.role, seat.responsibility):
        told = fit.text(was.responsibility, 300) or fit.line(was.role, 80)
        lines.append(texts.say("The part was: {before}", before=told))
    if before.needs != now.needs:
        lines.append(texts.say("It covered: {before}", before=_listed(before.needs, texts, fit) or "…"))
    if was.dependencies != seat.dependencies:
        lines.append(texts.say("It depended on: {before}", before=_listed(was.dependencies, texts, fit) or "…"))
    if was.notes.split() != seat.notes.split():
        lines.append(texts.say("The note on it was: {before}", before=fit.line(was.notes, 300) or "…"))
    return lines


def _changed_times(before: OwnPart, now: OwnPart, texts: Texts, fit: Fit) -> list[str]:
    lines = []
    if before.when != now.when:
        was, when = (when_text(each.when, texts, now.today) or "…" for each in (before, now))
        if was != when:
            lines.append(texts.say("When: {before} → {now}", before=was, now=when))
    was, place = (place_text(each, texts, fit) or "…" for each in (before, now))
    if was != place:
        lines.append(texts.say("Where: {before} → {now}", before=was, now=place))
    if before.start_date != now.start_date:
        start = start_text(before.start_date, texts, fit, now.today) or "…"
        lines.append(texts.say("It was to start: {before}", before=start))
    return lines


def _changed_conditions(before: OwnPart, now: OwnPart, texts: Texts, fit: Fit) -> list[str]:
    """The conditions of which something else has become than in the version before."""
    was = {each.condition: each for each in before.conditions}
    lines = []
    for each in fit.first(now.conditions, 10):
        old = was.get(each.condition)
        if old is None or (old.met, old.status) == (each.met, each.status):
            continue
        condition = fit.line(each.condition, 240)
        if each.met:
            lines.append(texts.say("✓ Now met: {condition}", condition=condition))
        elif old.met:
            lines.append(texts.say("○ No longer met: {condition}", condition=condition))
    kept = {each.condition for each in now.conditions}
    lines += [
        texts.say("No condition any more: {condition}", condition=fit.line(each, 240))
        for each in was
        if each not in kept
    ]
    return lines


def place_text(part: OwnPart, texts: Texts, fit: Fit) -> str:
    """Where the person is needed: the room, and the place of the demand: a city by its name in the reader's language,
    anything more as it was said.
    """
    city = escaped(city_words(part.location, texts)) if is_city(part.location) else fit.line(part.location, 120)
    if not city and part.is_online:
        city = texts.say("online")
    return texts.say(", ").join(filter(None, (fit.line(part.room, 80), city)))


def _listed(words: tuple[str, ...], texts: Texts, fit: Fit) -> str:
    return texts.say(", ").join(fit.line(each, 160) for each in fit.first(words, 6))
