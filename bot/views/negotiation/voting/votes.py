"""How votes are told: their kinds and buttons, whose they are and by whose hand, and what their wishes came to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from bot.texts import Texts, texts_in
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.data_words import wanted_words
from bot.views.kit.mrkdwn import Fit, mention
from bot.views.kit.surfaces import people_table
from bot.views.negotiation.button_values import (
    NOT_MEANT,
    PRIMARY,
    VOTE_PREPARED,
    VoteButton,
    action_button,
    vote_action,
)
from bot.views.negotiation.names import asked_on, name_in_thread
from engine.llm.port import OFFLINE
from engine.negotiation.agreement.endings import Hand, confirmations, hand_of
from engine.negotiation.answers import Assignment, RequestDeclined
from engine.negotiation.events import AgentWithdrawn, Agreed, PreparedVote, ProposalFeedback, RequestUnderstood
from engine.negotiation.secrecy import reason_of
from engine.negotiation.state import Negotiation, Round, Seat, filling
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.tally import Tally
from engine.negotiation.voting.wishes_read import datum_of

Said = Callable[[Texts], str]


def _never(_: Texts) -> str:
    """What is said of a twin's vote that no twin may cast."""
    return ""


class SaidOf(Protocol):
    def __call__(self, texts: Texts, who: str, /) -> str: ...


def _never_of(_: Texts, _who: str) -> str:
    """As `_never`."""
    return ""


@dataclass(frozen=True, slots=True)
class Button:
    label: Said
    key: str
    """In a terminal: a letter of the kind's name."""
    form: Literal["", "why", "change"] = ""
    """What the form behind it asks; without anything, one click is the vote, unless a seat has to be chosen."""
    heading: Said | None = None
    """Of the form, where it is not the label."""
    style: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    alone: Said
    """Where it stands beside a name."""
    theirs: SaidOf
    yours: Said
    past: Said
    thanks: Said
    your_twins: Said = _never
    a_twins: Said = _never
    would: Said = _never
    """What one's own twin has only prepared."""
    they_would: SaidOf = _never_of
    button: Button | None = None

    @property
    def plainly(self) -> str:
        """In English and without its mark, for logs."""
        return self.alone(texts_in("en")).split(" ", 1)[1]


LOOKS: Final[Mapping[FeedbackType, Look]] = {
    FeedbackType.ACCEPT: Look(
        button=Button(lambda texts: texts.say("Accept"), "a", style="primary"),
        alone=lambda texts: texts.say("✅ accepts"),
        theirs=lambda texts, who: texts.say("✅ {who} accepts", who=who),
        yours=lambda texts: texts.say("✅ You accept"),
        your_twins=lambda texts: texts.say("✅ Your twin accepts"),
        a_twins=lambda texts: texts.say("✅ The twin accepts"),
        would=lambda texts: texts.say("📝 Your twin would accept"),
        they_would=lambda texts, who: texts.say("📝 {who}: the twin would accept", who=who),
        past=lambda texts: texts.say("accepted"),
        thanks=lambda texts: texts.say("Thank you, your yes is recorded."),
    ),
    FeedbackType.NEGOTIATE: Look(
        button=Button(
            lambda texts: texts.say("Negotiate…"),
            "n",
            form="change",
            heading=lambda texts: texts.say("Ask for a change"),
        ),
        alone=lambda texts: texts.say("💬 asks for a change"),
        theirs=lambda texts, who: texts.say("💬 {who} asks for a change", who=who),
        yours=lambda texts: texts.say("💬 You ask for a change"),
        your_twins=lambda texts: texts.say("💬 Your twin asks for a change"),
        a_twins=lambda texts: texts.say("💬 The twin asks for a change"),
        would=lambda texts: texts.say("📝 Your twin would ask for a change"),
        they_would=lambda texts, who: texts.say("📝 {who}: the twin would ask for a change", who=who),
        past=lambda texts: texts.say("asked for a change"),
        thanks=lambda texts: texts.say("Thank you, your wish is recorded. It will be weighed in the next version."),
    ),
    FeedbackType.ABSTAIN: Look(
        button=Button(lambda texts: texts.say("Abstain"), "s"),
        alone=lambda texts: texts.say("⚪ abstains"),
        theirs=lambda texts, who: texts.say("⚪ {who} abstains", who=who),
        yours=lambda texts: texts.say("⚪ You abstain: neither for nor against, and your part stays as it is"),
        past=lambda texts: texts.say("abstained"),
        thanks=lambda texts: texts.say(
            "Thank you, it is recorded that you abstain. Your part in the plan stays as it is."
        ),
    ),
    FeedbackType.REJECT: Look(
        alone=lambda texts: texts.say("✋ says no"),
        theirs=lambda texts, who: texts.say("✋ {who} says no", who=who),
        yours=lambda texts: texts.say("✋ You say no"),
        your_twins=lambda texts: texts.say("✋ Your twin says no"),
        a_twins=lambda texts: texts.say("✋ The twin says no"),
        would=lambda texts: texts.say("📝 Your twin would say no"),
        they_would=lambda texts, who: texts.say("📝 {who}: the twin would say no", who=who),
        past=lambda texts: texts.say("said no"),
        thanks=lambda texts: texts.say("Thank you, your no is recorded."),
    ),
    FeedbackType.WITHDRAW: Look(
        button=Button(
            lambda texts: texts.say("Withdraw…"),
            "w",
            form="why",
            heading=lambda texts: texts.say("Withdraw"),
        ),
        alone=lambda texts: texts.say("👋 withdraws"),
        theirs=lambda texts, who: texts.say("👋 {who} withdraws", who=who),
        yours=lambda texts: texts.say("👋 You withdraw"),
        your_twins=lambda texts: texts.say("👋 Your twin withdraws"),
        a_twins=lambda texts: texts.say("👋 The twin withdraws"),
        would=lambda texts: texts.say("📝 Your twin would withdraw"),
        they_would=lambda texts, who: texts.say("📝 {who}: the twin would withdraw", who=who),
        past=lambda texts: texts.say("withdrew"),
        thanks=lambda texts: texts.say("Thank you for telling us. You are out once this round ends."),
    ),
}


def kind_of_vote(vote: ProposalFeedback, texts: Texts) -> str:
    if vote.source is Source.ASSUMED:
        return texts.say("☑️ did not object in time")
    return LOOKS[vote.feedback_type].alone(texts)


BUTTONS: Final[Mapping[FeedbackType, Button]] = {kind: each.button for kind, each in LOOKS.items() if each.button}


def vote_button(state: Negotiation, seat: Seat) -> VoteButton:
    """What the buttons of a seat of the latest round carry."""
    latest = state.rounds[-1]
    return VoteButton(stream=state.channel_id, round=latest.number, digest=latest.digest, agent_id=seat.agent_id)


def vote_buttons(
    button: VoteButton, kinds: Sequence[FeedbackType], texts: Texts, *, is_plain: bool = False
) -> tuple[Block, ...]:
    """The buttons with which people vote.

    Args:
        kinds: those that the negotiation takes.
        is_plain: none of them is filled, since another one is.
    """
    value = button.value()
    return tuple(_button(each, value, texts, is_plain=is_plain) for each in kinds if each in BUTTONS)


def _button(kind: FeedbackType, value: str, texts: Texts, *, is_plain: bool) -> Block:
    button = BUTTONS[kind]
    more: dict[str, Any] = {"style": button.style} if button.style and not is_plain else {}
    return blocks.button(button.label(texts), vote_action(kind), value, **more)


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
    if seat.human is None:
        return text
    if delegate := mention(seat.stand_in):
        return texts.say("{what} (by {delegate})", what=text, delegate=delegate)
    if not seat.user_id and (by := mention(seat.human.by or "")):
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


def has_left_text(who: str, left: AgentWithdrawn, texts: Texts) -> str:
    return no_account_text(who, texts) if left.closed else texts.say("👋 {who} has left", who=who)


def no_account_text(who: str, texts: Texts) -> str:
    return texts.say("▫️ {who} has no account here any more", who=who)


def missing_vote_text(who: str, seat: Seat, texts: Texts, *, is_open: bool) -> str:
    delegate = mention(seat.delegate)
    if seat.closed or (seat.gone and not delegate):
        return no_account_text(who, texts)
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
        parts = _counted(tally, texts, tally.of_those_who_stay.total if state.policy.by_needs else tally.total)
    if (to_come := tally.silent - tally.gone) and is_open:
        parts.append(texts.count("{n} still to come", "{n} still to come", to_come))
    elif tally.silent:
        parts.append(texts.count("{n} without an answer", "{n} without an answer", tally.silent))
    return " · ".join(parts)


def _counted(tally: Tally, texts: Texts, total: int) -> list[str]:
    """
    Args:
        total: of whom it is counted.
    """
    parts = [texts.say("{n} of {total} in favour", n=tally.accepts - tally.assumed, total=total)]
    if tally.assumed:
        parts.append(
            texts.count(
                "{n} did not object, which counts as yes", "{n} did not object, which counts as yes", tally.assumed
            )
        )
    if tally.negotiates:
        parts.append(texts.count("{n} asks for a change", "{n} ask for changes", tally.negotiates))
    if rejects := tally.rejects - tally.withdraws:
        parts.append(texts.count("{n} says no", "{n} say no", rejects))
    if tally.abstains:
        parts.append(texts.count("{n} abstains", "{n} abstain", tally.abstains))
    if tally.withdraws:
        parts.append(texts.count("{n} withdraws", "{n} withdraw", tally.withdraws))
    return parts


Line = Callable[[str], str]
"""Escapes a text for where it stands, on one line."""


def wish_text(state: Negotiation, who: str, request: str, texts: Texts, line: Line) -> str:
    """What they ask for, in their words; what they want as data alone, in the reader's language."""
    if request:
        return line(request)
    datum = datum_of(state, who, "")
    return line(wanted_words(datum, texts, asked_on(state))) if datum is not None else ""


def why_open(state: Negotiation, asked: RequestDeclined, missing: str, texts: Texts, line: Line) -> str:
    """Why it was not taken up.

    Args:
        missing: where nobody has given a reason, and there was a version after it.
    """
    if reason := line(asked.reason):
        return reason
    if _is_too_late(state, asked):
        return texts.say("it was asked for in the last round, too late for another version")
    if any(each.asked.about == "repeated" and each.round == state.round for each in state.decisions):
        return texts.say("no other plan came of it")
    return missing


def _is_too_late(state: Negotiation, asked: RequestDeclined) -> bool:
    """Whether it was asked for in the last round that there may be, and in none before."""
    if state.is_open or not state.rounds or state.rounds[-1].number < state.policy.max_rounds:
        return False
    return [each for each in state.rounds if _is_asked_in(each, asked.agent_id)] == [state.rounds[-1]]


def _is_asked_in(shown: Round, who: str) -> bool:
    if shown.request is not None and shown.request.by == who:
        return True
    seat = shown.seats.get(who)
    vote = seat.vote if seat else None
    return vote is not None and bool(vote.adjustment_request or vote.change is not None)


def understood_of(state: Negotiation, agent_id: str, shown: Round) -> RequestUnderstood | None:
    """How a wish of this round was understood; None where it was not read, or somebody has said otherwise.

    Args:
        agent_id: whose seat it was asked for; empty for the requester's own wish.
    """
    found = state.understood.get(agent_id or state.requester_id)
    return found if found is not None and found.round == shown.number and found.agent_id == agent_id else None


def understood_blocks(
    stream: str, agent_id: str, understood: RequestUnderstood | None, texts: Texts, fit: Fit
) -> list[Block]:
    """A line with a button; nothing where nothing was read, or they have said it as data themselves."""
    if (
        understood is None
        or understood.understood == understood.text
        or not (what := fit.line(understood.understood, 240))
    ):
        return []
    button = action_button(NOT_MEANT, stream, texts, agent_id=agent_id)
    return [blocks.section(texts.say("💡 Understood as: {what}", what=what)) | {"accessory": button}]


def asked_by_requester(state: Negotiation, shown: Round, texts: Texts, fit: Fit) -> list[Block]:
    """How the wishes of whoever asked were understood: their own, and those for seats that are linked to nobody. They
    have no direct message about a round, so it stands in the thread, where the wishes do.
    """
    seats = [
        each.agent_id
        for each in shown.seats.values()
        if not each.user_id and each.human is not None and each.human.by == state.requester_id
    ]
    found: list[Block] = []
    for agent_id in ("", *seats):
        found += understood_blocks(state.channel_id, agent_id, understood_of(state, agent_id, shown), texts, fit)
    return found


def prepared_line(said: PreparedVote, texts: Texts, fit: Fit, who: str = "") -> str:
    """
    Args:
        who: whose twin it is; empty where it is the reader's own.
    """
    press = texts.say("Press to make it yours; until you do, nobody else sees it and it counts for nothing.")
    return f"{prepared_text(said, texts, fit, who)}\n{press}"


def prepared_text(said: PreparedVote, texts: Texts, fit: Fit, who: str = "") -> str:
    """What a twin would vote, and why, where no button makes it one's own."""
    look = LOOKS[said.feedback_type]
    text = look.they_would(texts, who) if who else look.would(texts)
    reason = fit.line(wish_of(said, texts) or said.reasoning, 300)
    return f"{text} – {reason}" if reason else text


def wish_of(said: PreparedVote, texts: Texts) -> str:
    """What it asks for, in its words; what is data alone, in the reader's language."""
    if said.adjustment_request or said.change is None:
        return said.adjustment_request
    return wanted_words(said.change, texts)


def prepared_button(button: VoteButton, texts: Texts) -> Block:
    return action_button(VOTE_PREPARED, texts=texts, look=PRIMARY, **button.model_dump())


def buttons_of(state: Negotiation, seat: Seat, button: VoteButton, texts: Texts) -> tuple[Block, ...]:
    """The buttons with which people vote for a seat: first of all, where there is one, that of what is prepared."""
    others = vote_buttons(button, state.kinds_of_vote, texts, is_plain=seat.prepared is not None)
    return others if seat.prepared is None else (prepared_button(button, texts), *others)


def rules_speak(state: Negotiation) -> bool:
    """Whether the twins speak by simple rules."""
    return any(each.model == OFFLINE for each in state.offers.values())


def agreed_by_rules(state: Negotiation) -> frozenset[str]:
    """Return the seats of a settled plan whose consent is the rules' alone: no person has voted for them."""
    agreed = state.agreed or state.final
    voted = [each for each in state.rounds if agreed and each.version == agreed.final_proposal.version]
    if agreed is None or not voted:
        return frozenset()
    votes = {agent_id: seat.vote for agent_id, seat in voted[-1].seats.items()}
    confirmed = {*(state.final or agreed).confirmed_participants}
    confirmed -= {each.person.agent_id for each in filling(state.volunteers)}  # they have offered it themselves
    return frozenset(each for each in confirmed if _is_of_rules(state, votes.get(each)))


def _is_of_rules(state: Negotiation, vote: ProposalFeedback | None) -> bool:
    """Whoever joined without a vote was found by those who speak in all of the negotiation."""
    return rules_speak(state) if vote is None else vote.source is Source.AGENT and vote.model == OFFLINE


def confirmed_by(state: Negotiation, final: Agreed, who: str, texts: Texts) -> list[tuple[str, list[Assignment]]]:
    """Return the seats of whoever has confirmed, below a title that names the hand, in the order of the plan.

    Args:
        who: whoever asked, who may have voted for people who are linked to nobody.
    """
    by_rules, given = agreed_by_rules(state), confirmations(state)
    found: dict[str, list[Assignment]] = {}
    for each in final.final_proposal.assignments:
        if each.agent_id not in final.confirmed_participants:
            continue
        hand = given[each.agent_id].hand if each.agent_id in given else None
        title = _title(hand, who, texts, by_rules=each.agent_id in by_rules)
        found.setdefault(title, []).append(each)
    return [*found.items()]


def _title(hand: Hand | None, who: str, texts: Texts, *, by_rules: bool) -> str:
    match hand:
        case _ if by_rules:
            return texts.say("*Their twins would, by simple rules; ask them*")
        case Hand.PERSON:
            return texts.say("*Confirmed by themselves*")
        case Hand.DELEGATE:
            return texts.say("*Confirmed by a colleague, for them*")
        case Hand.REQUESTER:
            return texts.say("*Confirmed by {who}, for them*", who=who)
        case Hand.TWIN:
            return texts.say("*Confirmed by their twins*")
        case _:
            return texts.say("*Confirmed*")


def with_hand(text: str, state: Negotiation, seat: Seat, vote: ProposalFeedback, texts: Texts) -> str:
    """Say beside a vote that another hand gave it, without a mention: nobody is notified of a card that changes."""
    if vote.source is not Source.HUMAN or hand_of(seat, vote) is Hand.PERSON:
        return text
    if vote.by == state.requester_id:
        return texts.say("{what} (by whoever asked, for them)", what=text)
    return texts.say("{what} (by a colleague, for them)", what=text)
