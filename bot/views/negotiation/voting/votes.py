"""Shows the votes of a round, and whether the twin, the person or the clock cast them; in a secret round, only who."""

from bot.texts import Texts
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import mention
from bot.views.kit.surfaces import people_table
from bot.views.negotiation.names import name_in_thread
from bot.views.negotiation.voting.kinds import LOOKS
from engine.negotiation.events import ProposalFeedback
from engine.negotiation.private_reasons import reason_of
from engine.negotiation.state import Negotiation, Round, Seat
from engine.negotiation.terms import Source
from engine.negotiation.voting.tally import Tally


def vote_list(state: Negotiation, opened: Round, texts: Texts, fit: Fit, *, is_open: bool) -> list[Block]:
    seats = [_seat(state, opened, seat, texts, fit, is_open=is_open) for seat in opened.seats.values()]
    lines = [f"{vote} – {reason}" if reason else vote for vote, reason in seats]
    return people_table(texts.say("*Votes*"), (texts.say("Vote"), texts.say("Why")), seats, lines, fit)


def _seat(state: Negotiation, opened: Round, seat: Seat, texts: Texts, fit: Fit, *, is_open: bool) -> tuple[str, str]:
    """Somebody's vote, and why; without a reason, empty."""
    who = name_in_thread(state, seat.agent_id, fit, seat.display_name)
    vote = seat.vote
    if opened.tally and seat.agent_id in opened.tally.not_waited_for:
        return not_waited_for_text(who, texts), ""
    if vote is None:
        return missing_vote_text(who, seat, texts, is_open=is_open), ""
    if state.is_secret(opened):
        return with_whoever_voted(seat, secret_vote_text(who, vote, texts), texts), ""
    text = vote_with_delegate(who, seat, vote, texts)
    if vote.carried:
        text = texts.say("{what} (as before)", what=text)
    return text, fit.line(reason_of(state, vote), 160)


def vote_with_delegate(who: str, seat: Seat, vote: ProposalFeedback, texts: Texts) -> str:
    """How a person voted, and which delegate did it, if one did."""
    return with_whoever_voted(seat, vote_text(who, vote, texts), texts)


def with_whoever_voted(seat: Seat, text: str, texts: Texts) -> str:
    """Whoever votes for another is named beside the vote."""
    if delegate := mention(seat.stand_in):
        return texts.say("{what} (by {delegate})", what=text, delegate=delegate)
    if seat.human is not None and not seat.user_id and (by := mention(seat.human.by or "")):
        return texts.say("{what} (by {who}, for them)", what=text, who=by)
    return text


def secret_vote_text(who: str, vote: ProposalFeedback, texts: Texts) -> str:
    """That a person has voted, but not how."""
    if vote.source is Source.AGENT:
        return texts.say("🗳️ {who} has voted (twin)", who=who)
    return texts.say("🗳️ {who} has voted", who=who)


def vote_text(who: str, vote: ProposalFeedback, texts: Texts) -> str:
    if vote.source is Source.ASSUMED:
        return texts.say("☑️ {who} did not object in time", who=who)
    said = LOOKS[vote.feedback_type].theirs(texts, who)
    return texts.say("{what} (twin)", what=said) if vote.source is Source.AGENT else said


def not_waited_for_text(who: str, texts: Texts) -> str:
    """Of somebody who had not voted when whoever asked closed the round: they are in no sum."""
    return texts.say("▫️ {who} was not waited for", who=who)


def missing_vote_text(who: str, seat: Seat, texts: Texts, *, is_open: bool) -> str:
    delegate = mention(seat.delegate)
    if seat.gone and not delegate:
        return texts.say("▫️ {who} has no account here any more", who=who)
    if not is_open:
        return texts.say("▫️ {who} gave no answer", who=who)
    if seat.is_in_doubt and not seat.user_id:
        return texts.say("⏳ {who}: waits for an admin, or whoever loaded the profile", who=who)
    if seat.prepares and not seat.user_id:
        return texts.say("⏳ {who}: waits for whoever asked", who=who)
    if seat.waits:
        return texts.say("⏳ waits for {who}", who=who)
    if seat.is_unread:
        return texts.say("⏳ {who}: what the twin says is looked at once more", who=who)
    if seat.twin_asked:
        return texts.say("⏳ {who}: the twin is thinking", who=who)
    if not seat.has_twin:
        return texts.say("⏳ {who}: it is theirs to decide", who=who)
    if seat.spoken and not seat.twin_degraded:
        return texts.say("⏳ {who} has decided before; now that the part has changed, it is theirs again", who=who)
    if delegate:
        return texts.say("⏳ {who}: the twin could not answer; {delegate} may decide, too", who=who, delegate=delegate)
    if seat.user_id and seat.unreachable:
        return texts.say("⏳ {who} could not be reached, and the twin could not answer; decide here", who=who)
    if seat.user_id:
        return texts.say("⏳ {who}: the twin could not answer; it is theirs to decide", who=who)
    return texts.say("⏳ {who}: the twin could not answer", who=who)


def tally_line(state: Negotiation, shown: Round, texts: Texts, *, is_open: bool) -> str:
    """A line with the number of each kind of vote; in a secret round, with how many have voted."""
    tally = shown.counted
    if state.is_secret(shown):
        seats = len(shown.seats)
        parts = [texts.say("{n} of {total} have voted", n=seats - tally.silent, total=seats)]
    else:
        parts = _counted(tally, texts)
    if tally.silent and is_open:
        parts.append(texts.count("{n} still to come", "{n} still to come", tally.silent))
    elif tally.silent:
        parts.append(texts.count("{n} without an answer", "{n} without an answer", tally.silent))
    return " · ".join(parts)


def _counted(tally: Tally, texts: Texts) -> list[str]:
    parts = [texts.say("{n} of {total} in favour", n=tally.accepts, total=tally.total)]
    if tally.negotiates:
        parts.append(texts.count("{n} asks for a change", "{n} ask for changes", tally.negotiates))
    if rejects := tally.rejects - tally.withdraws:
        parts.append(texts.count("{n} says no", "{n} say no", rejects))
    if tally.abstains:
        parts.append(texts.count("{n} abstains", "{n} abstain", tally.abstains))
    if tally.withdraws:
        parts.append(texts.count("{n} withdraws", "{n} withdraw", tally.withdraws))
    return parts
