"""What people are asked about tickets: what they think of a proposal, and whether they take a colleague's ticket."""

from collections.abc import Iterator, Mapping

from bot.texts import Texts
from bot.views.delivery.button_values import AGREE, DECLINE, SUGGEST, TAKE, OwnTicketButton
from bot.views.delivery.owners_news import ended, news
from bot.views.delivery.owners_words import ticket_name, until_text, why_text
from bot.views.delivery.ticket_card import card_key, ticket_card
from bot.views.delivery.ticket_status import is_going_on
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import Fit, bold, mention, until_time
from bot.views.kit.post import Post
from bot.views.kit.presenter import Delivery as Delivered
from bot.views.kit.presenter import KnownLanguage, Readers
from engine.delivery.commands import CheckerUnreachable, OwnerUnreachable
from engine.delivery.events import ProposalAnswered, ProposalMade
from engine.delivery.outstanding import is_persons_to_discuss
from engine.delivery.state import Delivery, HandOver, Ticket
from engine.delivery.terms import SCHEDULER, PersonNeed
from engine.delivery.tickets.owners import checker_of
from engine.kernel import Command, Millis


def proposals(state: Delivery, ticket: Ticket, readers: Readers) -> Iterator[Post]:
    """Each proposal that its owner was asked about; those that somebody else was asked about stay as they were."""
    answers = {each.number: each for each in ticket.proposal_answers}
    for made in ticket.proposals:
        answer = answers.get(made.number)
        user = answer.by if answer is not None and answer.by in ticket.holders else ticket.owner.user_id
        if not user or not ticket.is_a_persons:
            continue
        key = proposal_key(ticket, made.number, user)
        yield _proposal(state, ticket, made, answer, key, user, readers.texts(user, key))


def proposal_key(ticket: Ticket, number: int, user: str) -> str:
    return f"proposal-{ticket.ticket_id}-{number}/{user}"


def _proposal(
    state: Delivery,
    ticket: Ticket,
    made: ProposalMade,
    answer: ProposalAnswered | None,
    key: str,
    user: str,
    texts: Texts,
) -> Post:
    is_open = answer is None and is_persons_to_discuss(ticket) and is_going_on(state)

    def card(fit: Fit) -> list[Block]:
        told = texts.say(
            "💬 How shall {ticket} be done? It has risks, so the Manager asks you first.",
            ticket=ticket_name(ticket, fit),
        )
        drawn = [blocks.section(told), *proposed(made, texts, fit)]
        drawn.append(blocks.context(why_text(state, texts, fit)))
        if is_open:
            if ticket.need is None:
                drawn.append(blocks.context(_until(ticket, texts)))
            drawn.append(blocks.actions(*proposal_buttons(state, ticket, made.number, texts)))
        else:
            drawn.append(blocks.section(_what_was_said(ticket, answer, texts, fit)))
        return drawn

    return Post.from_card(
        key,
        texts.say("How shall {ticket} be done?", ticket=ticket_name(ticket, Fit())),
        card,
        stream=state.session_id,
        texts=texts,
        to=user,
        restored=is_open,
        is_late=not is_open,
        until=ticket.discussed_until if is_open and ticket.need is None else 0,
    )


def _until(ticket: Ticket, texts: Texts) -> str:
    moment = until_time(ticket.discussed_until, texts)
    return texts.say("Without an answer until {moment}, whoever asked for it decides.", moment=moment)


def proposed(made: ProposalMade, texts: Texts, fit: Fit) -> list[Block]:
    """How it would be done."""
    drawn = [blocks.section(fit.text(made.summary, 1_500) or "…")]
    for title, lines in (
        (texts.say("Steps"), made.draft_steps),
        (texts.say("Risks"), made.risks),
        (texts.say("What is still open"), made.open_questions),
    ):
        drawn += blocks.titled_list(bold(title), [f"• {fit.line(each, 300)}" for each in fit.first(lines, 12)])
    return drawn


def proposal_buttons(state: Delivery, ticket: Ticket, number: int, texts: Texts) -> list[Block]:
    value = OwnTicketButton(stream=state.session_id, ticket=ticket.ticket_id, number=number).value()
    return [
        blocks.button(texts.say("Agree"), AGREE, value, style="primary"),
        blocks.button(texts.say("Suggest…"), SUGGEST, value),
    ]


def _what_was_said(ticket: Ticket, answer: ProposalAnswered | None, texts: Texts, fit: Fit) -> str:
    if answer is None:
        return texts.say("This is not asked any more.")
    if answer.by == SCHEDULER:
        return texts.say("Nobody has answered in time, so it goes on as proposed.")
    who = mention(answer.by) or fit.line(answer.by, 60)
    said = fit.text("\n".join(answer.answers), 1_000)
    if answer.agrees:
        return texts.say("✅ {who} agrees. {said}", who=who, said=said).strip()
    return texts.say("✏️ {who} suggests: {said}", who=who, said=said)


def takeovers(state: Delivery, ticket: Ticket, readers: Readers) -> Iterator[Post]:
    """Each colleague who was ever asked to take it, in a message of their own."""
    for number, asked in enumerate(ticket.hand_overs, 1):
        key = f"take-{ticket.ticket_id}-{number}"
        yield _takeover(state, ticket, asked, number, key, readers.texts(asked.to, key))


def is_open_hand_over(state: Delivery, ticket: Ticket, number: int) -> bool:
    """Whether whoever was asked in this one can still take it. ``number`` counts from 1."""
    if number != len(ticket.hand_overs) or not ticket.is_open or not is_going_on(state):
        return False
    asked = ticket.hand_overs[-1]
    return asked.is_taken is None and ticket.hand_over_to == asked.to


def _takeover(state: Delivery, ticket: Ticket, asked: HandOver, number: int, key: str, texts: Texts) -> Post:
    is_open = is_open_hand_over(state, ticket, number)

    def card(fit: Fit) -> list[Block]:
        name, who = ticket_name(ticket, fit), mention(asked.by) or "?"
        drawn = [blocks.section(texts.say("🤝 {who} asks you to take {ticket}.", who=who, ticket=name))]
        if not is_open:
            return [*drawn, blocks.section(_what_became(asked, texts))]
        if description := fit.text(ticket.task.description, 1_200):
            drawn.append(blocks.section(description))
        expected = [f"• {fit.line(each.label, 200)}" for each in ticket.task.outputs]
        drawn += blocks.titled_list(bold(texts.say("What to show in the end")), expected)
        when = until_text(state, ticket, texts, fit)
        drawn.append(blocks.context(" · ".join(each for each in (why_text(state, texts, fit), when) if each)))
        value = OwnTicketButton(stream=state.session_id, ticket=ticket.ticket_id, number=number).value()
        take = blocks.button(texts.say("Take it"), TAKE, value, style="primary")
        return [*drawn, blocks.actions(take, blocks.button(texts.say("Decline"), DECLINE, value))]

    return Post.from_card(
        key,
        texts.say("Will you take {ticket}?", ticket=ticket_name(ticket, Fit())),
        card,
        stream=state.session_id,
        texts=texts,
        to=asked.to,
        restored=is_open,
        is_late=not is_open,
    )


def _what_became(asked: HandOver, texts: Texts) -> str:
    if asked.is_taken is None:
        return texts.say("This is not asked any more.")
    return texts.say("You have taken it.") if asked.is_taken else texts.say("You have declined.")


def to_check(state: Delivery, ticket: Ticket, readers: Readers) -> Iterator[Post]:
    """Tell whom the ticket names that it waits for their approval: the card about it stands in the thread."""
    waiting, user = ticket.open_decision, ticket.task.checked_by
    if waiting is None or waiting.need is not PersonNeed.REVIEW or not is_going_on(state):
        return
    if user == state.requester_id or checker_of(state, ticket) != user or not mention(user):
        return
    key = check_key(ticket)
    texts = readers.texts(user, key)
    text = texts.say("👀 {ticket} waits for your approval.", ticket=ticket_name(ticket, Fit()))

    def card(fit: Fit) -> list[Block]:
        return [blocks.section(text), blocks.context(why_text(state, texts, fit))]

    yield Post.from_card(key, text, card, stream=state.session_id, texts=texts, to=user, restored=True)


def check_key(ticket: Ticket) -> str:
    return f"check-{ticket.ticket_id}-{len(ticket.decisions)}/{ticket.task.checked_by}"


def posts(state: Delivery, known: KnownLanguage) -> list[Post]:
    """Direct messages, each person's in their order; nothing where no words are left."""
    if not state.exists or state.erased == "*":
        return []
    whoever = Readers(known, state.brief.spoken)
    told = (post for ticket in state.tickets.values() for post in _of_ticket(state, ticket, whoever))
    return [*told, *ended(state, whoever)]


def readers(state: Delivery) -> list[str]:
    found = (
        user
        for each in state.tickets.values()
        for user in (*each.holders, *(one.to for one in each.hand_overs), each.task.checked_by)
    )
    return [*dict.fromkeys(user for user in found if user)]


def unreachable(state: Delivery, deliveries: Mapping[str, Delivered], at: Millis) -> list[Command]:
    """Report whoever has a ticket, or is to approve it, and cannot be told, since their account was closed."""
    found: list[Command] = [
        OwnerUnreachable(
            command_id=f"unreachable:{key}", at=at, ticket_id=ticket.ticket_id, user_id=ticket.owner.user_id
        )
        for ticket in state.tickets.values()
        for key in _keys(ticket)
        if _is_unreachable(deliveries.get(key))
    ]
    found += [
        CheckerUnreachable(command_id=f"unreachable:{key}", at=at, ticket_id=each.ticket_id, user_id=user)
        for each in state.tickets.values()
        if (user := each.task.checked_by) and _is_unreachable(deliveries.get(key := check_key(each)))
    ]
    return found


def _is_unreachable(delivery: Delivered | None) -> bool:
    return delivery is not None and delivery.is_gone and not delivery.ts


def _keys(ticket: Ticket) -> tuple[str, ...]:
    """The posts by which whoever has it now is told of it."""
    if not ticket.is_a_persons or not ticket.is_open or not ticket.holders:
        return ()
    return (card_key(ticket, len(ticket.holders)), proposal_key(ticket, len(ticket.proposals), ticket.owner.user_id))


def _of_ticket(state: Delivery, ticket: Ticket, readers: Readers) -> Iterator[Post]:
    yield from takeovers(state, ticket, readers)
    yield from proposals(state, ticket, readers)
    if ticket.instructions:
        for number, user in enumerate(ticket.holders, 1):
            texts = readers.texts(user, card_key(ticket, number))
            yield ticket_card(state, ticket, number, texts)
    yield from to_check(state, ticket, readers)
    yield from news(state, ticket, readers)
