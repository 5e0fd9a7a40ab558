"""Who stands where, round by round, and what of the demand is covered by whom."""

from bot.texts import Texts
from bot.views.kit.mrkdwn import UNLIMITED, Fit
from bot.views.kit.story.model import Part, Reading, Table
from bot.views.negotiation.names import bold_name, join_names
from bot.views.negotiation.plan.marks import NO_MARKS, Marks, sign_of
from bot.views.negotiation.story.as_seen import own_seats
from bot.views.negotiation.voting.votes import (
    kind_of_vote,
    missing_vote_text,
    not_waited_for_text,
    prepared_text,
    tally_line,
    with_whoever_voted,
)
from engine.negotiation.plan.told_needs import NeedStatus, NeedTold, needs_now
from engine.negotiation.secrecy import reason_of
from engine.negotiation.state import Negotiation, Round, Seat
from engine.negotiation.terms import Source


def standings(state: Negotiation, seen: Negotiation, reading: Reading, fit: Fit) -> list[Part]:
    """A row for each person, a column for each round.

    Args:
        state: with every vote: in a blind round, somebody's own is shown to them.
        seen: what the reader may see of it.
    """
    if not seen.rounds:
        return []
    texts, mine = reading.texts, own_seats(state, reading.user)
    head = [texts.say("Who")]
    columns: list[dict[str, str]] = []
    for real, shown in zip(state.rounds, seen.rounds, strict=True):
        prepared = _prepared(state, real, reading, mine, fit)
        head.append(texts.say("Round {round}, version {version}", round=shown.number, version=shown.version))
        columns.append(
            {
                agent_id: _cell(state, real, real.seats[agent_id], texts, fit)
                if agent_id in mine
                else _cell(seen, shown, seat, texts, fit, is_secret=seen.is_secret(shown))
                for agent_id, seat in shown.seats.items()
            }
            | prepared
        )
    people = dict.fromkeys(agent_id for each in seen.rounds for agent_id in each.seats)
    rows = [[_name(seen, each, fit), *(column.get(each, "–") for column in columns)] for each in people]
    counts = [tally_line(seen, each, texts, is_open=each is seen.current) for each in seen.rounds]
    caption = texts.say("How everybody voted on each version of the plan")
    return [Table(caption, head, [*rows, [texts.say("All together"), *counts]])]


def _prepared(state: Negotiation, shown: Round, reading: Reading, mine: frozenset[str], fit: Fit) -> dict[str, str]:
    """What twins would vote that only prepare it, for whoever of the open round may give it."""
    if shown is not state.current:
        return {}
    return {
        agent_id: prepared_text(
            seat.prepared, reading.texts, fit, "" if agent_id in mine else _name(state, agent_id, fit)
        )
        for agent_id, seat in shown.seats.items()
        if seat.prepared is not None and seat.vote is None and reading.user in state.voters_for(agent_id)
    }


def _name(state: Negotiation, agent_id: str, fit: Fit) -> str:
    known = state.known_person(agent_id)
    named = next((each.seats[agent_id] for each in reversed(state.rounds) if agent_id in each.seats), None)
    return bold_name((named.display_name if named else "") or (known.display_name if known else ""), agent_id, fit)


def _cell(state: Negotiation, shown: Round, seat: Seat, texts: Texts, fit: Fit, *, is_secret: bool = False) -> str:
    vote = seat.vote
    if shown.tally and seat.agent_id in shown.tally.not_waited_for:
        return not_waited_for_text(_name(state, seat.agent_id, fit), texts)
    if vote is None:
        is_open = state.current is not None and state.current.number == shown.number
        return missing_vote_text(_name(state, seat.agent_id, fit), seat, texts, is_open=is_open)
    text = texts.say("🗳️ has voted") if is_secret else kind_of_vote(vote, texts)
    if vote.source is Source.AGENT:
        text = texts.say("{what} (twin)", what=text)
    if vote.carried and not is_secret:
        text = texts.say("{what} (as before)", what=text)
    text = with_whoever_voted(seat, text, texts)
    reason = "" if is_secret else fit.text(reason_of(state, vote), UNLIMITED)
    return f"{text}\n{reason}" if reason else text


def needed(state: Negotiation, texts: Texts, fit: Fit) -> list[Part]:
    """A row for each thing that the demand takes."""
    marks = Marks.of(state, state.proposals[-1]) if state.proposals else NO_MARKS
    rows = []
    for each in needs_now(state):
        what = fit.line(each.what, UNLIMITED)
        count = texts.say("{count} of {wanted}", count=each.count, wanted=each.wanted) if each.wanted > 1 else ""
        who = join_names([_name(state, agent_id, fit) for agent_id in each.covered_by], texts)
        rows.append(
            (
                texts.say("{what} (essential)", what=what) if each.essential else what,
                " · ".join(part for part in (_covered(each, marks, texts), count) if part),
                who or "–",
            )
        )
    head = (texts.say("What"), texts.say("Covered?"), texts.say("By whom"))
    return [Table(texts.say("What the demand takes, and who covers it"), head, rows)] if rows else []


def _covered(need: NeedTold, marks: Marks, texts: Texts) -> str:
    """With the mark that the need has elsewhere."""
    match need.status:
        case NeedStatus.OPEN:
            return texts.say("▫️ no plan yet")
        case NeedStatus.MISSING:
            return texts.say("❌ missing")
        case NeedStatus.PARTLY:
            return texts.say("❌ covered in part")
        case NeedStatus.COVERED:
            return texts.say("{sign} covered", sign=sign_of(need, marks))
        case NeedStatus.ACCEPTED:
            return texts.say("{sign} covered and accepted", sign=sign_of(need, marks))
