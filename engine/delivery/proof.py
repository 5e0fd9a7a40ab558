"""What it takes for a claim to be proven: each expected output is there, registered, and every check has passed."""

import re
from collections.abc import Sequence
from typing import Final

from engine.delivery.state import Ticket
from engine.delivery.terms import Artifact, CheckRun, FailureCode

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
    """Whether all that was reported can be looked at without opening anything: its text is known, or code has checked
    it. A link never can.
    """
    report = ticket.report
    if report is None:
        return False
    said = {each.label for each in ticket.shown if each.text}
    is_checked = bool(report.checks) and all(each.has_passed for each in report.checks)
    return all(
        not each.is_link and (is_checked or each.label in said or bool(each.beginning.strip()))
        for each in report.artifacts
    )


def _is_registered(artifact: Artifact) -> bool:
    return bool(artifact.uri and _DIGEST.fullmatch(artifact.digest)) and artifact.size_bytes > 0
