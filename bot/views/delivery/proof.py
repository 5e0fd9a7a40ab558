"""What was reported about a ticket, and what proves it: results with their digests, and checks."""

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit

from bot.texts import Texts
from bot.views.delivery.button_values import OPEN, EvidenceButton
from bot.views.delivery.names import shown_for_them, ticket_title, whoever
from bot.views.delivery.owners_words import size_text
from bot.views.kit import blocks
from bot.views.kit.blocks import LONGEST_SECTION, Block
from bot.views.kit.modals import modal
from bot.views.kit.mrkdwn import UNLIMITED, Fit, exact_text, plain_line, split_text, web_link
from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import MANAGER, MOST_OUTPUTS, Artifact, CheckRun, ReviewDecision
from engine.delivery.work.working import LONGEST_ON_CARD, on_card, unread

LONGEST_HEADING: Final = 24
"""Characters of a modal's title."""
LONGEST_SHOWN: Final = 20_000
"""Characters of a text that a modal shows."""


def proof(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit, *, opens: bool = False) -> list[Block]:
    """Nothing before anything was reported.

    Args:
        opens: whether what was shown can be opened there, and says whether it was.
    """
    report = ticket.report
    if report is None:
        return []
    card = blocks.sections([fit.text(report.summary, 900)])
    if opens:
        card += to_review(state, ticket, texts, fit)
    else:
        card += blocks.titled_list(texts.say("*Results*"), artifact_lines(report.artifacts, texts, fit))
    card += blocks.titled_list(
        texts.say("*Checks*"), [_check(each, texts, fit) for each in fit.first(report.checks, 6)]
    )
    card += blocks.titled_list(texts.say("*Open issues*"), [f"• {fit.line(each, 200)}" for each in report.issues])
    return [*card, *[blocks.context(each) for each in _review(state, ticket, texts, fit)]]


def to_review(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> list[Block]:
    """What was shown, each with whether anybody who may approve it has opened it; a short text stands there whole."""
    report, card = ticket.report, []
    for number, each in enumerate(report.artifacts[:MOST_OUTPUTS] if report else (), 1):
        what = f"• {_to_open(each, texts, fit)}"
        if text := on_card(ticket, each):
            card += blocks.sections([f"{what}\n> {fit.line(text, LONGEST_ON_CARD)}"])
            continue
        readers = sorted(user for user, one in (report.opened if report else ()) if one == number)
        who = texts.say(", ").join(whoever(state, user, texts, fit) for user in readers)
        seen = texts.say("opened by {who}", who=who) if readers else texts.say("unread: nobody has opened it from here")
        value = EvidenceButton(
            stream=state.session_id, ticket=ticket.ticket_id, report=len(ticket.reports), output=number
        ).value()
        opens = blocks.button(texts.say("Open"), OPEN, value, **({"url": each.uri} if each.is_link else {}))
        card.append({**blocks.section(f"{what}\n_{seen}_"), "accessory": opens})
    return card


def opened_view(artifact: Artifact, content: bytes, texts: Texts) -> dict[str, Any] | None:
    """Show a text whole, to whoever opens it alone; None where it is no text, or too long for that."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    if not text.strip() or len(text) > LONGEST_SHOWN:
        return None
    pieces = split_text(exact_text(text, UNLIMITED), LONGEST_SECTION)
    heading = plain_line(artifact.label, LONGEST_HEADING) or "…"
    what = blocks.section(proof_text(artifact, texts, Fit()))
    return modal(heading, [what, *map(blocks.verbatim, pieces)], texts)


def _to_open(artifact: Artifact, texts: Texts, fit: Fit) -> str:
    """What it is, with nothing to click: Slack tells nobody of a click on a link in a text."""
    if not artifact.is_link:
        return proof_text(artifact, texts, fit)
    label, host = fit.line(artifact.label, 120) or "…", fit.line(urlsplit(artifact.uri).hostname or "", 80)
    return texts.say("{label} (a link to {host})", label=label, host=host)


def approved_text(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> str:
    """Whose approval it is, also where it is a model's, and what they had not opened; empty where nobody approved."""
    review = ticket.report.review if ticket.report else None
    if review is None or review.decision is not ReviewDecision.APPROVED:
        return ""
    is_models = review.by == MANAGER and review.model
    who = texts.say("the Manager, a model") if is_models else whoever(state, review.by, texts, fit)
    left = "" if review.by == MANAGER else unread_text(ticket, review.by, texts, fit)
    by = shown_for_them(state, ticket, texts, fit)
    shown = texts.say("shown by {who}", who=by) if by else ""
    return " · ".join(filter(None, (shown, texts.say("approved by {who}", who=who), left)))


def unread_text(ticket: Ticket, user: str, texts: Texts, fit: Fit) -> str:
    """What somebody who has approved it had not opened; empty where that is nothing."""
    left = unread(ticket, user)
    names = texts.say(", ").join(fit.line(each.label, 80) or "…" for each in left)
    return texts.say("They have not opened: {what}", what=names) if left else ""


def artifact_lines(artifacts: Sequence[Artifact], texts: Texts, fit: Fit) -> list[str]:
    return [f"• {proof_text(each, texts, fit)}" for each in fit.first(artifacts, 12)]


def artifact_text(artifact: Artifact, texts: Texts, fit: Fit) -> str:
    """What it is; of a file its size, of a link where it leads."""
    label = fit.line(artifact.label, 120) or "…"
    if artifact.is_link:
        return texts.say("{link} (a link, which ToWow does not open)", link=web_link(artifact.uri, label))
    return f"{label} · {size_text(artifact.size_bytes, texts)}"


def proof_text(artifact: Artifact, texts: Texts, fit: Fit) -> str:
    """The same for whoever approves it, with the beginning of a file's digest."""
    told = artifact_text(artifact, texts, fit)
    digest = fit.line(artifact.digest.removeprefix("sha256:")[:12], 20)
    return told if artifact.is_link else f"{told} · sha256 {digest}…"


def _check(check: CheckRun, texts: Texts, fit: Fit) -> str:
    name = fit.line(check.name, 60)
    return (
        texts.say("✅ {check} has passed", check=name)
        if check.has_passed
        else texts.say("❌ {check} has not passed", check=name)
    )


def _review(state: Delivery, ticket: Ticket, texts: Texts, fit: Fit) -> Iterator[str]:
    review = ticket.report.review if ticket.report else None
    if review is None:
        return
    who = texts.say("The Manager") if review.by == MANAGER else whoever(state, review.by, texts, fit)
    notes = fit.line(review.notes or " ".join(review.requested_changes), 300)
    said = (
        texts.say("{who} has approved it.", who=who)
        if review.decision is ReviewDecision.APPROVED
        else texts.say("{who} has requested changes.", who=who)
    )
    yield f"{said} {notes}".strip()


MOST_FILES: Final = 20
LARGEST: Final = 100_000_000
"""Bytes of all files that are put into one thread."""
LONGEST_NAME: Final = 80


def to_share(files: Sequence[Artifact]) -> tuple[Sequence[Artifact], int]:
    """The ones that are put into the thread, and how many are not."""
    shared: list[Artifact] = []
    left = LARGEST
    for each in files[:MOST_FILES]:
        if each.size_bytes <= left:
            shared.append(each)
            left -= each.size_bytes
    return shared, len(files) - len(shared)


def file_name(state: Delivery, artifact: Artifact) -> str:
    """With its ticket's id, as several tickets may have made files of one name."""
    name = plain_line(PurePosixPath(artifact.uri).name, LONGEST_NAME) or "file"
    made_by = next((each.ticket_id for each in state.tickets.values() if artifact in each.artifacts), "")
    return f"{made_by}-{name}" if made_by else name


def message(state: Delivery, shared: Sequence[Artifact], left_out: int, texts: Texts) -> list[Block]:
    """What the files come with: which result each is, and what is not among them."""
    fit = Fit(0.5)
    lines = []
    for ticket in state.tickets.values():
        made = [each for each in ticket.artifacts if each in shared]
        if made:
            what = texts.say(", ").join(
                f"{fit.line(each.label, 120)} ({size_text(each.size_bytes, texts)})" for each in made
            )
            lines.append(f"• {ticket_title(ticket, fit, 120)}: {what}")
    if left_out:
        lines.append(
            texts.count(
                "{n} file is too large or one too many for the thread; it is kept with the others.",
                "{n} files are too large or too many for the thread; they are kept with the others.",
                left_out,
            )
        )
    return blocks.titled_list(texts.say("📎 *What was made*"), lines)


def not_shared(texts: Texts) -> str:
    return texts.say("The files that were made could not be put into the thread. They are kept, and can be sent again.")
