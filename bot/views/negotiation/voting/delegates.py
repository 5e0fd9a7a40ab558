"""Direct messages to a delegate: the part they may decide about, a reminder, how it ended.

They say the same as the messages to the person who named the delegate, but about that person.

The message for whoever asked with what twins that are linked to nobody have prepared, which they may give.
"""

from collections.abc import Iterator
from functools import lru_cache, partial

from bot.texts import Texts, texts_in
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import Fit, mention, plain_line, until_time
from bot.views.kit.post import Post
from bot.views.kit.presenter import Readers
from bot.views.negotiation.afterwards import ending_key
from bot.views.negotiation.agreement.outcome import proceeding_lines
from bot.views.negotiation.button_values import WHY, SeatButton, VoteButton
from bot.views.negotiation.direct_messages import (
    assignment_text,
    ending_title,
    needed_lines,
    no_plan_lines,
    parent_plan,
)
from bot.views.negotiation.names import bold_name, demand_line, direct_message, thread_link
from bot.views.negotiation.plan.marks import Marks
from bot.views.negotiation.voting.participant_card import (
    LONGEST_TITLE,
    CardContent,
    assignment_lines,
    card_content,
    changed_lines,
    condition_lines,
    decidable_seats,
    in_round,
    origin_line,
    own_buttons,
    own_wish,
    participant_card_key,
    plan_lines,
    silence_is_no_yes,
    small_print,
)
from bot.views.negotiation.voting.votes import LOOKS, buttons_of, missing_vote_text, prepared_line, vote_with_delegate
from engine.negotiation.state import Negotiation, Round, Seat


def delegates_of(state: Negotiation) -> set[str]:
    """Everybody who decides, or did decide, for somebody else."""
    seats = [seat for each in state.rounds for seat in each.seats.values()]
    everybody = {
        *state.delegates.values(),
        *(user for seat in seats for user in (seat.delegate, *seat.former_delegates)),
    }
    return everybody - {""}


def delegate_cards(state: Negotiation, index: int, readers: Readers) -> Iterator[Post]:
    """A card for each delegate of a seat, once there is something to decide; former delegates keep theirs.

    Args:
        index: of the round, from 0.
    """
    if not any(each.delegate or each.former_delegates for each in state.rounds[index].seats.values()):
        return
    common = in_round(state, index)
    for seat in decidable_seats(state, index):
        users = [each for each in (*seat.former_delegates, seat.delegate) if each]
        if users:
            content = card_content(state, common, seat)
            for user in users:
                key = f"{content.key}/{user}"
                yield _post(content, key, user, readers.language(user, key))


def reminders(state: Negotiation, number: int, readers: Readers) -> Iterator[Post]:
    """A reminder at half time for each delegate. ``number`` counts rounds from 0."""
    shown = state.rounds[number]
    for agent_id, user in shown.reminded.items():
        seat = shown.seats[agent_id]
        if seat.twin_asked or user == seat.user_id:
            continue  # there is no part yet to be reminded of; or it is not for them
        key = f"reminder-{shown.number}/{agent_id}/{user}"
        texts = readers.texts(user, key)
        text = texts.say(
            "⏳ Half of the time for “{demand}” is over, and nobody has decided for {who} yet. You may until {moment}; "
            "see above.",
            demand=demand_line(state, Fit()),
            who=_seat_owner(seat, Fit()),
            moment=until_time(shown.window.people_until, texts),
        )
        is_late = state.current is not shown or seat.human is not None or seat.delegate != user
        yield direct_message(
            state,
            key,
            user,
            text,
            texts,
            is_late=is_late,
            thread=readers.address(""),
            until=shown.window.people_until,
            reminds=(f"{participant_card_key(shown.number, agent_id)}/{user}", shown.window.half_time(state.policy)),
            in_digest=True,
        )


def votes_for_others(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """A message to whoever was voted for, once: it is kept up to date, and how it ended says the same by itself."""
    told: dict[str, tuple[Round, Seat]] = {}
    for each in state.rounds:
        for agent_id, seat in each.seats.items():
            if seat.stand_in and not (seat.human and seat.human.carried):
                told[agent_id] = (each, seat)
    for agent_id, (voted, seat) in told.items():
        user, key = seat.user_id or "", f"voted-for/{agent_id}"
        texts = readers.texts(user, key)
        assert seat.human is not None  # noqa: S101 - a delegate has voted
        text = texts.say(
            "🤝 {delegate} has voted for you in “{demand}”, in round {round}: {what}.",
            delegate=mention(seat.stand_in),
            demand=demand_line(state, Fit()),
            round=voted.number,
            what=LOOKS[seat.human.feedback_type].alone(texts),
        )
        if state.current is voted:
            until = until_time(voted.window.people_until, texts)
            text += " " + texts.say("You may decide otherwise until {moment}; see above.", moment=until)
        yield direct_message(
            state,
            key,
            user,
            text,
            texts,
            thread=readers.address(""),
            is_late=not state.is_open,
            until=voted.window.people_until if state.current is voted else 0,
        )


def endings(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """How it ended, for each delegate of the last round."""
    if state.is_open or not state.rounds:
        return
    for seat in state.rounds[-1].seats.values():
        user = seat.delegate
        if user and state.delegates.get(seat.agent_id) == user and seat.agent_id not in state.withdrawn:
            key = ending_key(state, f"ending/{seat.agent_id}/{user}")
            texts = readers.texts(user, key)
            card = partial(_ending, state, seat, texts, readers.address(""))
            yield direct_message(state, key, user, ending_title(state, texts), texts, card)


def _seat_owner(seat: Seat, fit: Fit) -> str:
    return mention(seat.user_id) or bold_name(seat.display_name, seat.agent_id, fit)


# A card is drawn for every vote of anybody in the negotiation, and changes with few of them.
@lru_cache(maxsize=2_048)
def _post(content: CardContent, key: str, user: str, locale: str) -> Post:
    texts = texts_in(locale)
    is_over = user != content.seat.delegate
    draw = _taken_back if is_over else _card
    return Post.from_card(
        key,
        _notification(content, texts),
        lambda fit: draw(content, texts, fit),
        stream=content.stream,
        texts=texts,
        restored=content.is_open and not is_over,
        to=user,
        is_late=is_over,
        until=0 if is_over else content.decide_until,
        in_digest=True,
    )


def _notification(content: CardContent, texts: Texts) -> str:
    who, title = _seat_owner(content.seat, Fit()), Fit().line(content.demand, 120)
    return texts.say(
        "You may decide for {who} in “{demand}” (round {round})", who=who, demand=title, round=content.number
    )


def _card(content: CardContent, texts: Texts, fit: Fit) -> list[Block]:
    seat = content.seat
    who = _seat_owner(seat, fit)
    card = [
        *_head(content, texts),
        blocks.section(texts.say("🤝 {who} lets you decide for them here; whoever of you votes last counts.", who=who)),
        *blocks.titled_list(texts.say("*The part*"), assignment_lines(content.part, texts, fit, for_another=True)),
        *blocks.titled_list(texts.say("*What changed*"), _news(content, texts, fit)),
        *blocks.titled_list(texts.say("*Conditions*"), condition_lines(content.part, Marks(content.marks), texts, fit)),
        *blocks.titled_list(texts.say("*The plan*"), plan_lines(content.part, texts, fit)),
        blocks.divider(),
        blocks.section(_vote(content, who, texts, fit)),
    ]
    card.append(small_print(content, texts, for_another=True))
    if not content.is_open:
        return card
    why = SeatButton(stream=content.stream, agent_id=seat.agent_id).value()
    return [
        *card,
        blocks.actions(
            *own_buttons(content, texts),
            blocks.button(texts.say("Why were they asked?"), WHY, why),
        ),
    ]


def _taken_back(content: CardContent, texts: Texts, fit: Fit) -> list[Block]:
    who = _seat_owner(content.seat, fit)
    if content.seat.closed:
        text = texts.say("▫️ {who} has no account here any more; nothing is expected of you here.", who=who)
        return [*_head(content, texts), blocks.section(text)]
    text = texts.say("🤝 {who} decides without you again; nothing is expected of you here any more.", who=who)
    return [*_head(content, texts), blocks.section(text)]


def _head(content: CardContent, texts: Texts) -> list[Block]:
    return [
        blocks.header(plain_line(content.demand, LONGEST_TITLE) or "…"),
        blocks.context(origin_line(content, texts)),
    ]


def _news(content: CardContent, texts: Texts, fit: Fit) -> list[str]:
    sign = content.sign_of_wishes
    lines = [
        texts.say("{sign} Their wish was taken up: {wish}", sign=sign, wish=own_wish(content, each.request, texts, fit))
        for each in content.addressed
    ]
    for refused in content.declined:
        reason = fit.line(refused.reason, 300) or texts.say("no reason was given")
        wish = own_wish(content, refused.request, texts, fit)
        lines.append(texts.say("Their wish was not taken up: {wish} – {reason}", wish=wish, reason=reason))
    return [*lines, *changed_lines(content.before, content.part, texts, fit)]


def _vote(content: CardContent, who: str, texts: Texts, fit: Fit) -> str:
    vote = content.seat.vote
    if vote is None and content.is_open and content.seat.prepared is not None:
        return prepared_line(content.seat.prepared, texts, fit, who)
    if vote is None:
        return missing_vote_text(who, content.seat, texts, is_open=content.is_open)
    said = vote_with_delegate(who, content.seat, vote, texts)
    reason = fit.line(vote.adjustment_request or vote.reasoning, 300)
    return f"{said} – {reason}" if reason else said


def _ending(state: Negotiation, seat: Seat, texts: Texts, thread: str, fit: Fit) -> list[Block]:
    lines = [f"*{ending_title(state, texts).replace('*', '')}*", *_for_them(state, seat, texts, fit)]
    return [blocks.section("\n".join(lines)), *thread_link(state, texts, thread)]


def _for_them(state: Negotiation, seat: Seat, texts: Texts, fit: Fit) -> list[str]:
    if state.final is None:
        return no_plan_lines(state, texts)
    who = _seat_owner(seat, fit)
    assignment = next((each for each in state.final.final_proposal.assignments if each.agent_id == seat.agent_id), None)
    if assignment is None or state.released:
        return [texts.say("The plan is made without {who}.", who=who)]
    confirmed = seat.agent_id in state.final.confirmed_participants
    return [
        texts.say("{who} is confirmed. Their part:", who=who)
        if confirmed
        else texts.say("{who} has not confirmed their part yet:", who=who),
        assignment_text(assignment, fit),
        *needed_lines(state, assignment.agent_id, texts, fit),
        *parent_plan(state, texts, fit),
        *proceeding_lines(state, texts, fit),
    ]


def for_requester(state: Negotiation, number: int, readers: Readers) -> Iterator[Post]:
    """One for each round in which there is any. ``number`` counts rounds from 0."""
    shown = state.rounds[number]
    seats = [each for each in shown.seats.values() if each.prepared is not None and not each.user_id]
    if not seats:
        return
    key = f"prepared-{shown.number}"
    texts = readers.texts(state.requester_id, key)
    title = texts.say("“{demand}”: votes are prepared for you to give", demand=demand_line(state, Fit()))
    awaited = [each for each in seats if state.current is shown and each.human is None]
    card = partial(_card_for_requester, state, shown, seats, title, texts, readers.address(""))
    yield direct_message(
        state,
        key,
        state.requester_id,
        title,
        texts,
        card,
        restored=any(state.requester_id in state.voters_for(each.agent_id) for each in awaited),
        is_late=not awaited,
        until=max(map(shown.window.until, awaited), default=0),
    )


def _card_for_requester(
    state: Negotiation, shown: Round, seats: list[Seat], title: str, texts: Texts, thread: str, fit: Fit
) -> list[Block]:
    card = [blocks.section(f"*{title.replace('*', '')}*")]
    for seat in seats:
        card += _seat(state, shown, seat, texts, fit)
    if state.current is shown:
        card.append(blocks.context(silence_is_no_yes(max(map(shown.window.until, seats)), texts)))
    return [*card, *thread_link(state, texts, thread)]


def _seat(state: Negotiation, shown: Round, seat: Seat, texts: Texts, fit: Fit) -> list[Block]:
    who = bold_name(seat.display_name, seat.agent_id, fit)
    if seat.human is not None:
        return [blocks.section(LOOKS[seat.human.feedback_type].theirs(texts, who))]
    if state.current is not shown:
        return [blocks.section(texts.say("▫️ {who} gave no answer", who=who))]
    if seat.prepared is None or state.requester_id not in state.voters_for(seat.agent_id):
        return [blocks.section(texts.say("⏳ {who}: waits for an admin, or whoever loaded the profile", who=who))]
    button = VoteButton(stream=state.channel_id, round=shown.number, digest=shown.digest, agent_id=seat.agent_id)
    return [
        blocks.section(prepared_line(seat.prepared, texts, fit, who)),
        blocks.actions(*buttons_of(state, seat, button, texts)),
    ]
