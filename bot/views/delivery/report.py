"""The final report: what was done and by whom, what proves it, what was learned, and what comes next."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from bot.texts import Texts
from bot.views.delivery.board import cost_text, progress
from bot.views.delivery.button_values import EXPORT
from bot.views.delivery.names import end_text, owner_name, status_text, ticket_title, whoever
from bot.views.delivery.proof import approved_text, artifact_text
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.menu import row
from bot.views.kit.mrkdwn import Fit, mention, slack_length
from bot.views.kit.post import Post
from bot.views.kit.story.buttons import open_page
from engine.delivery.events import FinalReportWritten
from engine.delivery.state import Delivery, Status, Ticket, TicketStatus
from engine.delivery.terms import Artifact, EndReason

SHORT: Final = 30
"""Characters of what was made that stand beside who has made it."""


def report(state: Delivery, said: FinalReportWritten, texts: Texts) -> Post:
    return Post.from_card(
        "report",
        f"{title(state, texts)} · {Fit().line(state.brief.title, 160)}",
        lambda fit: _card(state, said, texts, fit),
        stream=state.session_id,
        texts=texts,
    )


def title(state: Delivery, texts: Texts) -> str:
    if state.status is Status.COMPLETED:
        return texts.say("✅ Delivered")
    if state.reason in (EndReason.NO_PLAN, EndReason.NO_MODEL):
        return texts.say("Nothing was carried out: there is no plan")
    return texts.say("⏹ Ended before everything was done")


def _card(state: Delivery, said: FinalReportWritten, texts: Texts, fit: Fit) -> list[Block]:
    card = [blocks.header(title(state, texts)), blocks.section(fit.text(said.summary, 1_500) or "…")]
    card += blocks.titled_list(*_done(state, texts, fit))
    left = [each for each in state.tickets.values() if each.is_open]
    card += blocks.titled_list(
        texts.say("*Not done*"), [_left(state, each, texts, fit) for each in fit.first(left, 20)]
    )
    dropped = [each for each in state.tickets.values() if each.status is TicketStatus.DROPPED]
    card += blocks.titled_list(
        texts.say("*Dropped*"), [_dropped(state, each, texts, fit) for each in fit.first(dropped, 12)]
    )
    card += blocks.titled_list(texts.say("*What was learned*"), bullets(said.learned, fit))
    card += blocks.titled_list(texts.say("*What comes next*"), bullets(said.next_steps, fit))
    card += [blocks.context(each) for each in (history_line(state, texts, fit),) if each]
    handle = StreamButton(stream=state.session_id).value()
    export = blocks.button(texts.say("Export…"), EXPORT, handle)
    return [*card, row([], [export, open_page(state.session_id, texts)])]


def _done(state: Delivery, texts: Texts, fit: Fit) -> tuple[str, list[str]]:
    """The title and a line for each ticket; who has approved all of them is said once."""
    done = [each for each in state.tickets.values() if each.status is TicketStatus.DONE]
    approved = {each.ticket_id: approved_text(state, each, texts, fit) for each in done}
    alike = {*approved.values()} if len(done) > 1 else set()
    title = texts.say("*What was done*")
    if len(alike) == 1:
        title = " · ".join(filter(None, (title, *alike)))
    labels = {each.label for ticket in done for each in ticket.artifacts}
    are_named = fit.is_whole or len(labels) > 1 or len(done) == 1
    lines = []
    for ticket in fit.first(done, 30):
        who = owner_name(state, ticket.owner, texts, fit)
        shown = [_shown(each, texts, fit) for each in fit.first(ticket.artifacts, 4)]
        alone = len(shown) == 1 and slack_length(shown[0]) <= SHORT and not ticket.artifacts[0].is_link
        beside, below = (shown, []) if alone else ([], shown)
        beside = beside if are_named else []  # what all is called alike is told by the title of its ticket
        facts = " · ".join(filter(None, (who, *beside, "" if len(alike) == 1 else approved[ticket.ticket_id])))
        told = f"• {ticket_title(ticket, fit, 120)} – {facts}"
        lines.append("\n".join((told, *(f"      ↳ {each}" for each in below))))
    return title, lines


def _shown(made: Artifact, texts: Texts, fit: Fit) -> str:
    """What was made; how large it is stands where it can be had."""
    if made.is_link or fit.is_whole:
        return artifact_text(made, texts, fit)
    return fit.line(made.label, 120) or "…"


def _left(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> str:
    who = owner_name(state, ticket.owner, texts, fit)
    is_telling = ticket.status in (TicketStatus.ERROR, TicketStatus.BLOCKED, TicketStatus.AWAITING_REVIEW)
    how = f" · {status_text(replace(ticket, need=None), texts)}" if is_telling else ""
    return f"• {ticket_title(ticket, fit, 120)} – {who}{how}"


def _dropped(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> str:
    who = whoever(state, ticket.dropped_by, texts, fit)
    why = fit.line(ticket.dropped_why, 160)
    return f"• {ticket_title(ticket, fit, 120)} – {who}" + (f": {why}" if why else "")


def bullets(lines: Sequence[str], fit: Fit) -> list[str]:
    return [f"• {fit.line(each, 300)}" for each in fit.first([*dict.fromkeys(lines)], 10)]


def history_line(state: Delivery, texts: Texts, fit: Fit) -> str:
    """How it went; where everything is done, its cost alone: the board above has the rest."""
    if state.status is Status.COMPLETED and not fit.is_whole:
        return cost_text(state.spent, texts)
    done, kept = progress(state)
    attempts = sum(len(each.attempts) for each in state.tickets.values())
    parts = [
        texts.say("Asked by {who}", who=mention(state.requester_id) or "?"),
        texts.say("{done} of {all} tickets are done", done=done, all=kept),
        texts.count("{n} attempt", "{n} attempts", attempts),
        end_text(state.reason or EndReason.ALL_DONE, texts),
        cost_text(state.spent, texts),
    ]
    return " · ".join(each for each in parts if each)
