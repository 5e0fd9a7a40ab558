"""A person's agenda, for them alone: their open votes, and the state of their demands."""

from collections.abc import Sequence

from bot.texts import Texts
from bot.views.kit.home_part import older_line, where_line
from bot.views.kit.mrkdwn import Fit, safe_line, until_time
from bot.views.negotiation.names import bold_name, decision_label
from bot.views.negotiation.plan.marks import asked_for
from bot.views.negotiation.root import status_line
from engine.negotiation.state import Negotiation, Seat


def agenda(
    votes: Sequence[Negotiation], demands: Sequence[Negotiation], user_id: str, hidden: int, texts: Texts
) -> str:
    """
    Args:
        votes: where the person can still vote.
        demands: theirs, the newest first.
        hidden: how many demands more there are.
    """
    lines = [texts.say("*Your open votes*")]
    lines += [vote_line(state, seat, user_id, texts) for state in votes for seat in open_seats(state, user_id)]
    if len(lines) == 1:
        lines.append(texts.say("Nobody is waiting for you."))
    lines += ["", texts.say("*Your demands*")]
    lines += [demand_line(state, texts) for state in demands]
    if not demands:
        lines.append(texts.say("None so far. Tell me what you need."))
    if hidden:
        lines.append(older_line(hidden, texts))
    return "\n".join(lines)


def open_seats(state: Negotiation, user_id: str) -> list[Seat]:
    """The person's seats in which nobody has voted in person yet."""
    return [seat for seat in state.seats_of(user_id) if seat.human is None] if state.current else []


def asked_line(state: Negotiation, user_id: str, texts: Texts, thread: str = "") -> str:
    """A demand that the person was asked for, with their twins' offers so far. ``thread``: its address, if any."""
    told = [
        f"{bold_name(each.display_name, each.agent_id, Fit())}: {_offered(state, each.agent_id, texts)}"
        for each in state.answerable_offers(user_id)
        if each.user_id
    ]
    seats = [each.agent_id for each in state.answerable_offers(user_id) if each.user_id]
    wanted = dict.fromkeys(what for each in seats if (what := asked_for(state, each, texts, _short)))
    asked = [texts.say("Asked for: {what}", what=each) for each in wanted]
    head = " · ".join(
        each for each in (f"“{_title(state)}”", *asked, where_line(state.place.channel, thread, texts)) if each
    )
    return "\n".join([head, *told])


def _offered(state: Negotiation, agent_id: str, texts: Texts) -> str:
    offer = state.offers.get(agent_id)
    if offer is None:
        return texts.say("Nothing yet.")
    if offer.degraded:
        return texts.say("The twin could not answer.")
    what = decision_label(offer.decision, texts)
    said = safe_line(offer.contribution or offer.decline_reason, 240)
    return f"{what} – {said}" if said else what


def vote_line(state: Negotiation, seat: Seat, user_id: str, texts: Texts, thread: str = "") -> str:
    """``thread``: its address, if any."""
    until = until_time(state.rounds[-1].window.deadline, texts)
    said = texts.say("• “{demand}”: round {round}, open until {moment}", demand=_title(state), round=state.round,
                     moment=until)  # fmt: skip
    parts = (said, whose_seat(seat, user_id, texts), where_line(state.place.channel, thread, texts))
    return " · ".join(each for each in parts if each)


def whose_seat(seat: Seat, user_id: str, texts: Texts) -> str:
    """The name of another person's seat; empty for their own."""
    name = bold_name(seat.display_name, seat.agent_id, Fit())
    return "" if seat.user_id == user_id else texts.say("for {name}", name=name)


def demand_line(state: Negotiation, texts: Texts, thread: str = "") -> str:
    """``thread``: its address, if any."""
    said = texts.say("• “{demand}”: {status}", demand=_title(state), status=status_line(state, texts, Fit()))
    return " · ".join(each for each in (said, where_line(state.place.channel, thread, texts)) if each)


def _short(text: str) -> str:
    return safe_line(text, 80)


def _title(state: Negotiation) -> str:
    return safe_line(state.demand_text, 120)
