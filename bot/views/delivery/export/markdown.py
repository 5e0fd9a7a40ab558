"""Exports a delivery as Markdown, with people by name."""

from collections.abc import Iterator, Sequence

from bot.texts import Texts
from bot.views.delivery.names import end_text, status_mark, status_text
from bot.views.delivery.owners_words import size_text
from bot.views.delivery.report import title
from bot.views.kit.export.file import bold, paragraphs, quote, safe_line
from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import Artifact, EndReason


def markdown(state: Delivery, asked_by: str, texts: Texts) -> str:
    """
    Args:
        asked_by: the requester's name; empty where it is unknown.
    """
    parts = [f"# {safe_line(state.brief.title) or '…'}", bold(safe_line(title(state, texts)))]
    parts += [texts.say("Asked by {who}", who=safe_line(asked_by)) if asked_by else "", quote(state.brief.goal)]
    parts.append(safe_line(end_text(state.reason or EndReason.ALL_DONE, texts)))
    if state.report:
        parts.append(paragraphs(state.report.summary))
    parts += [_heading(texts.say("*Tickets*")), *(_ticket(state, each, texts) for each in state.tickets.values())]
    if state.report:
        parts += _listed(texts.say("*What was learned*"), state.report.learned)
        parts += _listed(texts.say("*What comes next*"), state.report.next_steps)
    return "\n\n".join(part for part in parts if part) + "\n"


def _heading(text: str) -> str:
    return f"## {text.strip('*')}"


def _listed(heading: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield _heading(heading)
        yield "\n".join(f"- {safe_line(each)}" for each in lines)


def _ticket(state: Delivery, ticket: Ticket, texts: Texts) -> str:
    task = ticket.task
    owner = ticket.owner
    names = {each.user_id: each.name for each in state.brief.people if each.user_id}
    who = owner.name or names.get(owner.user_id, "") or owner.role_id or owner.user_id
    facts = (
        safe_line(who) or texts.say("nobody yet"),
        status_text(ticket, texts),
        texts.say("by {day}", day=safe_line(task.deadline)) if task.deadline else "",
        _after(state, ticket, texts),
    )
    head = f"### {status_mark(ticket)} {ticket.ticket_id} {safe_line(task.title)}"
    lines = [f"- {' · '.join(each for each in facts if each)}"]
    if ticket.report and ticket.report.summary.strip():
        lines.append(f"- {safe_line(ticket.report.summary)}")
    lines += [f"- {_output(each, texts)}" for each in ticket.artifacts]
    checks = ticket.report.checks if ticket.report else ()
    lines += [f"- {'✅' if each.has_passed else '❌'} {safe_line(each.name)}" for each in checks]
    if ticket.dropped_why:
        lines.append(f"- {safe_line(ticket.dropped_why)}")
    return "\n".join([head, "", *lines])


def _after(state: Delivery, ticket: Ticket, texts: Texts) -> str:
    needed = (state.ticket_of(each) for each in ticket.task.depends_on)
    ids = [each.ticket_id for each in needed if each is not None]
    return texts.say("after {tasks}", tasks=texts.say(", ").join(ids)) if ids else ""


def _output(artifact: Artifact, texts: Texts) -> str:
    where = safe_line(artifact.uri)
    if artifact.is_link:
        return f"{bold(safe_line(artifact.label))}: {where}"
    size = size_text(artifact.size_bytes, texts)
    return f"{bold(safe_line(artifact.label))}: {where} · {size} · {safe_line(artifact.digest)}"
