"""What it takes for a claim to be proven: each expected output is there, registered, and every check has passed."""

import re
from collections.abc import Sequence
from typing import Final

from engine.delivery.state import Ticket
from engine.delivery.terms import MANAGER, Artifact, CheckRun, FailureCode, ReviewDecision

_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")


def lacking(ticket: Ticket, artifacts: Sequence[Artifact], checks: Sequence[CheckRun]) -> FailureCode | None:
    """Return what a claim lacks; None where it is proven."""
    there = {each.label for each in artifacts if _is_registered(each)}
    if any(each.label not in there for each in ticket.task.outputs):
        return "evidence_missing"
    if any(not each.has_passed for each in checks):
        return "check_failed"
    if ticket.task.check and all(each.name != ticket.task.check for each in checks):
        return "check_failed"
    return None


def can_be_read(ticket: Ticket) -> bool:
    """Whether all that was reported can be looked at without opening anything: its text is known to the end, or code
    has checked it. A link never can.
    """
    report = ticket.report
    if report is None:
        return False
    said = {each.label for each in ticket.shown if each.text}
    is_checked = bool(report.checks) and all(each.has_passed for each in report.checks)
    return all(
        not each.is_link and (is_checked or each.label in said or _is_known_whole(each)) for each in report.artifacts
    )


def _is_known_whole(artifact: Artifact) -> bool:
    """Whether what is kept of a text is all of it: nobody approves what they have read a part of."""
    return bool(artifact.beginning.strip()) and len(artifact.beginning.encode()) >= artifact.size_bytes


LONGEST_ON_CARD: Final = 300
"""Characters of a text that a card shows whole."""


def on_card(ticket: Ticket, artifact: Artifact) -> str:
    """Return the text that was shown for an output, as far as a card shows it whole; else it is to be opened."""
    text = next((each.text for each in ticket.shown if each.label == artifact.label), "").strip()
    return text if not artifact.is_link and len(text) <= LONGEST_ON_CARD else ""


def unread(ticket: Ticket, user: str) -> tuple[Artifact, ...]:
    """Return what was shown in the latest report and somebody has not opened."""
    return tuple(ticket.artifacts[number - 1] for number in unread_numbers(ticket, user))


def unread_numbers(ticket: Ticket, user: str) -> tuple[int, ...]:
    """Return the same by its numbers, from 1."""
    report = ticket.report
    if report is None:
        return ()
    return tuple(
        number
        for number, each in enumerate(report.artifacts, 1)
        if not on_card(ticket, each) and (user, number) not in report.opened
    )


def approved_unread(ticket: Ticket) -> tuple[Artifact, ...]:
    """Return what a person who has approved the latest report had not opened."""
    review = ticket.report.review if ticket.report else None
    if review is None or review.decision is not ReviewDecision.APPROVED or review.by == MANAGER:
        return ()
    return unread(ticket, review.by)


def _is_registered(artifact: Artifact) -> bool:
    return bool(artifact.uri and _DIGEST.fullmatch(artifact.digest)) and artifact.size_bytes > 0
