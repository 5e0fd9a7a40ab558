"""Direct messages that a person gets once: a reminder, how it ended, or that it goes on without them.

Direct messages for those who want to hear of each step: how a round went that did not settle it.
"""

from collections.abc import Iterator

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Card
from bot.views.kit.menu import row
from bot.views.kit.mrkdwn import Fit, mention, until_time
from bot.views.kit.post import Post
from bot.views.kit.presenter import Readers
from bot.views.kit.story.buttons import open_page
from bot.views.negotiation import afterwards
from bot.views.negotiation.afterwards import ending_key, give_up_button, goes_on_line, key_after
from bot.views.negotiation.agreement.failure_reasons import as_sentence, failure_reason
from bot.views.negotiation.agreement.outcome import may_be_announced, proceeding_lines
from bot.views.negotiation.names import SOON, demand_line, direct_message, start_text, thread_link
from bot.views.negotiation.plan import marks
from bot.views.negotiation.voting.participant_card import card_round, own_part, participant_card_key, when_and_where
from bot.views.negotiation.voting.rounds import follows_text
from bot.views.negotiation.voting.votes import agreed_by_rules, tally_line
from engine.facts.circumstances import When
from engine.negotiation.afterwards.commitments import commitments
from engine.negotiation.answers import Assignment
from engine.negotiation.events import ForceFinalized, OfferSubmitted, ProposalFinalized
from engine.negotiation.plan.told_needs import decisive_round, lacking
from engine.negotiation.state import Negotiation, Round, Seat, Status
from engine.negotiation.terms import Verdict
from engine.negotiation.voting.between_rounds import follows


def reminders(state: Negotiation, number: int, readers: Readers) -> Iterator[Post]:
    """A reminder at half time for each person who had not decided. ``number`` counts rounds from 0."""
    shown = state.rounds[number]
    for agent_id, user_id in shown.reminded.items():
        seat = shown.seats[agent_id]
        if card_round(state, number, agent_id) is not shown or _was_reminded(state, number, agent_id):
            continue  # nobody is reminded twice
        if seat.twin_asked or not seat.user_id or user_id != seat.user_id:
            continue  # there is no part yet to be reminded of, and what stands is not known; or it is not for them
        key = f"reminder-{shown.number}/{agent_id}"
        texts = readers.texts(seat.user_id, key)
        is_late = state.current is not shown or seat.human is not None
        until = until_time(shown.window.people_until, texts)
        text = texts.say(
            "⏳ Half of the time for “{demand}” is over. {stands}",
            demand=demand_line(state, Fit()),
            stands=_what_stands(seat, until, texts),
        )
        yield direct_message(
            state,
            key,
            seat.user_id,
            text,
            texts,
            thread=readers.address(""),
            is_late=is_late,
            until=shown.window.people_until,
            reminds=(participant_card_key(shown.number, agent_id), shown.window.half_time(state.policy)),
            is_step=_is_asked_again(state, shown, seat) or _was_told_twice(state, seat),
            in_digest=True,
        )


def _is_asked_again(state: Negotiation, shown: Round, seat: Seat) -> bool:
    """Whether they are about to get a message anyway: their twin asks for a change, and there is a round to come."""
    asks_for_change = seat.twin is not None and seat.twin.feedback_type.kind.objects
    return asks_for_change and shown.number < state.policy.max_rounds


def _was_told_twice(state: Negotiation, seat: Seat) -> bool:
    """Whether a message told them of their twin's offer before one told them of its vote; that is often enough."""
    return state.policy.first_window > SOON and seat.twin is not None


def _was_reminded(state: Negotiation, number: int, agent_id: str) -> bool:
    return any(agent_id in each.reminded for each in state.rounds[:number])


def endings(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """How it ended, for everybody of the last round who had not left."""
    yield from _stops_taken_back(state, readers)
    if state.is_open or not state.rounds:
        return
    for seat in state.rounds[-1].seats.values():
        if seat.agent_id in state.withdrawn or not seat.user_id:
            continue  # their card says so, and they are asked nothing more; or there is nobody
        key = ending_key(state, f"ending/{seat.agent_id}")
        texts = readers.texts(seat.user_id, key)
        yield direct_message(
            state,
            key,
            seat.user_id,
            ending_title(state, texts),
            texts,
            _ending(state, seat.agent_id, texts, readers.address("")),
        )
    if state.proceeded or state.reversals.proceeding:
        yield from _news_for_those_found(state, readers)
    yield from _for_whoever_asked(state, readers)


def _for_whoever_asked(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """How it ended, for whoever asked in a channel and has no part in it: the one message that they get unasked.

    What was stopped they have stopped themselves, and who has taken the plan up has read that there is one.
    """
    asker = state.requester_id
    has_part = any(each.user_id == asker for each in state.rounds[-1].seats.values())
    if not asker or has_part or state.parent or state.status is Status.CANCELLED or not may_be_announced(state):
        return
    key = ending_key(state, "ending-asked")
    texts = readers.texts(asker, key)
    why = as_sentence(failure_reason(state, texts), texts) if state.final is None else ""
    text = "\n".join(filter(None, (ending_title(state, texts), why)))
    is_late = bool(state.proceeded or state.reopened)
    yield direct_message(state, key, asker, text, texts, thread=readers.address(""), is_late=is_late)


def _stops_taken_back(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """What became of each message that told them it was stopped."""
    seats = state.rounds[-1].seats.values() if state.rounds else ()
    for number, back in enumerate(state.reversals.stops):
        for seat in seats:
            if seat.user_id:
                key = key_after(number, f"ending/{seat.agent_id}")
                texts = readers.texts(seat.user_id, key)
                text, thread = goes_on_line(back, texts), readers.address("")
                yield direct_message(state, key, seat.user_id, text, texts, thread=thread, is_late=True)


def _news_for_those_found(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """They have heard from their own subnet that they are in the plan; now, that it is carried out."""
    for person in state.joined.values():
        if not person.user_id:
            continue
        key = ending_key(state, f"ending/{person.agent_id}")
        texts = readers.texts(person.user_id, key)
        card = _ending(state, person.agent_id, texts, readers.address(""))
        yield direct_message(state, key, person.user_id, ending_title(state, texts), texts, card)


def thanks(state: Negotiation, readers: Readers) -> Iterator[Post]:
    """Thanks to everybody who offered to take part and has no seat in the plan."""
    if not state.proposals:
        return
    seated = {each.agent_id for each in state.proposals[0].assignments}
    for offer in state.participants:
        user_id = state.invited[offer.agent_id].user_id
        if user_id and offer.agent_id not in seated and not _stepped_in(state, offer):
            key = f"thanks/{offer.agent_id}"
            texts = readers.texts(user_id, key)
            text = texts.say(
                "Thank you for offering to help with “{demand}”. This time the plan works out without you, so nothing "
                "is expected of you. Should a place become free, you may be asked again.",
                demand=demand_line(state, Fit()),
            )
            yield direct_message(state, key, user_id, text, texts, thread=readers.address(""))


def _what_stands(seat: Seat, until: str, texts: Texts) -> str:
    if seat.twin is not None:
        return texts.say("Your twin’s vote stands unless you decide otherwise by {moment}; see above.", moment=until)
    if seat.prepared is not None:
        return texts.say("Your twin has prepared a vote, and it is yours to give by {moment}; see above.", moment=until)
    if not seat.has_twin:
        return texts.say("It is yours to decide by {moment}; see above.", moment=until)
    if seat.spoken and not seat.twin_degraded:
        return texts.say(
            "Your part has changed since you voted, so it is yours to decide by {moment}; see above.", moment=until
        )
    return texts.say("Your twin could not answer, so it is yours to decide by {moment}; see above.", moment=until)


def ending_title(state: Negotiation, texts: Texts) -> str:
    title = demand_line(state, Fit())
    if state.released:
        return texts.say("“{demand}” is not needed any more", demand=title)
    match state.status:
        case Status.FINALIZED | Status.FORCE_FINALIZED if lacking(state):
            missing = marks.lacks(state, texts, lambda each: Fit().line(each, 80))
            if agreed_by_rules(state):
                return texts.say("📝 “{demand}”: a draft, still without: {what}", demand=title, what=missing)
            return texts.say("🤝 “{demand}”: a plan, still without: {what}", demand=title, what=missing)
        case Status.FINALIZED | Status.FORCE_FINALIZED if agreed_by_rules(state):
            return texts.say("📝 “{demand}”: a draft by simple rules", demand=title)
        case Status.FINALIZED:
            return texts.say("✅ “{demand}”: we have a plan", demand=title)
        case Status.FORCE_FINALIZED:
            return texts.say("🤝 “{demand}”: a plan, with partial agreement", demand=title)
        case Status.CANCELLED:
            return texts.say("“{demand}” was stopped", demand=title)
        case _:
            return texts.say("“{demand}”: no agreement this time", demand=title)


def _ending(state: Negotiation, agent_id: str, texts: Texts, thread: str) -> Card:
    def card(fit: Fit) -> list[Block]:
        lines = [f"*{ending_title(state, texts).replace('*', '')}*", *_for_you(state, agent_id, texts, fit)]
        kept = any(each.agent_id == agent_id for each in commitments(state))
        gives_up = [give_up_button(state.channel_id, agent_id, texts)] if kept else []
        actions = row([], [*gives_up, open_page(state.channel_id, texts)])
        return [blocks.section("\n".join(lines)), *thread_link(state, texts, thread), actions]

    return card


def _for_you(state: Negotiation, agent_id: str, texts: Texts, fit: Fit) -> list[str]:
    if state.final is None:
        return no_plan_lines(state, texts)
    mine = next((each for each in state.final.final_proposal.assignments if each.agent_id == agent_id), None)
    if agent_id in state.given_up:
        return [texts.say("You said that you cannot any more, so it goes ahead without you.")]
    if mine is None or state.released:
        return [texts.say("It goes ahead without you; nothing is expected of you.")]
    return [
        _standing(state, state.final, agent_id, texts),
        assignment_text(mine, fit),
        *needed_lines(state, mine.agent_id, texts, fit),
        *parent_plan(state, texts, fit),
        *proceeding_lines(state, texts, fit),
    ]


def _standing(state: Negotiation, final: ProposalFinalized | ForceFinalized, agent_id: str, texts: Texts) -> str:
    if agent_id in agreed_by_rules(state):
        return texts.say("Your twin would, by simple rules; you were not asked yourself. Your part:")
    if agent_id in final.confirmed_participants:
        if delegate := mention(_stand_in(state, agent_id)):
            return texts.say("{delegate} has confirmed your part for you:", delegate=delegate)
        return texts.say("You are confirmed. Your part:")
    return texts.say("You have not confirmed your part yet:")


def _stand_in(state: Negotiation, agent_id: str) -> str:
    """Return who has voted in their place for the plan that stands; empty where nobody has."""
    decisive = decisive_round(state)
    seat = decisive.seats.get(agent_id) if decisive else None
    return seat.stand_in if seat else ""


def no_plan_lines(state: Negotiation, texts: Texts) -> list[str]:
    """Why there is no plan, for a person who could decide about it."""
    if state.status is Status.CANCELLED:
        return [texts.say("Nothing was agreed, and nothing is expected of you.")]
    why = failure_reason(state, texts)
    return [
        texts.say("The reason: {why}. Nothing is expected of you.", why=why),
        *afterwards.participants_notice(state, texts),
    ]


def parent_plan(state: Negotiation, texts: Texts, fit: Fit) -> list[str]:
    """For a subnet: the plan that it belongs to."""
    if state.parent is None:
        return []
    return [texts.say("It belongs to the plan of “{demand}”.", demand=fit.line(state.parent.demand, 160))]


def assignment_text(mine: Assignment, fit: Fit) -> str:
    parts = (fit.line(mine.role, 80), fit.text(mine.responsibility, 1_000))
    return "\n".join(each for each in parts if each) or "…"


def needed_lines(state: Negotiation, agent_id: str, texts: Texts, fit: Fit) -> list[str]:
    """When and where somebody of the agreed plan is needed, or when it starts where no day is known."""
    part = own_part(state, state.final.final_proposal, agent_id) if state.final else None
    if part is None:
        return []
    start = start_text(part.start_date, texts, fit, part.today) if part.when == When() else ""
    begins = [texts.say("• {date}: start", date=start)] if start else []
    return [*begins, *when_and_where(part, texts, fit)]


def _stepped_in(state: Negotiation, offer: OfferSubmitted) -> bool:
    return any(each.agent_id == offer.agent_id for each in state.vacancies.values())


def steps(state: Negotiation, number: int, readers: Readers) -> Iterator[Post]:
    """A message for each person and delegate of a round that is over; none about the end, which everybody is told.

    It is too late for it once the next round has begun: then there is their part in that to read.

    Args:
        number: of the round, from 0.
    """
    shown = state.rounds[number]
    if shown.tally is None or shown.tally.decision not in (Verdict.NEXT_ROUND, Verdict.SUBSTITUTE):
        return
    is_late = not state.is_open or state.rounds[-1] is not shown
    for seat in shown.seats.values():
        for user in _readers(seat):
            key = f"step-{shown.number}/{seat.agent_id}/{user}"
            yield _step(state, shown, key, user, readers, is_late=is_late)


def _readers(seat: Seat) -> tuple[str, ...]:
    people = (seat.user_id, seat.delegate)
    return tuple(dict.fromkeys(each for each in people if each)) if not seat.gone else ()


def _step(state: Negotiation, shown: Round, key: str, user: str, readers: Readers, *, is_late: bool) -> Post:
    texts = readers.texts(user, key)
    over = texts.say("“{demand}”: round {round} is over", demand=demand_line(state, Fit()), round=shown.number)

    def card(_: Fit) -> list[Block]:
        text = "\n".join((over, tally_line(state, shown, texts, is_open=False), _next(state, shown, texts)))
        return [blocks.section(text), *thread_link(state, texts, readers.address(""))]

    return Post.from_card(
        key,
        over,
        card,
        stream=state.channel_id,
        texts=texts,
        to=user,
        is_late=is_late,
        is_step=True,
        in_digest=True,
    )


def _next(state: Negotiation, shown: Round, texts: Texts) -> str:
    return follows_text(follows(state, shown), texts) or texts.say("The next version follows.")
