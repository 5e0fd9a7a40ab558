"""Shows the votes of a round, and whether the twin, the person or the clock cast them; in a secret round, only who."""

from collections.abc import Sequence

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import mention
from bot.views.negotiation.names import name_in_thread
from engine.negotiation.events import ProposalFeedback
from engine.negotiation.private_reasons import reason_of
from engine.negotiation.state import Negotiation, Round, Seat
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType


def vote_list(state: Negotiation, opened: Round, texts: Texts, fit: Fit, *, is_open: bool) -> list[Block]:
    lines = [_seat(state, opened, seat, texts, fit, is_open=is_open) for seat in opened.seats.values()]
    return blocks.titled_list(texts.say("*Votes*"), lines)


def _seat(state: Negotiation, opened: Round, seat: Seat, texts: Texts, fit: Fit, *, is_open: bool) -> str:
    who = name_in_thread(state, seat.agent_id, fit, seat.display_name)
    vote = seat.vote
    if vote is None:
        return missing_vote_text(who, seat, texts, is_open=is_open)
    if state.is_secret(opened):
        return _by(seat, secret_vote_text(who, vote, texts), texts)
    text = vote_with_delegate(who, seat, vote, texts)
    if vote.carried:
        text = texts.say("{what} (as before)", what=text)
    reason = fit.line(reason_of(state, vote), 160)
    return f"{text} – {reason}" if reason else text


def vote_with_delegate(who: str, seat: Seat, vote: ProposalFeedback, texts: Texts) -> str:
    """How a person voted, and which delegate did it, if one did."""
    return _by(seat, vote_text(who, vote, texts), texts)


def _by(seat: Seat, text: str, texts: Texts) -> str:
    delegate = mention(seat.stand_in)
    return texts.say("{what} (by {delegate})", what=text, delegate=delegate) if delegate else text


def secret_vote_text(who: str, vote: ProposalFeedback, texts: Texts) -> str:
    """That a person has voted, but not how."""
    if vote.source is Source.AGENT:
        return texts.say("🗳️ {who} has voted (twin)", who=who)
    return texts.say("🗳️ {who} has voted", who=who)


def vote_text(who: str, vote: ProposalFeedback, texts: Texts) -> str:
    twin = vote.source is Source.AGENT
    match vote.feedback_type:
        case FeedbackType.ACCEPT if vote.source is Source.ASSUMED:
            return texts.say("☑️ {who} did not object in time", who=who)
        case FeedbackType.ACCEPT:
            return texts.say("✅ {who} accepts (twin)", who=who) if twin else texts.say("✅ {who} accepts", who=who)
        case FeedbackType.NEGOTIATE:
            if twin:
                return texts.say("💬 {who} asks for a change (twin)", who=who)
            return texts.say("💬 {who} asks for a change", who=who)
        case FeedbackType.REJECT:
            return texts.say("✋ {who} says no (twin)", who=who) if twin else texts.say("✋ {who} says no", who=who)
        case FeedbackType.WITHDRAW:
            return texts.say("👋 {who} withdraws (twin)", who=who) if twin else texts.say("👋 {who} withdraws", who=who)


def missing_vote_text(who: str, seat: Seat, texts: Texts, *, is_open: bool) -> str:
    delegate = mention(seat.delegate)
    if seat.gone and not delegate:
        return texts.say("▫️ {who} has no account here any more", who=who)
    if not is_open:
        return texts.say("▫️ {who} gave no answer", who=who)
    if seat.waits and not seat.user_id:
        return texts.say("⏳ {who}: waits for an admin, or whoever loaded the profile", who=who)
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
    votes = [seat.vote for seat in shown.seats.values()]
    silent = votes.count(None)
    if state.is_secret(shown):
        parts = [texts.say("{n} of {total} have voted", n=len(votes) - silent, total=len(votes))]
    else:
        parts = _counted([vote.feedback_type for vote in votes if vote], len(votes), texts)
    if silent and is_open:
        parts.append(texts.count("{n} still to come", "{n} still to come", silent))
    elif silent:
        parts.append(texts.count("{n} without an answer", "{n} without an answer", silent))
    return " · ".join(parts)


def _counted(kinds: Sequence[FeedbackType], total: int, texts: Texts) -> list[str]:
    accepts, negotiates = kinds.count(FeedbackType.ACCEPT), kinds.count(FeedbackType.NEGOTIATE)
    rejects, withdraws = kinds.count(FeedbackType.REJECT), kinds.count(FeedbackType.WITHDRAW)
    parts = [texts.say("{n} of {total} in favour", n=accepts, total=total)]
    if negotiates:
        parts.append(texts.count("{n} asks for a change", "{n} ask for changes", negotiates))
    if rejects:
        parts.append(texts.count("{n} says no", "{n} say no", rejects))
    if withdraws:
        parts.append(texts.count("{n} withdraws", "{n} withdraw", withdraws))
    return parts
