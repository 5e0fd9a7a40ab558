"""The plan's schedule, and its versions beside each other."""

from collections.abc import Iterator
from datetime import date

from bot.texts import Texts
from bot.views.kit.mrkdwn import UNLIMITED, Fit, plain_line
from bot.views.kit.story.model import Bar, Cards, Comparison, Fold, Part, Schedule, Table, Words
from bot.views.negotiation.afterwards import standing_marks
from bot.views.negotiation.names import asked_on, bold_name, day_of, start_text, step_text, when_text
from bot.views.negotiation.plan import plan
from bot.views.negotiation.plan.marks import Marks, troubles
from bot.views.negotiation.voting.votes import agreed_by_rules
from engine.facts.circumstances import When
from engine.negotiation.afterwards.commitments import commitments
from engine.negotiation.answers import Assignment
from engine.negotiation.plan.parts import iso_day
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Proposal

LONGEST_LABEL = 300


def schedule(state: Negotiation, texts: Texts) -> list[Part]:
    """Nothing before there is a plan, and for one without a word about its time."""
    proposal = state.final.final_proposal if state.final else state.proposal
    drawn = plan_schedule(proposal, texts) if proposal else None
    return [drawn] if drawn else []


def plan_schedule(proposal: Proposal, texts: Texts) -> Schedule | None:
    """The whole, each step, and when each person is needed; None where nothing is said of any time."""
    bars: list[Bar] = []
    undated: list[tuple[str, str]] = []
    for label, said, days in _times(proposal, texts):
        label = plain_line(label, LONGEST_LABEL) or texts.say("Milestone")
        if days is not None:
            bars.append(Bar(label, *days))
        elif said.strip():
            undated.append((label, plain_line(said, LONGEST_LABEL)))
    return Schedule(texts.say("What happens when"), bars, undated) if bars or undated else None


def _times(proposal: Proposal, texts: Texts) -> Iterator[tuple[str, str, tuple[date, date] | None]]:
    if proposal.when != When():
        yield texts.say("The whole"), proposal.when.said or proposal.when.first, _days(proposal.when)
    if start := proposal.timeline.start_date.strip():
        yield texts.say("Start"), start, _one(iso_day(start))
    for step in proposal.timeline.milestones:
        yield step.name or step.deliverable, step.date or step.day, _one(day_of(step))
    for seat in proposal.assignments:
        if seat.when != When() and seat.when != proposal.when:
            yield seat.display_name or seat.agent_id, seat.when.said or seat.when.first, _days(seat.when)


def _days(when: When) -> tuple[date, date] | None:
    if when.days is not None:
        return when.days
    return _one(iso_day(when.first or when.last))


def _one(day: date | None) -> tuple[date, date] | None:
    return (day, day) if day else None


def versions(state: Negotiation, texts: Texts, fit: Fit) -> list[Part]:
    """Each version beside the one before, the newest first; the first one by itself."""
    found: list[Part] = []
    for number in range(len(state.proposals), 0, -1):
        now = state.proposals[number - 1]
        if number == 1:
            parts: list[Part] = [
                Words(fit.text(now.summary, UNLIMITED) or "…"),
                Cards(plan.roles(state, texts.say("*Who does what*"), now.assignments, texts, fit)),
                Cards(plan.conditions(state, now, texts, fit)),
                Cards(troubles(state, now, Marks.of(state, now), texts, fit)),
            ]
            found.append(Fold("v1", texts.say("*Version {version}*", version=1), parts, len(state.proposals) == 1))
            continue
        title = texts.say("*Version {version}*, beside version {before}", version=number, before=number - 1)
        parts = [
            _beside(state.proposals[number - 2], now, number, texts, fit, asked_on(state)),
            Cards(plan.changes(state, now, texts, fit)),
            Cards(plan.conditions(state, now, texts, fit)),
            Cards(
                troubles(
                    state,
                    now,
                    Marks.of(state, now),
                    texts,
                    fit,
                    [*(each.agent_id for each in now.assignments), state.requester_id],
                )
            ),
        ]
        found.append(Fold(f"v{number}", title, parts, number == len(state.proposals)))
    return found


def _beside(before: Proposal, now: Proposal, number: int, texts: Texts, fit: Fit, today: str) -> Comparison:
    was = {each.agent_id: each for each in before.assignments}
    seats = {each.agent_id: each for each in now.assignments}
    missing = texts.say("has no part in it")
    rows = [
        (texts.say("Summary"), fit.text(before.summary, UNLIMITED), fit.text(now.summary, UNLIMITED)),
        (texts.say("When"), _when(before, texts, fit, today), _when(now, texts, fit, today)),
    ]
    for agent_id in dict.fromkeys([*seats, *was]):
        left, right = was.get(agent_id), seats.get(agent_id)
        named = right or left
        name = bold_name(named.display_name, agent_id, fit) if named else "?"
        rows.append((name, _part(left, fit) if left else missing, _part(right, fit) if right else missing))
    return Comparison(
        texts.say("What version {version} changed", version=number),
        texts.say("Version {version}", version=number - 1),
        texts.say("Version {version}", version=number),
        [each for each in rows if each[1] or each[2]],
    )


def _when(proposal: Proposal, texts: Texts, fit: Fit, today: str) -> str:
    whole = when_text(proposal.when, texts, today) if proposal.when != When() else ""
    steps = [
        " – ".join(part for part in (step_text(each, texts, fit, today), fit.line(each.name, 200)) if part)
        for each in proposal.timeline.milestones
    ]
    start = start_text(proposal.timeline.start_date, texts, fit, today)
    return "\n".join([each for each in (whole, start) if each] + [f"• {each}" for each in steps if each])


def _part(seat: Assignment, fit: Fit) -> str:
    parts = (fit.line(seat.role, UNLIMITED), fit.text(seat.responsibility, UNLIMITED), fit.text(seat.notes, UNLIMITED))
    return "\n".join(each for each in parts if each) or "…"


def promised(state: Negotiation, texts: Texts, fit: Fit) -> list[Part]:
    """A row for each promise, then one for each that somebody could not keep; nothing where no plan was agreed."""
    rows, marks, by_rules = [], standing_marks(state, texts), agreed_by_rules(state)
    for each in commitments(state):
        what = fit.line(each.seat.role, UNLIMITED) or fit.line(each.seat.responsibility, UNLIMITED) or "…"
        when = when_text(each.when, texts, asked_on(state)) if each.when != When() else ""
        is_by_rules = each.agent_id in by_rules
        agreed = texts.say("○ the twin would, by simple rules") if is_by_rules else texts.say("✅ agreed")
        stands = marks.get(each.agent_id) or agreed
        rows.append((bold_name(each.seat.display_name, each.agent_id, fit), what, when or "–", stands))
    for gone in state.given_up.values():
        lacks = texts.say("; ").join(fit.line(each, UNLIMITED) for each in gone.lacks)
        rows.append(
            (
                bold_name(gone.display_name, gone.agent_id, fit),
                lacks or "–",
                "–",
                texts.say("🙏 cannot take part any more"),
            )
        )
    head = (texts.say("Who"), texts.say("What"), texts.say("When"), texts.say("How it stands"))
    return [Table(texts.say("What was promised, and how it stands"), head, rows)] if rows else []
