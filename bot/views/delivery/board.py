"""The board of a delivery, which is edited in place: whoever comes late reads only this."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from bot.texts import Texts
from bot.views.delivery.button_values import ADD, BUDGET, STOP, TICKETS
from bot.views.delivery.checking import checking_lines
from bot.views.delivery.names import end_text, owner_name, status_mark, status_text, ticket_title, whoever
from bot.views.delivery.proof import approved_text
from bot.views.kit import blocks, surfaces
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.days import day_text
from bot.views.kit.heading import heading, paused_line
from bot.views.kit.menu import row
from bot.views.kit.mrkdwn import Fit, mention, plain_line
from bot.views.kit.post import Post
from bot.views.kit.story.buttons import open_page
from bot.views.kit.surfaces import Task, TaskStatus
from engine.delivery.state import Delivery, Status, Ticket, TicketStatus
from engine.delivery.terms import Cost, EndReason, PersonNeed, PlannedBy
from engine.llm.port import Pause

LONGEST_TASK: Final = 150
"""Characters of a task card's title."""
FEW: Final = 12
"""Tickets that are shown in the order of the plan; more are shown by how urgently somebody has to look at them."""
MOST_ROWS: Final = 40
PICTURE: Final = 10
"""Marks of the bar that shows how much is done."""


def board(state: Delivery, texts: Texts, pause: Pause | None = None) -> Post:
    return Post.from_card(
        "board",
        f"{Fit().line(state.brief.title, 120)} · {status_line(state, texts)}",
        lambda fit: _card(state, texts, fit, pause),
        stream=state.session_id,
        texts=texts,
    )


def status_line(state: Delivery, texts: Texts) -> str:
    match state.status:
        case Status.CLARIFYING if state.open_clarification is not None:
            return texts.say("The Manager has questions first")
        case Status.CLARIFYING:
            return texts.say("The Manager reads what is asked for…")
        case Status.PLANNING if state.plans_refused:
            return texts.say("The plan could not be carried out as it was; the Manager makes another one…")
        case Status.PLANNING:
            return texts.say("The Manager makes a plan…")
        case Status.REPORTING:
            return texts.say("Nothing more is done; it is being summed up…")
        case Status.COMPLETED:
            return texts.say("✅ Everything is done")
        case Status.INCOMPLETE:
            return texts.say("⏹ It has ended: {why}", why=end_text(state.reason or EndReason.STOPPED, texts))
        case _:
            done, kept = progress(state)
            return texts.say("{done} of {all} tickets are done", done=done, all=kept)


def progress(state: Delivery) -> tuple[int, int]:
    """How many tickets are done, and how many there are without those that were dropped."""
    counted = Counter(each.status for each in state.tickets.values())
    return counted[TicketStatus.DONE], len(state.tickets) - counted[TicketStatus.DROPPED]


def picture(done: int, kept: int) -> str:
    filled = PICTURE * done // kept if kept else 0
    return "▰" * filled + "▱" * (PICTURE - filled)


def _card(state: Delivery, texts: Texts, fit: Fit, pause: Pause | None) -> list[Block]:
    brief = state.brief
    card = heading(brief.title, "" if brief.origin else brief.goal, fit, is_above=bool(state.place.thread))
    card.append(blocks.context(_small_print(state, texts, fit)))
    bar = f"{picture(*progress(state))}  " if state.tickets else ""
    lines = (f"{bar}*{status_line(state, texts)}*", paused_line(pause, texts))
    card.append(blocks.section("\n".join(filter(None, lines))))
    # Once everything is done, the report below names each ticket, with who did it.
    if state.status is not Status.COMPLETED or state.report is None or fit.only_whole():
        card += _tickets(state, texts, fit)
    card += [blocks.context(f"⚠️ {each}") for each in troubles(state, texts, fit)]
    if (buttons := _buttons(state, texts)) is not None:
        card.append(buttons)
    return card


def _small_print(state: Delivery, texts: Texts, fit: Fit) -> str:
    parts = [
        texts.say("Asked by {who}", who=mention(state.requester_id) or whoever(state, state.requester_id, texts, fit))
    ]
    if ends := day_text(state.brief.ends, state.brief.today, texts, fit):
        parts.append(f"📅 {ends}")
    match state.planned_by:
        case PlannedBy.HANDOVER:
            parts.append(texts.say("as it was agreed"))
        case PlannedBy.MANAGER:
            parts.append(texts.say("planned by the Manager"))
        case PlannedBy.FILE:
            parts.append(texts.say("as it was written down"))
        case None:
            pass
    parts.append(cost_text(state.spent, texts))
    return " · ".join(part for part in parts if part)


def cost_text(cost: Cost, texts: Texts) -> str:
    """What was spent, as far as it was reported; empty for nothing."""
    dollars = f"${cost.usd:.2f}" if cost.usd else ""
    tokens = texts.say("{n} tokens", n=f"{cost.tokens:,}") if cost.tokens else ""
    return " · ".join(part for part in (dollars, tokens) if part)


# ── tickets ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _tickets(state: Delivery, texts: Texts, fit: Fit) -> list[Block]:
    """All of them as a plan of task cards, where they fit; else as a list, the most urgent ones first."""
    if fit.newer and len(state.tickets) <= FEW:
        tasks = [_task(state, each, texts, fit) for each in state.tickets.values()]
        return surfaces.board(texts.say("Tickets"), tasks, fit)
    return blocks.titled_list(texts.say("*Tickets*"), [*_rows(state, texts, fit)])


def _task(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> Task:
    details = [" · ".join(_facts(state, ticket, texts, fit)), *_notes(state, ticket, texts, fit, is_short=False)]
    return Task(
        task_id=ticket.ticket_id,
        title=plain_line(f"{ticket.ticket_id} {ticket.task.title}", LONGEST_TASK),
        status=TASKS[ticket.status],
        details="\n".join(details),
    )


TASKS: Final = {
    TicketStatus.PENDING: TaskStatus.PENDING,
    TicketStatus.DISCUSSING: TaskStatus.PENDING,
    TicketStatus.IN_PROGRESS: TaskStatus.IN_PROGRESS,
    TicketStatus.AWAITING_REVIEW: TaskStatus.IN_PROGRESS,
    TicketStatus.BLOCKED: TaskStatus.ERROR,
    TicketStatus.ERROR: TaskStatus.ERROR,
    TicketStatus.DONE: TaskStatus.COMPLETE,
    TicketStatus.DROPPED: TaskStatus.COMPLETE,
}
"""How a task card shows each status; its details name it."""


def _rows(state: Delivery, texts: Texts, fit: Fit) -> Iterator[str]:
    tickets = [*state.tickets.values()]
    many = len(tickets) > FEW
    ordered = sorted(tickets, key=_urgency) if many else tickets
    shown = fit.first(ordered, MOST_ROWS)
    for each in shown:
        yield ticket_row(state, each, texts, fit, is_short=many)
    if hidden := len(tickets) - len(shown):
        yield texts.count("…and {n} more ticket", "…and {n} more tickets", hidden)


_ORDER: Final = (
    TicketStatus.ERROR, TicketStatus.BLOCKED, TicketStatus.AWAITING_REVIEW, TicketStatus.IN_PROGRESS,
    TicketStatus.DISCUSSING, TicketStatus.PENDING, TicketStatus.DONE, TicketStatus.DROPPED,
)  # fmt: skip


def _urgency(ticket: Ticket) -> tuple[bool, bool, int]:
    """What waits for a decision comes first, then what is overdue; what is settled comes last."""
    return (
        ticket.need is None or not ticket.is_open,
        not (ticket.overdue and ticket.is_open),
        _ORDER.index(ticket.status),
    )


def ticket_row(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit, *, is_short: bool = False) -> str:
    title = ticket_title(ticket, fit, 80 if is_short else 160)
    lines = [f"{status_mark(ticket)} {title} – " + " · ".join(_facts(state, ticket, texts, fit))]
    lines += [f"      ↳ {each}" for each in _notes(state, ticket, texts, fit, is_short=is_short)]
    return "\n".join(lines)


def _facts(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> list[str]:
    """Who has it, how it stands, and until when."""
    who = "" if ticket.need is PersonNeed.OWNER else owner_name(state, ticket.owner, texts, fit)
    how = standing(state, ticket, texts)
    approved = approved_text(state, ticket, texts, fit) if ticket.status is TicketStatus.DONE else ""
    return [each for each in (who, how, approved, _when(state, ticket, texts, fit)) if each]


def standing(state: Delivery, ticket: Ticket, texts: Texts) -> str:
    """How a ticket stands; after the end, nothing can become of it any more."""
    is_over = ticket.is_open and state.reason is not None
    return texts.say("not done") if is_over else status_text(ticket, texts)


def _when(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> str:
    due = day_text(ticket.task.deadline, state.brief.today, texts, fit)
    if not due or not ticket.is_open:
        return ""
    return texts.say("*overdue* since {day}", day=due) if ticket.overdue else texts.say("by {day}", day=due)


def _notes(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit, *, is_short: bool) -> Iterator[str]:
    """What somebody who looks at it has to know besides."""
    if not ticket.is_open or state.reason is not None:
        return
    if ticket.status is TicketStatus.PENDING and (waits := state.waits_for(ticket)):
        after = texts.say(", ").join(each.ticket_id for each in fit.first(waits, 6))
        yield (
            texts.say("has waited a long time for {tickets}", tickets=after)
            if ticket.late_told
            else texts.say("after {tasks}", tasks=after)
        )
    if ticket.status is TicketStatus.BLOCKED:
        for issue in fit.first(ticket.issues, 1):
            yield fit.line(issue, 80 if is_short else 200)
    if ticket.hand_over_to:
        yield texts.say("{who} is asked to take it", who=whoever(state, ticket.hand_over_to, texts, fit))
    if not is_short:
        yield from checking_lines(state, ticket, texts, fit)
    if ticket.changes and not is_short:
        yield texts.say("to be changed: {what}", what=fit.line(ticket.changes[0], 200))


# ── what is wrong ─────────────────────────────────────────────────────────────────────────────────────────────────


def troubles(state: Delivery, texts: Texts, fit: Fit) -> Sequence[str]:
    found = []
    if state.is_spent and state.is_open:
        found.append(texts.say("The budget is spent: no further agent or model begins to work. People go on."))
    if state.plan_faults and state.status in (Status.PLANNING, Status.REPORTING, Status.INCOMPLETE):
        found.append(texts.say("What was wrong with the plan: {fault}", fault=fit.line(state.plan_faults[0], 200)))
    if rejected := len(state.rejected):
        found.append(
            texts.count(
                "{n} message of an agent could not be understood, and moved nothing.",
                "{n} messages of agents could not be understood, and moved nothing.",
                rejected,
            )
        )
    return found


# ── buttons ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _buttons(state: Delivery, texts: Texts) -> Block | None:
    handle = StreamButton(stream=state.session_id).value()
    shown, found = [], []
    if state.status is Status.WORKING:
        found.append(blocks.button(texts.say("Add a ticket…"), ADD, handle))
        found.append(blocks.button(texts.say("Change a ticket…"), TICKETS, handle))
        if state.is_spent or any(each.need is PersonNeed.BUDGET for each in state.tickets.values()):
            shown.append(raise_budget(state, texts))
    if state.is_open and state.status is not Status.REPORTING:
        sure = blocks.confirm(
            texts.say("Stop it?"),
            texts.say("Whatever works is ended, nobody begins anything more, and what there is is summed up."),
            yes=texts.say("Stop"),
            no=texts.say("Carry on"),
        )
        found.append(blocks.button(texts.say("Stop"), STOP, handle, style="danger", confirm=sure))
    return row(shown, [*found, open_page(state.session_id, texts)]) if found else None


def raise_budget(state: Delivery, texts: Texts) -> Block:
    return blocks.button(texts.say("Raise the budget…"), BUDGET, StreamButton(stream=state.session_id).value())
