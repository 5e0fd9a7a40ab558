"""Exports a negotiation as Markdown, with people by name."""

from collections.abc import Iterable, Sequence
from functools import partial

from bot.texts import Texts
from bot.views.kit.data_words import day_words
from bot.views.kit.export.file import bold, paragraphs, quote, safe_line
from bot.views.kit.mrkdwn import plain_line
from bot.views.negotiation.agreement import outcome
from bot.views.negotiation.agreement.decision_record import Wording
from bot.views.negotiation.agreement.decision_record import parts as record_parts
from bot.views.negotiation.agreement.failure_reasons import as_sentence, failure_reason, what_would_help_next
from bot.views.negotiation.agreement.outcome import parts as compromise_parts
from bot.views.negotiation.export.steps import EndedNegotiation, steps
from bot.views.negotiation.names import asked_on, asked_time, join_names
from bot.views.negotiation.plan.marks import Marks, clash_lines, lacks, marked, need_line, trouble_lines
from bot.views.negotiation.plan.plan import beside_conditions
from bot.views.negotiation.search import gap_search
from bot.views.negotiation.voting.rounds import round_title
from bot.views.negotiation.voting.votes import (
    confirmed_by,
    missing_vote_text,
    not_waited_for_text,
    rules_speak,
    secret_vote_text,
    tally_line,
    vote_text,
    why_open,
    wish_text,
)
from engine.facts.shortening import shorten
from engine.kernel import iso
from engine.negotiation.answers import Assignment, Compromise, OfferDecision, RequestDeclined
from engine.negotiation.events import ForceFinalized, OfferSubmitted, ProposalFinalized
from engine.negotiation.plan.clashes import clashes_now
from engine.negotiation.plan.parts import iso_day
from engine.negotiation.plan.told_needs import NeedTold, needs_in_round, needs_now
from engine.negotiation.public.build import decision_record
from engine.negotiation.search.gaps import GapSearch, gap_searches
from engine.negotiation.secrecy import reason_of, why_declined, why_left, why_nobody, would_take_part_if
from engine.negotiation.state import Round, Seat
from engine.negotiation.terms import Proposal, Source

LONGEST_TITLE = 140
"""Characters."""

Parts = Sequence[str]
"""Paragraphs and lists; empty ones are dropped."""


def markdown(ended: EndedNegotiation, texts: Texts) -> str:
    state = ended.state
    title = safe_line(plain_line(ended.demand, LONGEST_TITLE)) or "…"
    parts = [f"# {title}", bold(outcome.outcome_title(state, texts)), _facts(ended, texts)]
    parts += [_heading(texts.say("What was asked")), quote(ended.demand)]
    parts += _settled(ended, state.final, texts) if state.final else _failed(ended, texts)
    if state.rounds:
        parts.append(_heading(texts.say("How it came about")))
        for number in range(len(state.rounds)):
            parts += _round(ended, number, texts)
    parts += _record(ended, texts)
    return "\n\n".join(part for part in parts if part) + "\n"


def _facts(ended: EndedNegotiation, texts: Texts) -> str:
    said = ended.state.understanding.context if ended.state.understanding else None
    attendees = said.expected_attendees if said else None
    when = asked_time(said, texts) if said else ""
    facts = [
        texts.say("Asked by {who}", who=safe_line(ended.asked_by)) if ended.asked_by else "",
        texts.say("Ended on {day}", day=day_words(iso(ended.times.ended_at)[:10], texts)),
        texts.say("No model is connected: the twins speak by simple rules.") if rules_speak(ended.state) else "",
        f"📍 {safe_line(said.location)}" if said and said.location else "",
        f"📅 {safe_line(when)}" if when else "",
        "👥 " + texts.count("{n} person", "{n} people", attendees) if attendees else "",
        f"💰 {safe_line(said.budget)}" if said and said.budget else "",
    ]
    return " · ".join(fact for fact in facts if fact)


def _settled(ended: EndedNegotiation, final: ProposalFinalized | ForceFinalized, texts: Texts) -> Parts:
    plan = final.final_proposal
    optional = [each for each in plan.assignments if each.agent_id not in final.confirmed_participants]
    doubtful = join_names([_name(ended, each) for each in final.optional_participants], texts)
    unanswered = texts.say("enough had agreed before it could be taken up")
    still_open = beside_conditions(plan, final.open_requests)
    return [
        _heading(texts.say("The plan")),
        paragraphs(plan.summary),
        outcome.lacking_text(lacks(ended.state, texts, safe_line), texts),
        outcome.risk_text(final, doubtful, texts) if isinstance(final, ForceFinalized) else "",
        *(
            part
            for title, hands in confirmed_by(ended.state, final, safe_line(ended.asked_by), texts)
            for part in _listed(title, (_role(ended, each, texts) for each in hands))
        ),
        *_listed(texts.say("*Not confirmed*"), (_role(ended, each, texts) for each in optional)),
        *_details(ended, plan, texts),
        *_listed(texts.say("*Still open*"), _requests(ended, still_open, unanswered, texts)),
        outcome.history_line(ended.state, final, texts).replace("\n", "  \n"),
    ]


def _failed(ended: EndedNegotiation, texts: Texts) -> Parts:
    state = ended.state
    parts = [
        _heading(texts.say("Why there is no plan")),
        as_sentence(failure_reason(state, texts), texts),
        paragraphs(why_nobody(state)),
        *_listed(texts.say("*What would help*"), [what_would_help_next(state, texts)]),
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
            for heading, lines in compromise_parts(compromise, texts, safe_line)
            for part in _listed(heading, (each.removeprefix("• ") for each in lines))
        ),
    ]


def _details(ended: EndedNegotiation, plan: Proposal, texts: Texts) -> Parts:
    return [
        *_needs(ended, needs_now(ended.state), Marks.of(ended.state, plan), texts),
        *_schedule(ended, plan, texts),
        *_listed(texts.say("*To look at*"), _troubles(ended, plan, texts)),
        *_listed(texts.say("*Conditions*"), _conditions(ended, plan, texts)),
        *_listed(texts.say("*Nobody for this yet*"), map(safe_line, gap_search.other_gaps(ended.state, plan.gaps))),
        *_listed(texts.say("*Taken twice*"), _clashes(ended, texts)),
        *_listed(
            texts.say("*What the plan lacks*"),
            (_lack(ended, each, texts) for each in gap_searches(ended.state)),
        ),
    ]


def _needs(ended: EndedNegotiation, held: Iterable[NeedTold], marks: Marks, texts: Texts, level: int = 3) -> Parts:
    name = partial(_name, ended)
    lines = (need_line(each, safe_line(each.what), name, texts, marks=marks) for each in held)
    return _listed(texts.say("*What is needed*"), lines, level)


def _clashes(ended: EndedNegotiation, texts: Texts) -> Iterable[str]:
    return clash_lines(clashes_now(ended.state), texts, partial(_name, ended), safe_line)


def _lack(ended: EndedNegotiation, lack: GapSearch, texts: Texts) -> str:
    name, reason = safe_line(lack.gap.gap_type), safe_line(lack.gap.reason)
    head = _because(name, reason)
    done = lack.subnet.completed if lack.subnet else None
    if done is not None:
        names = join_names([_name(ended, each.agent_id) for each in done.found.assignments], texts)
        return _because(head, gap_search.found_text(ended.state, names, texts))
    return head


def _role(ended: EndedNegotiation, seat: Assignment, texts: Texts) -> str:
    core = texts.say("⭐ core") if seat.core else ""
    who = " · ".join(part for part in (bold(_name(ended, seat.agent_id)), safe_line(seat.role), core) if part)
    return _detailed(who, safe_line(seat.responsibility), texts)


def _troubles(ended: EndedNegotiation, plan: Proposal, texts: Texts) -> Iterable[str]:
    """What is broken, and what is doubted."""
    marks = Marks.of(ended.state, plan)
    return trouble_lines(ended.state, plan, marks, texts, _short, partial(_name, ended))


def _short(text: str, most: int) -> str:
    return safe_line(shorten(text, most))


def _schedule(ended: EndedNegotiation, plan: Proposal, texts: Texts) -> Parts:
    """A table, which any reader shows; the picture that comes with the file shows the same."""
    today, marks, rows = asked_on(ended.state), Marks.of(ended.state, plan), []
    for each in steps(plan, texts):
        day = day_words(each.said, texts, today) if iso_day(each.said) else safe_line(each.said)
        sign = marks.sign("milestone", number=each.number) if each.number else ""
        rows.append((" ".join(filter(None, (sign, day))), safe_line(each.name), safe_line(each.result)))
    shown = [f"| {' | '.join(cell or '–' for cell in each)} |" for each in rows if any(each)]
    if not shown:
        return []
    head = f"| {' | '.join((texts.say('When'), texts.say('What'), texts.say('Result')))} |"
    return [_heading(texts.say("*When*"), 3), "\n".join([head, "| --- | --- | --- |", *shown])]


def _conditions(ended: EndedNegotiation, plan: Proposal, texts: Texts) -> Iterable[str]:
    marks = Marks.of(ended.state, plan)
    for each in plan.conditions:
        text = _detailed(_name(ended, each.agent_id), safe_line(each.condition), texts)
        mark = marks.of_condition(each)
        yield marked(text, each, _short, texts, asked_on(ended.state), mark)


def _requests(ended: EndedNegotiation, asked: Iterable[RequestDeclined], missing: str, texts: Texts) -> Iterable[str]:
    """``missing`` takes the place of a missing reason."""
    for each in asked:
        who, wish = _name(ended, each.agent_id), wish_text(ended.state, each.agent_id, each.request, texts, safe_line)
        request = _detailed(who, wish, texts) if wish else who
        yield _because(request, why_open(ended.state, each, missing, texts, safe_line))


def _leavers(ended: EndedNegotiation, texts: Texts) -> Iterable[str]:
    for each in ended.state.withdrawn.values():
        why = texts.say("the account was closed") if each.closed else safe_line(why_left(ended.state, each))
        yield _detailed(_name(ended, each.agent_id), why, texts)


def _offer(ended: EndedNegotiation, offer: OfferSubmitted, texts: Texts) -> str:
    who, conditions = _name(ended, offer.agent_id), ""
    if offer.degraded:
        return texts.say("⚠️ {who}: the twin could not answer", who=who)
    match offer.decision:
        case OfferDecision.PARTICIPATE:
            head, body = texts.say("✅ {who} takes part", who=who), offer.contribution
        case OfferDecision.CONDITIONAL:
            head, body = texts.say("🤝 {who} takes part on conditions", who=who), offer.contribution
            conditions = "".join(f"\n  - {safe_line(each)}" for each in offer.conditions if safe_line(each))
        case OfferDecision.DECLINE:
            head, body = texts.say("🙏 {who} cannot this time", who=who), why_declined(ended.state, offer)
            wanted = [said for each in would_take_part_if(ended.state, offer) if (said := safe_line(each))]
            conditions = "".join(f"\n  - {texts.say('Would take part if:')} {each}" for each in wanted)
    if offer.source is Source.HUMAN:
        head = texts.say("{what} (in person)", what=head)
    return _detailed(head, safe_line(body), texts) + conditions


def _round(ended: EndedNegotiation, number: int, texts: Texts) -> Parts:
    """``number`` counts the rounds that were voted in, from 0."""
    state = ended.state
    shown = state.rounds[number]
    marks = Marks.of(state, state.proposals[shown.version - 1])
    return [
        f"### {round_title(state, shown, texts)}",
        tally_line(state, shown, texts, is_open=False),
        *_news(ended, number, texts),
        *_needs(ended, needs_in_round(state, shown), marks, texts, level=4),
        *_listed(texts.say("*Votes*"), (_vote(ended, shown, each, texts) for each in shown.seats.values()), level=4),
    ]


def _news(ended: EndedNegotiation, number: int, texts: Texts) -> Parts:
    """What changed since the round before."""
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
        aspect, was, now = safe_line(each.aspect), safe_line(each.before), safe_line(each.after)
        change = f"{was} → {now}" if was and now else now or was
        made.append(_detailed(aspect, change, texts) if aspect and change else aspect or change)
    declined = _requests(ended, summary.requests_declined, texts.say("no reason was given"), texts)
    return [
        paragraphs(version.summary),
        *_listed(texts.say("*What changed*"), made, level=4),
        *_listed(texts.say("*Not taken up, and why*"), declined, level=4),
    ]


def _record(ended: EndedNegotiation, texts: Texts) -> Parts:
    """The whole decision record."""
    wording = Wording(texts, lambda each: _who(ended, each), safe_line)
    return [
        _heading(texts.say("Why it came to this")),
        *(
            part
            for title, lines in record_parts(decision_record(ended.state), wording)
            for part in _listed(title, (each.removeprefix("• ") for each in lines))
        ),
    ]


def _who(ended: EndedNegotiation, anybody: str) -> str:
    """The name of an agent, or of a user; empty for whoever asked, if it is unknown."""
    return safe_line(ended.asked_by) if anybody == ended.state.requester_id else _name(ended, anybody)


def _vote(ended: EndedNegotiation, shown: Round, seat: Seat, texts: Texts) -> str:
    who, vote = _name(ended, seat.agent_id), seat.vote
    if shown.tally and seat.agent_id in shown.tally.not_waited_for:
        return not_waited_for_text(who, texts)
    if vote is None:
        return missing_vote_text(who, seat, texts, is_open=False)
    if ended.state.is_secret(shown):
        return secret_vote_text(who, vote, texts)
    return _because(vote_text(who, vote, texts), safe_line(reason_of(ended.state, vote)))


def _name(ended: EndedNegotiation, agent_id: str) -> str:
    return safe_line(ended.state.name_of(agent_id)) or safe_line(agent_id) or "?"


def _heading(title: str, level: int = 2) -> str:
    """``title`` may be the bold title of a card."""
    return f"{'#' * level} {title.strip('*')}"


def _listed(title: str, items: Iterable[str], level: int = 3) -> Parts:
    """Nothing where there are no items."""
    shown = [f"- {each}" for each in items if each]
    return [_heading(title, level), "\n".join(shown)] if shown else []


def _detailed(what: str, detail: str, texts: Texts) -> str:
    return texts.say("{what}: {detail}", what=what, detail=detail) if detail else what


def _because(text: str, reason: str) -> str:
    return f"{text} – {reason}" if reason else text
