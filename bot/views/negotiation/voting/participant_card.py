"""The direct message with a person's own part in a round: their task, what became of their wishes, their vote.

Where nothing of theirs has changed in the next round and their twin answers again, the same message goes on, and nobody
is notified.
It is sent once their twin has voted or failed to, so that one message says what there is to agree or disagree with. It
changes only with what concerns that person.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from bot.texts import Texts, texts_in
from bot.views.directory.buttons import TELL, Twin
from bot.views.directory.telling_form import twin_feedback
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.data_words import city_words, day_words, wanted_words
from bot.views.kit.home_part import where_line
from bot.views.kit.menu import row
from bot.views.kit.mrkdwn import Fit, escaped, mention, plain_line, until_time
from bot.views.kit.post import Post
from bot.views.kit.presenter import Delivery, Readers
from bot.views.negotiation.button_values import (
    DELEGATE,
    HAND_BACK,
    WHY,
    CannotButton,
    SeatButton,
    VoteButton,
    action_button,
    cannot_button,
)
from bot.views.negotiation.names import asked_on, start_text, step_text, when_text
from bot.views.negotiation.offers.offers import doubt_lines, own_offer_key
from bot.views.negotiation.plan.marks import SIGNS, Marks, both_data, marked, own_lines
from bot.views.negotiation.plan.times import cannot_then
from bot.views.negotiation.voting.rounds import follows_text
from bot.views.negotiation.voting.votes import (
    LOOKS,
    prepared_button,
    prepared_line,
    understood_blocks,
    understood_of,
    vote_buttons,
    vote_with_delegate,
)
from engine.facts.circumstances import When
from engine.facts.data import Datum
from engine.facts.places import is_city
from engine.kernel import Millis
from engine.negotiation.answers import Assignment, Change, Circumstances, Milestone, RequestAddressed, RequestDeclined
from engine.negotiation.commands import RecordDelivery
from engine.negotiation.events import LimitDoubt, ProposalFeedback, RequestUnderstood
from engine.negotiation.offers.collecting import is_awaited
from engine.negotiation.offers.limit_answers import doubts_of
from engine.negotiation.plan.clashes import ClashTold, clashes_now
from engine.negotiation.plan.marks import Mark, MarkKind, marks_of
from engine.negotiation.state import Negotiation, Round, Seat, Status, twin_votes
from engine.negotiation.terms import HeldCondition, Proposal, Source, Verdict
from engine.negotiation.voting.between_rounds import Follows, follows
from engine.negotiation.voting.carrying import own_vote
from engine.negotiation.voting.kinds import FeedbackType
from engine.negotiation.voting.wishes_read import datum_of


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
    return _part_of(state, proposal, agent_id, asked_on(state))


def _part_of(state: Negotiation, proposal: Proposal, agent_id: str, today: str) -> OwnPart | None:
    seat = next((each for each in proposal.assignments if each.agent_id == agent_id), None)
    if seat is None:
        return None
    asked = state.understanding
    context = asked.context if asked else Circumstances()
    covered = [each for each in asked.needs if each.need_id in seat.covers] if asked else []
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
        today=today,
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
        _covers("" if covers.casefold() == role.casefold() else covers, texts, for_another=for_another),
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
    """Return a line for each change since the version before: of the part, its times, its place, its conditions."""
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


LONGEST_TITLE = 140
OWN = frozenset({"condition", "request"})


def participant_card_key(number: int, agent_id: str) -> str:
    return f"part-{number}/{agent_id}"


@dataclass(frozen=True, slots=True)
class CardContent:
    """Everything that the card depends on: equal contents look the same."""

    stream: str
    demand: str
    requester_id: str
    channel: str
    most_rounds: int
    number: int
    message: int
    """The number of the round whose message this is: of this one, or of one before."""
    version: int
    digest: str
    seat: Seat
    kinds: tuple[FeedbackType, ...]
    """The kinds of vote that are taken."""
    is_open: bool
    is_secret: bool
    """Whether the vote is shown only to those who may decide about it."""
    until: Millis
    """The end of the person's time to decide."""
    silence_is_consent: bool
    verdict: Verdict | None
    follows: Follows
    was_stopped: bool
    part: OwnPart
    before: OwnPart | None
    """Their part in the version before, if any."""
    declined: tuple[RequestDeclined, ...]
    addressed: tuple[RequestAddressed, ...]
    wished: Datum | None
    """What their wish comes to, where it is data alone."""
    changed: tuple[Change, ...]
    """What the version says of the changes in their seat."""
    clashes: tuple[ClashTold, ...]
    """Other plans that take them at the same time."""
    marks: tuple[Mark, ...]
    """Of their conditions and wishes."""
    cannot_then: bool
    """Whether they cannot when it takes place, by what they hold to."""
    doubts: tuple[LimitDoubt, ...]
    """Of their own limits: for nobody but them."""
    understood: RequestUnderstood | None
    """How what they ask for was understood."""
    may_hand_back: bool
    """Whether this is the round in which they voted last, so that they may let their twin vote again."""
    thread: str = ""
    """The address of the thread; empty where it is not known."""

    @property
    def sign_of_wishes(self) -> str:
        """How sure it is that what they asked for was taken up."""
        return Marks(self.marks).sign("request") or SIGNS[MarkKind.SAID]

    @property
    def vote_button(self) -> VoteButton:
        return VoteButton(stream=self.stream, round=self.number, digest=self.digest, agent_id=self.seat.agent_id)

    @property
    def key(self) -> str:
        return participant_card_key(self.message, self.seat.agent_id)

    @property
    def decide_until(self) -> Millis:
        """Until when a decision of theirs is waited for; 0 where none is."""
        return self.until if self.is_open and self.seat.human is None else 0


def participant_cards(state: Negotiation, index: int, readers: Readers) -> Iterator[Post]:
    """A card for each linked person who has time and something to decide about.

    Args:
        index: of the round, from 0.
    """
    rounds: dict[int, InRound] = {}
    for seat in decidable_seats(state, index):
        if seat.user_id and not _goes_on(state, index, seat.agent_id):
            latest = _latest(state, index, seat.agent_id)
            if latest not in rounds:
                rounds[latest] = in_round(state, latest, readers.address(""))
            content = card_content(state, rounds[latest], state.rounds[latest].seats[seat.agent_id])
            yield _post(content, readers.language(seat.user_id, content.key))


def decidable_seats(state: Negotiation, index: int) -> Iterator[Seat]:
    """The seats of a round that people have time and something new to decide about. ``index``: of the round, from 0."""
    shown = state.rounds[index]
    is_open = state.current is shown
    for seat in shown.seats.values():
        if not (state.policy.human_window or (seat.prepares and state.policy.override_window)):
            continue
        if seat.human and seat.human.carried:
            continue  # their vote stands, so they hear nothing
        if seat.human or seat.handed_back or not (seat.twin_asked or (is_open and seat.is_unread)):
            yield seat


def _latest(state: Negotiation, index: int, agent_id: str) -> int:
    """Return what the message that began in a round shows now: that round, or the last one in which it goes on."""
    while _goes_on(state, index + 1, agent_id):
        index += 1
    return index


def card_round(state: Negotiation, index: int, agent_id: str) -> Round:
    """Return the round whose message shows somebody's part in a round: that one, or one before that goes on.

    Args:
        index: of the round, from 0.
    """
    while _goes_on(state, index, agent_id):
        index -= 1
    return state.rounds[index]


def _goes_on(state: Negotiation, index: int, agent_id: str) -> bool:
    """Whether the message of the round before goes on in this one."""
    if not 0 < index < len(state.rounds):
        return False
    was, now = state.rounds[index - 1], state.rounds[index]
    old, seat = was.seats.get(agent_id), now.seats.get(agent_id)
    if old is None or seat is None or old.human is not None or old.twin is None or seat.twin is None:
        return False  # somebody new, a vote of their own, or theirs to decide alone
    if seat.waits and not old.waits:
        return False  # it is theirs to decide now
    if any(each.delegate or each.former_delegates or each.handed_back for each in (old, seat)):
        return False
    if was.version == now.version:
        return True
    return now.version == was.version + 1 and agent_id in state.proposals[now.version - 1].same_for


class InRound(NamedTuple):
    """What the cards of a round have in common."""

    nth: int
    """Of the round, from 0."""
    shown: Round
    proposal: Proposal
    earlier: Proposal | None
    """The plan of the round before."""
    demand: str
    today: str
    thread: str
    most_rounds: int
    kinds: tuple[FeedbackType, ...]
    is_open: bool
    is_secret: bool
    follows: Follows
    clashes: tuple[ClashTold, ...]
    marks: tuple[Mark, ...]


def in_round(state: Negotiation, index: int, thread: str = "") -> InRound:
    """
    Args:
        index: of the round, from 0.
        thread: its address; empty where it is not known.
    """
    shown = state.rounds[index]
    proposal = state.proposals[shown.version - 1]
    is_open = state.current is shown
    return InRound(
        nth=index,
        shown=shown,
        proposal=proposal,
        earlier=state.proposals[state.rounds[index - 1].version - 1] if index else None,
        demand=state.demand_text,
        today=asked_on(state),
        thread=thread,
        most_rounds=state.most_rounds,
        kinds=state.kinds_of_vote,
        is_open=is_open,
        is_secret=state.is_secret(shown),
        follows=follows(state, shown),
        clashes=clashes_now(state) if is_open else (),
        marks=tuple(each for each in marks_of(state, proposal) if each.about in OWN),
    )


def card_content(state: Negotiation, common: InRound, seat: Seat) -> CardContent:
    shown, proposal, earlier = common.shown, common.proposal, common.earlier
    summary = proposal.adjustment_summary if earlier is not None and earlier is not proposal else None
    agent_id = seat.agent_id
    part = _part_of(state, proposal, agent_id, common.today)
    assert part is not None, "nobody is asked who has no seat"  # noqa: S101 - seats are made of a version's assignments
    return CardContent(
        stream=state.channel_id,
        demand=common.demand,
        requester_id=state.requester_id,
        channel=state.place.channel,
        most_rounds=common.most_rounds,
        number=shown.number,
        message=card_round(state, common.nth, agent_id).number,
        version=shown.version,
        digest=shown.digest,
        seat=seat,
        kinds=common.kinds,
        is_open=common.is_open,
        is_secret=common.is_secret,
        until=shown.window.until(seat),
        silence_is_consent=state.policy.silence == "accept",
        verdict=shown.tally.decision if shown.tally else None,
        follows=common.follows,
        was_stopped=state.status is Status.CANCELLED,
        part=part,
        before=_part_of(state, earlier, agent_id, common.today) if earlier else None,
        declined=tuple(each for each in summary.requests_declined if each.agent_id == agent_id) if summary else (),
        addressed=tuple(each for each in summary.requests_addressed if each.agent_id == agent_id) if summary else (),
        wished=datum_of(state, agent_id, ""),
        changed=tuple(each for each in summary.changes_made if each.agent_id == agent_id) if summary else (),
        clashes=tuple(each for each in common.clashes if each.agent_id == agent_id),
        marks=tuple(each for each in common.marks if each.agent_id == agent_id),
        cannot_then=cannot_then(state, proposal.version, agent_id),
        doubts=doubts_of(state, agent_id) if common.is_open else (),
        understood=understood_of(state, agent_id, shown),
        may_hand_back=_may_hand_back(state, common.nth, agent_id),
        thread=common.thread,
    )


def _may_hand_back(state: Negotiation, index: int, agent_id: str) -> bool:
    seats = [each.seats.get(agent_id) for each in state.rounds]
    own = [number for number, seat in enumerate(seats) if seat and seat.human and not seat.human.carried]
    return (
        bool(own)
        and own[-1] == index
        and state.is_open
        and agent_id not in state.withdrawn
        and twin_votes(state.volunteers, agent_id)
        and own_vote(state, agent_id) is not None
    )


# A card is drawn for every vote of anybody in the negotiation, and changes with few of them.
@lru_cache(maxsize=2_048)
def _post(content: CardContent, locale: str) -> Post:
    texts = texts_in(locale)
    return Post.from_card(
        content.key,
        _notification(content, texts),
        lambda fit: _card(content, texts, fit),
        stream=content.stream,
        texts=texts,
        restored=content.is_open,
        to=content.seat.user_id or "",
        until=content.decide_until,
        in_digest=True,
        is_urgent=content.is_open,
    )


def _notification(content: CardContent, texts: Texts) -> str:
    demand = Fit().line(content.demand, 120)
    if content.is_open and content.seat.human is None:
        return texts.say(
            "Your part in “{demand}” (round {round}): does it suit you?", demand=demand, round=content.number
        )
    return texts.say("Your part in “{demand}” (round {round})", demand=demand, round=content.number)


def _card(content: CardContent, texts: Texts, fit: Fit) -> list[Block]:
    conditions = condition_lines(content.part, Marks(content.marks), texts, fit)
    doubts = doubt_lines(content.doubts, texts, fit, content.part.today)
    limits = blocks.titled_list(texts.say("*Your limits: is this all right with you?*"), doubts)
    card = [
        blocks.header(plain_line(content.demand, LONGEST_TITLE) or "…"),
        blocks.context(origin_line(content, texts)),
        *blocks.titled_list(texts.say("*Your part*"), assignment_lines(content.part, texts, fit)),
        *blocks.titled_list(texts.say("*Taken twice*"), own_lines(content.clashes, texts)),
        *([blocks.context(_not_then(texts))] if content.cannot_then else []),
        *blocks.titled_list(texts.say("*What changed for you*"), _change_lines(content, texts, fit)),
        *blocks.titled_list(texts.say("*Your conditions*"), conditions),
        *blocks.titled_list(texts.say("*The plan*"), plan_lines(content.part, texts, fit)),
        *limits,
        blocks.divider(),
        blocks.section(_vote_line(content, texts, fit)),
        *([twin_feedback(content.seat.agent_id, texts, fit)] if _is_twins(content) else []),
        *understood_blocks(content.stream, content.seat.agent_id, content.understood, texts, fit),
    ]
    card.append(small_print(content, texts))
    if content.is_open:
        return [*card, row(own_buttons(content, texts), _more_buttons(content, texts))]
    return [*card, blocks.actions(_hand_back(content, texts))] if content.may_hand_back else card


def _is_twins(content: CardContent) -> bool:
    """Whether what the card shows as their answer is their twin's, as it stands or as it is prepared."""
    seat = content.seat
    is_twins = seat.prepared is not None if seat.vote is None else seat.vote.source is Source.AGENT
    return content.is_open and seat.human is None and is_twins


def origin_line(content: CardContent, texts: Texts) -> str:
    asked = texts.say("Asked by {who}", who=mention(content.requester_id) or "?")
    where = where_line(content.channel, content.thread, texts)
    count = texts.say(
        "Proposal {version} · round {round} of {most}",
        version=content.version,
        round=content.number,
        most=content.most_rounds,
    )
    return " · ".join(each for each in (asked, where, count) if each)


def own_wish(content: CardContent, request: str, texts: Texts, fit: Fit) -> str:
    """What they have asked for, in their words; what is data alone, in the reader's language."""
    if request or content.wished is None:
        return fit.line(request, 240)
    return fit.line(wanted_words(content.wished, texts), 240)


def _change_lines(content: CardContent, texts: Texts, fit: Fit) -> list[str]:
    sign = content.sign_of_wishes
    broken = next((each for each in content.marks if each.about == "request" and each.kind is MarkKind.BROKEN), None)
    lines = [
        texts.say("{sign} Your wish was taken up: {wish}", sign=sign, wish=own_wish(content, each.request, texts, fit))
        for each in content.addressed
        if broken is None
    ]
    data = both_data(broken, texts, "") if broken else ""
    left = [RequestDeclined(request=each.request) for each in content.addressed if broken]
    for refused in (*left, *content.declined):
        reason = fit.line(refused.reason, 300) or data or texts.say("no reason was given")
        wish = own_wish(content, refused.request, texts, fit)
        lines.append(texts.say("Your wish was not taken up: {wish} – {reason}", wish=wish, reason=reason))
    lines += changed_lines(content.before, content.part, texts, fit)
    return lines + [fit.line(each.reason, 240) for each in content.changed if each.reason]


def _vote_line(content: CardContent, texts: Texts, fit: Fit) -> str:
    vote = content.seat.vote
    if vote is None:
        if content.is_open and not content.seat.has_twin:
            return texts.say("⏳ It is yours to decide.")
        if content.is_open and content.seat.prepared is not None:
            return prepared_line(content.seat.prepared, texts, fit)
        if content.is_open and content.seat.spoken and not content.seat.twin_degraded:
            return texts.say("⏳ Your part has changed since you voted, so it is yours to decide again.")
        if content.is_open and content.seat.is_in_doubt:
            return texts.say(
                "⏳ Your twin does not accept for you here: a limit of yours may not be kept. Only you can."
            )
        if content.is_open and content.seat.is_unread:
            return texts.say("⏳ Your twin would accept. A second reader looks at your limits first.")
        if content.is_open and content.seat.twin_asked:
            return texts.say("⏳ Your twin is thinking.")
        if content.is_open:
            return texts.say("⏳ Your twin could not answer. It is yours to decide.")
        return texts.say("▫️ Nobody answered for you.")
    seat = content.seat
    said = vote_with_delegate(mention(seat.user_id), seat, vote, texts) if seat.stand_in else _said(vote, texts)
    reason = fit.line(vote.adjustment_request or vote.reasoning, 300)
    return f"{said} – {reason}" if reason else said


def _said(vote: ProposalFeedback, texts: Texts) -> str:
    if vote.source is Source.ASSUMED:
        return texts.say("☑️ You did not object in time. That counts as a yes, but confirms nothing")
    look = LOOKS[vote.feedback_type]
    return look.your_twins(texts) if vote.source is Source.AGENT else look.yours(texts)


def small_print(content: CardContent, texts: Texts, *, for_another: bool = False) -> Block:
    """Say until when the round is open, what silence does, who sees the vote and who else decides; of a round that is
    over, what follows. ``for_another``: to the delegate of whoever it is about.
    """
    if not content.is_open:
        return blocks.context(_closing(content, texts))
    until = _until_for_delegate(content, texts) if for_another else _until(content, texts)
    lines = (until, _secrecy(content, texts), "" if for_another else _delegate(content, texts))
    return blocks.context("\n".join(each for each in lines if each))


def silence_is_no_yes(until: Millis, texts: Texts) -> str:
    moment = until_time(until, texts)
    return texts.say("Open until {moment}. If you say nothing, nobody takes it for a yes.", moment=moment)


def _until(content: CardContent, texts: Texts) -> str:
    until = until_time(content.until, texts)
    if content.seat.human is not None:
        # Nobody waits for them any more, so the round may end sooner than their own time.
        return texts.say("You can change your mind as long as the round is open.")
    if content.seat.waits:
        return silence_is_no_yes(content.until, texts)
    if content.seat.twin is not None:
        return texts.say("Your twin’s vote stands unless you decide otherwise by {moment}.", moment=until)
    if content.silence_is_consent:
        return texts.say("Open until {moment}. If you say nothing, that counts as no objection.", moment=until)
    return silence_is_no_yes(content.until, texts)


def _until_for_delegate(content: CardContent, texts: Texts) -> str:
    if content.seat.human is not None:
        return texts.say("You can change your mind as long as the round is open.")
    until = until_time(content.until, texts)
    if content.seat.twin is not None and not content.seat.waits:
        return texts.say("The twin’s vote stands unless one of you decides otherwise by {moment}.", moment=until)
    return texts.say("Open until {moment}.", moment=until)


def own_buttons(content: CardContent, texts: Texts) -> tuple[Block, ...]:
    """The buttons with which people vote: what a twin has prepared comes first, until somebody has voted."""
    is_prepared = content.seat.prepared is not None and content.seat.human is None
    first = (prepared_button(content.vote_button, texts),) if is_prepared else ()
    return (*first, *vote_buttons(content.vote_button, content.kinds, texts, is_plain=is_prepared))


def _secrecy(content: CardContent, texts: Texts) -> str:
    if not content.is_secret:
        return ""
    return texts.say("Until this round is over, the others see only that there is a vote, not what it is.")


def _delegate(content: CardContent, texts: Texts) -> str:
    if lost := mention(content.seat.lost_delegate):
        return texts.say("{delegate} cannot decide for you any more: the account was closed.", delegate=lost)
    delegate = mention(content.seat.delegate)
    if not delegate:
        return ""
    return texts.say("{delegate} may decide for you as well; whoever of you votes last counts.", delegate=delegate)


def _closing(content: CardContent, texts: Texts) -> str:
    match content.verdict:
        case None if content.was_stopped:
            return texts.say("Stopped before this round was over.")
        case None:
            return texts.say("This round was not finished.")
        case Verdict.FINALIZE:
            return texts.say("That is enough: the plan stands.")
        case Verdict.FORCE_FINALIZE if content.number < content.most_rounds:
            return texts.say("The plan goes ahead with those who agreed.")
        case Verdict.FORCE_FINALIZE:
            return texts.say("That was the last round: the plan goes ahead with those who agreed.")
        case Verdict.FAIL:
            return texts.say("This is where it ended, without agreement.")
        case Verdict.NEXT_ROUND | Verdict.SUBSTITUTE:
            said = follows_text(content.follows, texts)
            return said or texts.say("This round is over; the next one follows.")


def _more_buttons(content: CardContent, texts: Texts) -> tuple[Block, ...]:
    value = SeatButton(stream=content.stream, agent_id=content.seat.agent_id).value()
    buttons = (
        *_away(content, texts),
        action_button(DELEGATE, content.stream, texts, agent_id=content.seat.agent_id),
        blocks.button(texts.say("Why was I asked?"), WHY, value),
    )
    if not content.may_hand_back:
        return buttons
    tell = blocks.button(texts.say("From now on…"), TELL, Twin(agent_id=content.seat.agent_id).value())
    return (_hand_back(content, texts), tell, *buttons)


def _away(content: CardContent, texts: Texts) -> tuple[Block, ...]:
    """Whoever has no twin has nothing that could keep on which days they cannot."""
    if not content.seat.has_twin:
        return ()
    return (cannot_button(CannotButton.on(content.part.when, content.vote_button), texts),)


def _hand_back(content: CardContent, texts: Texts) -> Block:
    sure = blocks.confirm(
        texts.say("Let your twin prepare your vote again?")
        if content.seat.prepares
        else texts.say("Let your twin vote again?"),
        texts.say("Your own vote no longer counts in this and later rounds. You can vote again at any time."),
        yes=texts.say("Hand back"),
        no=texts.say("Keep deciding myself"),
    )
    return action_button(HAND_BACK, content.stream, texts, look={"confirm": sure}, agent_id=content.seat.agent_id)


def reports(state: Negotiation, deliveries: Mapping[str, Delivery], at: Millis) -> list[RecordDelivery]:
    """Commands about the open round, or before it about own offers; the same facts make the same commands."""
    opened = state.current
    if opened is None:
        return [*_about_offers(state, deliveries, at)]
    found = []
    for seat in opened.seats.values():
        if seat.user_id is None:
            continue
        message = card_round(state, len(state.rounds) - 1, seat.agent_id).number
        delivery = deliveries.get(participant_card_key(message, seat.agent_id))
        if delivery is None:
            continue
        if _has_reached(seat, delivery) or _has_failed(seat, delivery):
            found.append((seat.agent_id, delivery))
    return [
        RecordDelivery(
            command_id=f"reach:{opened.number}:{agent_id}:{delivery.ts or delivery.refusal}",
            at=at,
            agent_id=agent_id,
            round=opened.number,
            reached=bool(delivery.ts),
            gone=delivery.is_gone and not delivery.ts,
        )
        for agent_id, delivery in found
    ]


def _about_offers(state: Negotiation, deliveries: Mapping[str, Delivery], at: Millis) -> Iterator[RecordDelivery]:
    """Report those who cannot be told that their own offer is waited for."""
    for agent_id in state.asked_in_person:
        delivery = deliveries.get(own_offer_key(state, agent_id))
        if delivery and delivery.refusal and not delivery.ts and is_awaited(state, agent_id):
            yield RecordDelivery(
                command_id=f"reach:0:{agent_id}:{state.discarded}:{delivery.refusal}",
                at=at,
                agent_id=agent_id,
                round=0,
                reached=False,
                gone=delivery.is_gone,
            )


def _has_reached(seat: Seat, delivery: Delivery) -> bool:
    return bool(delivery.ts) and seat.human is None and not seat.reached and seat.decides_alone


def _has_failed(seat: Seat, delivery: Delivery) -> bool:
    is_known = seat.gone or (seat.unreachable and not delivery.is_gone)
    return bool(delivery.refusal) and not delivery.ts and not is_known


def _not_then(texts: Texts) -> str:
    return texts.say("✗ You cannot then, by the days and hours that you have said.")
