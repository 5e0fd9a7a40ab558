"""A person's ticket in their direct messages: what, why, by when, and how it stands. It is edited in place."""

from collections.abc import Iterator, Sequence

from bot.texts import Texts
from bot.views.delivery.button_values import BLOCK, FINISH, HAND_OVER, RESULTS, START, OwnTicketButton
from bot.views.delivery.checking import checking_lines
from bot.views.delivery.forms_owning import is_shown_here, result_field
from bot.views.delivery.owners_words import artifact_text, owner_name, ticket_name, until_text, why_text
from bot.views.delivery.ticket_status import is_going_on, is_theirs, is_workable, made_before, standing
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.menu import row
from bot.views.kit.mrkdwn import Fit, bold, plain_line
from bot.views.kit.post import Post
from engine.delivery.state import Delivery, Ticket, TicketStatus
from engine.delivery.terms import Artifact

LONGEST_HEADER = 140
MOST_LINES = 12
"""Steps, and likewise other lists, that are shown before *Show all*."""
SEEN_STATUSES = (TicketStatus.PENDING, TicketStatus.DISCUSSING, TicketStatus.IN_PROGRESS, TicketStatus.BLOCKED)
"""While it has one of these, its owner reads all of it; afterwards only what became of it."""


def ticket_card(state: Delivery, ticket: Ticket, holder: int, texts: Texts) -> Post:
    """
    Args:
        holder: for which of its holders, counted from 1: each reads a message of their own.
    """
    user = ticket.holders[holder - 1]
    is_current = holder == len(ticket.holders) and is_theirs(ticket, user)
    is_over = not is_current or not ticket.is_open or not is_going_on(state)

    def card(fit: Fit) -> list[Block]:
        if not is_current:
            return [_header(ticket, texts), *_passed_on(ticket, texts, fit)]
        return [*_card(state, ticket, texts, fit)]

    return Post.from_card(
        card_key(ticket, holder),
        texts.say("Your ticket {ticket}", ticket=ticket_name(ticket, Fit())),
        card,
        stream=state.session_id,
        texts=texts,
        to=user,
        restored=not is_over,
        is_late=is_over,
    )


def card_key(ticket: Ticket, holder: int) -> str:
    return f"ticket-{ticket.ticket_id}-{holder}"


def _card(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> Iterator[Block]:
    yield _header(ticket, texts)
    yield blocks.section("\n".join(standing(state, ticket, texts, fit)))
    if ticket.status not in SEEN_STATUSES or not is_going_on(state):
        yield blocks.context(why_text(state, texts, fit))
        return
    yield from _asked_for(state, ticket, texts, fit)
    small = (
        why_text(state, texts, fit),
        until_text(state, ticket, texts, fit),
        *checking_lines(state, ticket, texts, fit),
    )
    yield blocks.context(" · ".join(filter(None, small)))
    if is_shown_here(ticket):
        yield result_field(ticket, texts)
    shown, others = [*_main_buttons(state, ticket, texts)], [*_other_buttons(state, ticket, texts)]
    if shown or others:
        yield row(shown, others)


def _header(ticket: Ticket, texts: Texts) -> Block:
    title = plain_line(ticket.task.title, LONGEST_HEADER - 12) or "…"
    return blocks.header(plain_line(f"{ticket.ticket_id} · {title}", LONGEST_HEADER))


def _passed_on(ticket: Ticket, texts: Texts, fit: Fit) -> list[Block]:
    who = owner_name(ticket.owner, texts, fit)
    return [blocks.section(texts.say("This is not yours any more: {who} has it now.", who=who))]


def _asked_for(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> Iterator[Block]:
    task, steps = ticket.task, ticket.instruction
    told = [fit.text(task.description, 1_200)]
    if steps is not None and _bare(steps.summary) not in ("", _bare(task.title), _bare(task.description)):
        told.append(fit.text(steps.summary, 1_200))
    yield from (blocks.section(each) for each in told if each)
    if steps is not None:
        given = [each for each in steps.steps if _bare(each) != _bare(task.description)]
        yield from _list(texts.say("Steps"), given, fit, numbered=True)
        made = [each.uri for _, artifacts in made_before(state, ticket) for each in artifacts]
        # What was made before is told below, where it can be had: nobody opens a path of ours.
        resources = [each for each in steps.resources if not any(uri in each for uri in made)]
        yield from _list(texts.say("To look at"), resources, fit)
    acceptance = (steps.acceptance if steps else ()) or task.acceptance
    yield from _list(texts.say("It is done when"), acceptance, fit)
    if not is_shown_here(ticket):
        yield from _list(texts.say("What to show in the end"), [each.label for each in task.outputs], fit)
    yield from _list(texts.say("Risks"), task.risks, fit)
    yield from _results(made_before(state, ticket), texts, fit)
    yield from _list(texts.say("What you were told"), ticket.answers, fit)
    yield from _list(texts.say("What is to be changed"), ticket.changes, fit)


def _bare(text: str) -> str:
    """The words without what ends a sentence: an instruction may say no more than the title does."""
    return text.strip().rstrip(".。!！").casefold()


def _list(title: str, lines: Sequence[str], fit: Fit, *, numbered: bool = False) -> list[Block]:
    shown = [text for each in fit.first(lines, MOST_LINES) if (text := fit.line(each, 400))]
    marks = [f"{number}." if numbered else "•" for number in range(1, len(shown) + 1)]
    return blocks.titled_list(bold(title), [f"{mark} {text}" for mark, text in zip(marks, shown, strict=True)])


def _results(made: Sequence[tuple[Ticket, tuple[Artifact, ...]]], texts: Texts, fit: Fit) -> list[Block]:
    lines = [
        f"• {ticket.ticket_id} – {artifact_text(each, texts, fit)}"
        for ticket, artifacts in fit.first(made, MOST_LINES)
        for each in artifacts
    ]
    return blocks.titled_list(bold(texts.say("What was made before")), lines)


def _main_buttons(state: Delivery, ticket: Ticket, texts: Texts) -> Iterator[Block]:
    if is_workable(ticket):
        yield finish_button(state, ticket, texts, is_main=True)


def _other_buttons(state: Delivery, ticket: Ticket, texts: Texts) -> Iterator[Block]:
    value = OwnTicketButton(stream=state.session_id, ticket=ticket.ticket_id).value()
    if is_workable(ticket):
        if ticket.running is None:
            yield blocks.button(texts.say("Start"), START, value)
        yield blocks.button(texts.say("Blocked…"), BLOCK, value)
    if ticket.is_open and ticket.claim is None:
        yield blocks.button(texts.say("Hand over…"), HAND_OVER, value)
    if any(not each.is_link for _, artifacts in made_before(state, ticket) for each in artifacts):
        yield blocks.button(texts.say("Send me the files"), RESULTS, value)


def finish_button(state: Delivery, ticket: Ticket, texts: Texts, *, is_main: bool) -> Block:
    value = OwnTicketButton(stream=state.session_id, ticket=ticket.ticket_id).value()
    return blocks.button(texts.say("Done…"), FINISH, value, **({"style": "primary"} if is_main else {}))
