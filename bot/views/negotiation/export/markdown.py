"""A negotiation for people: Markdown, with everybody by name."""

from collections.abc import Iterable, Sequence

from bot.texts import Texts
from bot.views.kit.mrkdwn import plain
from bot.views.negotiation import outcome, search, way_out
from bot.views.negotiation.confidences import reason_of, why_declined, why_left, why_nobody
from bot.views.negotiation.export.ended import Ended
from bot.views.negotiation.export.escape import bold, line, paragraphs, quote
from bot.views.negotiation.people import together
from bot.views.negotiation.reasons import sentence, what_would_help, why_it_failed
from bot.views.negotiation.rounds import round_title
from bot.views.negotiation.seats import has_voted, tally, unvoted, voted
from engine.kernel import iso
from engine.negotiation.answers import Assignment, Compromise, OfferDecision, RequestDeclined
from engine.negotiation.events import ForceFinalized, OfferSubmitted, ProposalFinalized
from engine.negotiation.state import Round, Seat
from engine.negotiation.terms import Proposal, Source

LONGEST_TITLE = 140
"""Characters."""

Parts = Sequence[str]
"""Paragraphs and lists; empty ones are left out."""


def markdown(ended: Ended, texts: Texts) -> str:
    state = ended.state
    title = line(plain(ended.demand, LONGEST_TITLE)) or "…"
    parts = [f"# {title}", bold(outcome.title(state, texts)), _facts(ended, texts)]
    parts += [_heading(texts.say("What was asked")), quote(ended.demand)]
    parts += _settled(ended, state.final, texts) if state.final else _failed(ended, texts)
    if state.rounds:
        parts.append(_heading(texts.say("How it came about")))
        for number in range(len(state.rounds)):
            parts += _round(ended, number, texts)
    return "\n\n".join(part for part in parts if part) + "\n"


def _facts(ended: Ended, texts: Texts) -> str:
    said = ended.state.understanding.context if ended.state.understanding else None
    attendees = said.expected_attendees if said else None
    facts = [
        texts.say("Asked by {who}", who=line(ended.asked_by)) if ended.asked_by else "",
        texts.say("Ended on {day}", day=iso(ended.at)[:10]),
        f"📍 {line(said.location)}" if said and said.location else "",
        f"📅 {line(said.date)}" if said and said.date else "",
        "👥 " + texts.count("{n} person", "{n} people", attendees) if attendees else "",
        f"💰 {line(said.budget)}" if said and said.budget else "",
    ]
    return " · ".join(fact for fact in facts if fact)


def _settled(ended: Ended, final: ProposalFinalized | ForceFinalized, texts: Texts) -> Parts:
    plan = final.final_proposal
    seats = {each.agent_id: each for each in plan.assignments}
    confirmed = [seats[each] for each in final.confirmed_participants if each in seats]
    optional = [each for each in plan.assignments if each not in confirmed]
    doubtful = together([_name(ended, each) for each in final.optional_participants], texts)
    unanswered = texts.say("enough had agreed before it could be taken up")
    return [
        _heading(texts.say("The plan")),
        paragraphs(plan.summary),
        outcome.risk(final, doubtful, texts) if isinstance(final, ForceFinalized) else "",
        *_listed(texts.say("*Confirmed*"), (_role(ended, each, texts) for each in confirmed)),
        *_listed(texts.say("*Not confirmed*"), (_role(ended, each, texts) for each in optional)),
        *_details(ended, plan, texts),
        *_listed(texts.say("*Still open*"), _requests(ended, final.open_requests, unanswered, texts)),
        outcome.history(ended.state, final, texts).replace("\n", "  \n"),
    ]


def _failed(ended: Ended, texts: Texts) -> Parts:
    state = ended.state
    parts = [
        _heading(texts.say("Why there is no plan")),
        sentence(why_it_failed(state, texts), texts),
        paragraphs(why_nobody(state)),
        *_listed(texts.say("*What would help*"), [what_would_help(state, texts)]),
        *_way_out(state.compromise.compromise if state.compromise else None, texts),
        *_listed(texts.say("*What people asked for*"), _requests(ended, state.open_requests(), "", texts)),
        *_listed(texts.say("*Who left, and why*"), _leavers(ended, texts)),
        *_listed(texts.say("*Who offered what*"), (_offer(ended, each, texts) for each in state.offers.values())),
    ]
    if ended.plan is not None:
        parts += [_heading(texts.say("The last proposal")), paragraphs(ended.plan.summary)]
        seats = (_role(ended, each, texts) for each in ended.plan.assignments)
        parts += [*_listed(texts.say("*Who does what*"), seats), *_details(ended, ended.plan, texts)]
    return parts


def _way_out(compromise: Compromise | None, texts: Texts) -> Parts:
    """What would still be possible, as a model sees it."""
    if compromise is None:
        return []
    return [
        _heading(texts.say("What would still be possible")),
        paragraphs(compromise.summary),
        *(
            part
            for heading, lines in way_out.parts(compromise, texts, line)
            for part in _listed(heading, (each.removeprefix("• ") for each in lines))
        ),
    ]


def _details(ended: Ended, plan: Proposal, texts: Texts) -> Parts:
    return [
        *_listed(texts.say("*When*"), _timeline(plan, texts)),
        *_listed(texts.say("*Conditions*"), _conditions(ended, plan, texts)),
        *_listed(texts.say("*Nobody for this yet*"), map(line, search.unnamed(ended.state, plan.gaps))),
        *_listed(texts.say("*What the plan lacks*"), (_lack(ended, each, texts) for each in search.lacks(ended.state))),
    ]


def _lack(ended: Ended, lack: search.Lack, texts: Texts) -> str:
    name, reason = line(lack.gap.gap_type), line(lack.gap.reason)
    head = _because(name, reason)
    done = lack.subnet.completed if lack.subnet else None
    if done is not None:
        names = together([_name(ended, each.agent_id) for each in done.found.assignments], texts)
        return _because(head, texts.say("✅ Found: {names}", names=names))
    return head


def _role(ended: Ended, seat: Assignment, texts: Texts) -> str:
    core = texts.say("⭐ core") if seat.core else ""
    who = " · ".join(part for part in (bold(_name(ended, seat.agent_id)), line(seat.role), core) if part)
    return _detailed(who, line(seat.responsibility), texts)


def _timeline(plan: Proposal, texts: Texts) -> Iterable[str]:
    if start := line(plan.timeline.start_date):
        yield texts.say("• {date}: start", date=start).removeprefix("• ")
    for each in plan.timeline.milestones:
        when, what, result = line(each.date), line(each.name), line(each.deliverable)
        text = _detailed(when, what, texts) if when and what else when or what
        yield " – ".join(part for part in (text, result) if part)


def _conditions(ended: Ended, plan: Proposal, texts: Texts) -> Iterable[str]:
    for each in plan.conditions:
        text = _detailed(_name(ended, each.agent_id), line(each.condition), texts)
        yield _because(f"✓ {text}" if each.met else f"✗ {text}", line(each.reason))


def _requests(ended: Ended, asked: Iterable[RequestDeclined], missing: str, texts: Texts) -> Iterable[str]:
    """``missing`` stands where nobody gave a reason."""
    for each in asked:
        request = _detailed(_name(ended, each.agent_id), line(each.request), texts)
        yield _because(request, line(each.reason) or missing)


def _leavers(ended: Ended, texts: Texts) -> Iterable[str]:
    for each in ended.state.withdrawn.values():
        yield _detailed(_name(ended, each.agent_id), line(why_left(ended.state, each)), texts)


def _offer(ended: Ended, offer: OfferSubmitted, texts: Texts) -> str:
    who, conditions = _name(ended, offer.agent_id), ""
    if offer.degraded:
        return texts.say("⚠️ {who}: the twin could not answer", who=who)
    match offer.decision:
        case OfferDecision.PARTICIPATE:
            head, body = texts.say("✅ {who} takes part", who=who), offer.contribution
        case OfferDecision.CONDITIONAL:
            head, body = texts.say("🤝 {who} takes part on conditions", who=who), offer.contribution
            conditions = "".join(f"\n  - {line(each)}" for each in offer.conditions if line(each))
        case OfferDecision.DECLINE:
            head, body = texts.say("🙏 {who} cannot this time", who=who), why_declined(ended.state, offer)
    if offer.source is Source.HUMAN:
        head = texts.say("{what} (in person)", what=head)
    return _detailed(head, line(body), texts) + conditions


def _round(ended: Ended, number: int, texts: Texts) -> Parts:
    """``number`` counts the rounds that were voted in, from 0."""
    state = ended.state
    shown = state.rounds[number]
    return [
        f"### {round_title(state, shown, texts)}",
        tally(state, shown, texts, is_open=False),
        *_news(ended, number, texts),
        *_listed(texts.say("*Votes*"), (_vote(ended, shown, each, texts) for each in shown.seats.values()), level=4),
    ]


def _news(ended: Ended, number: int, texts: Texts) -> Parts:
    """What is new against the round before."""
    state = ended.state
    shown, before = state.rounds[number], state.rounds[number - 1] if number else None
    if before is not None and before.version == shown.version:
        return [texts.say("The same proposal once more; nothing in it has changed.")]
    version = state.proposals[shown.version - 1]
    summary = version.adjustment_summary
    if summary is None:
        return [paragraphs(version.summary)]
    made = []
    for each in summary.changes_made:
        aspect, was, now = line(each.aspect), line(each.before), line(each.after)
        change = f"{was} → {now}" if was and now else now or was
        made.append(_detailed(aspect, change, texts) if aspect and change else aspect or change)
    declined = _requests(ended, summary.requests_declined, texts.say("no reason was given"), texts)
    return [
        paragraphs(version.summary),
        *_listed(texts.say("*What changed*"), made, level=4),
        *_listed(texts.say("*Not taken up, and why*"), declined, level=4),
    ]


def _vote(ended: Ended, shown: Round, seat: Seat, texts: Texts) -> str:
    who, vote = _name(ended, seat.agent_id), seat.vote
    if vote is None:
        return unvoted(who, seat, texts, is_open=False)
    if ended.state.is_secret(shown):
        return has_voted(who, vote, texts)
    return _because(voted(who, vote, texts), line(reason_of(ended.state, vote)))


def _name(ended: Ended, agent_id: str) -> str:
    return line(ended.name_of(agent_id)) or line(agent_id) or "?"


def _heading(title: str, level: int = 2) -> str:
    """``title`` may be that of a card, where it is bold."""
    return f"{'#' * level} {title.strip('*')}"


def _listed(title: str, items: Iterable[str], level: int = 3) -> Parts:
    """Nothing where there are no items."""
    shown = [f"- {each}" for each in items if each]
    return [_heading(title, level), "\n".join(shown)] if shown else []


def _detailed(what: str, detail: str, texts: Texts) -> str:
    return texts.say("{what}: {detail}", what=what, detail=detail) if detail else what


def _because(text: str, reason: str) -> str:
    return f"{text} – {reason}" if reason else text
