"""What waits for whoever sits at the terminal, and the command inside of what they type."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from bot.commands.delivery.plan_file import YOU
from bot.commands.delivery.questions import Question, questions
from engine.delivery import commands as asked
from engine.delivery import events as happened
from engine.delivery.state import AskedPermission as Asked
from engine.delivery.state import Attempt, Clarification, Delivery, Status, Ticket, TicketStatus, WorkReport
from engine.delivery.terms import (
    Artifact,
    ExpectedOutput,
    Owner,
    Permission,
    PermissionChoice,
    PersonNeed,
    Role,
    Task,
    WorkerKind,
)
from engine.delivery.terms import Question as Told
from engine.errors import InvalidInput
from engine.kernel import Command

DIGEST = "sha256:" + "0" * 64
MINE = Owner(kind=WorkerKind.PERSON, user_id=YOU)
AGENTS = Owner(kind=WorkerKind.ACP, role_id="agent", name="Agent")
ROLES = {
    "agent": Role(role_id="agent", name="Agent", kind=WorkerKind.ACP),
    "boss": Role(role_id="boss", kind=WorkerKind.MODEL, is_manager=True),
}
OUTPUTS = (ExpectedOutput(label="Plan", path="plan.md"), ExpectedOutput(label="Photo", path="photo.png"))


def ticket(owner: Owner = AGENTS, status: TicketStatus = TicketStatus.IN_PROGRESS, **fields: object) -> Ticket:
    task = Task(task_id="t", title="Draw it", owner=owner, outputs=OUTPUTS)
    return replace(Ticket(ticket_id="T-1", task=task, owner=owner, status=status), **fields)


def delivery(*tickets: Ticket) -> Delivery:
    return Delivery(
        status=Status.WORKING, requester_id=YOU, roles=ROLES, tickets={each.ticket_id: each for each in tickets}
    )


def one(state: Delivery) -> Question:
    [question] = questions(state, lambda path: f"F-{path}")
    return question


def typed(question: Question, *lines: str) -> Command | None:
    return question.read(lines, "c", 1)


def told(command: Command | None) -> dict[str, object]:
    assert command is not None
    fields = {name: getattr(command, name) for name in command.__struct_fields__}
    assert (fields.pop("command_id"), fields.pop("at"), fields.pop("by")) == ("c", 1, YOU)
    return {name: value for name, value in fields.items() if value not in ("", (), False, 0)}


def test_the_manager_s_questions_are_asked_one_by_one() -> None:
    asks = Clarification(
        number=2, questions=(Told(question_id="a", text="Where?"), Told(question_id="b", text="When?")),
        intent_summary="", until=1,
    )  # fmt: skip
    question = one(Delivery(status=Status.CLARIFYING, clarifications=(asks,)))

    assert question.prompts == ("Where?", "When?")
    assert told(typed(question, "Here", "")) == {"number": 2, "answers": ("Here", "")}


@pytest.mark.parametrize(
    ("line", "choice"),
    [
        ("o", PermissionChoice.ONCE),
        ("Once", PermissionChoice.ONCE),
        ("t", PermissionChoice.TICKET),
        ("r", PermissionChoice.REFUSE),
    ],
)
def test_a_permission_is_shown_whole_with_its_digest(line: str, choice: PermissionChoice) -> None:
    permission = Permission(digest=DIGEST, kind="execute", title="rm", detail="rm -r a\nrm -r b")
    waiting = Asked(permission=permission, attempt=1, by="agent", at=1)

    question = one(delivery(ticket(permissions={DIGEST: waiting})))

    assert {"rm -r a", "rm -r b", DIGEST} <= {*question.said}
    assert told(typed(question, line)) == {"ticket_id": "T-1", "digest": DIGEST, "choice": choice}
    assert typed(question, "") is None


@pytest.mark.parametrize("line", ["x", "9", "yes"])
def test_what_is_no_choice_permits_nothing(line: str) -> None:
    permission = Permission(digest=DIGEST, kind="execute", title="rm")
    question = one(delivery(ticket(permissions={DIGEST: Asked(permission=permission, attempt=1, by="agent", at=1)})))

    with pytest.raises(InvalidInput, match="Type one of: o, t, r"):
        typed(question, line)


def needing(need: PersonNeed, status: TicketStatus, opened: frozenset[tuple[str, int]] = frozenset()) -> Question:
    made = Artifact(
        label="Plan", uri="artifacts/T-1/plan.md", digest=DIGEST, content_type="text/plain", size_bytes=7,
        beginning="# The plan",
    )  # fmt: skip
    report = WorkReport(number=1, attempt=1, by="agent", at=1, summary="Drawn.", artifacts=(made,), opened=opened)
    return one(delivery(ticket(status=status, need=need, reports=(report,), issues=("No pen",))))


@pytest.mark.parametrize(
    ("need", "status", "line", "kind", "expected"),
    [
        pytest.param(
            PersonNeed.OWNER, TicketStatus.PENDING, "2", asked.ChangeOwner,
            {"owner": Owner(kind=WorkerKind.ACP, role_id="agent", name="Agent")}, id="an owner",
        ),
        pytest.param(PersonNeed.OWNER, TicketStatus.PENDING, "1", asked.ChangeOwner, {"owner": MINE}, id="oneself"),
        pytest.param(PersonNeed.BLOCKED, TicketStatus.BLOCKED, "Buy", asked.AnswerBlock, {"text": "Buy"}, id="blocked"),
        pytest.param(
            PersonNeed.REVIEW, TicketStatus.AWAITING_REVIEW, "a", asked.ReviewTicket,
            {"approves": True, "report": 1}, id="approved",
        ),
        pytest.param(
            PersonNeed.REVIEW, TicketStatus.AWAITING_REVIEW, "o", asked.OpenEvidence,
            {"report": 1, "output": 1}, id="opened",
        ),
        pytest.param(
            PersonNeed.REVIEW, TicketStatus.AWAITING_REVIEW, "Larger", asked.ReviewTicket,
            {"changes": "Larger", "report": 1}, id="changes",
        ),
        pytest.param(PersonNeed.FAILED, TicketStatus.ERROR, "r", asked.ResetTicket, {}, id="reset"),
        pytest.param(PersonNeed.FAILED, TicketStatus.ERROR, "d", asked.DropTicket, {}, id="drop"),
        pytest.param(PersonNeed.FAILED, TicketStatus.ERROR, "1", asked.ChangeOwner, {"owner": MINE}, id="given away"),
        pytest.param(PersonNeed.BUDGET, TicketStatus.IN_PROGRESS, "d", asked.DropTicket, {}, id="too dear"),
    ],
)  # fmt: skip
def test_a_decision(
    need: PersonNeed, status: TicketStatus, line: str, kind: type[Command], expected: dict[str, object]
) -> None:
    command = typed(needing(need, status), line)

    assert type(command) is kind
    assert told(command) == {"ticket_id": "T-1"} | expected
    assert typed(needing(need, status), "") is None


def test_why_it_has_failed_is_said_with_what_would_help() -> None:
    why = "SOME_KEY of auth_profile vendor is not set where ToWow runs."
    attempt = Attempt(number=1, by="agent", started_at=1, ended_at=2, outcome="misconfigured", detail=why)
    failed = one(delivery(ticket(need=PersonNeed.FAILED, attempts=(attempt,))))

    assert failed.said[:2] == ("T-1 Draw it has failed: misconfigured", why)


def test_what_was_reported_is_shown_with_its_proof() -> None:
    said = "\n".join(needing(PersonNeed.REVIEW, TicketStatus.AWAITING_REVIEW).said)

    assert f"- Plan: artifacts/T-1/plan.md (7 bytes, {DIGEST})" in said


def test_what_was_opened_is_shown_and_what_is_unread_is_said_to_be() -> None:
    before = needing(PersonNeed.REVIEW, TicketStatus.AWAITING_REVIEW)
    after = needing(PersonNeed.REVIEW, TicketStatus.AWAITING_REVIEW, opened=frozenset({(YOU, 1)}))

    assert any(each.endswith(f"{DIGEST}), unread") for each in before.said)
    assert before.prompts == ("[o]pen what is unread, [a]pprove it unread, or say what has to change",)
    assert "  | # The plan" not in before.said
    assert "  | # The plan" in after.said
    assert after.prompts == ("[a]pprove, or say what has to change",)
    assert before.name != after.name, "it is asked again at once"


def test_that_nobody_else_is_here_to_approve_it_is_said_first() -> None:
    claimed = WorkReport(number=1, attempt=1, by=YOU, at=1, summary="", artifacts=())
    task = Task(task_id="a", title="Do it", owner=MINE, checked_by=YOU)
    waiting = ticket(MINE, TicketStatus.AWAITING_REVIEW, need=PersonNeed.REVIEW, task=task, reports=(claimed,))
    asked_first = one(delivery(waiting))

    assert asked_first.prompts == ("[a]lone, or say what has to change",)
    alone = typed(asked_first, "a")
    assert isinstance(alone, asked.ChangeChecking)
    assert alone.checked_by == ""
    assert isinstance(typed(asked_first, "Larger"), asked.ReviewTicket)
    assert typed(asked_first, "") is None


@pytest.mark.parametrize("line", ["much", "-1", "nan", "inf", "0"])
def test_a_budget_is_raised_by_an_amount(line: str) -> None:
    question = needing(PersonNeed.BUDGET, TicketStatus.IN_PROGRESS)

    assert told(typed(question, "2.5"))["usd"] == 2.5
    with pytest.raises(InvalidInput, match="no amount"):
        typed(question, line)


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (("The plan.", "https://example.org/p.png"), [("The plan.", "", ""), ("", "https://example.org/p.png", "")]),
        (("@a/plan.md", ""), [("", "", "F-a/plan.md")]),
    ],
)
def test_evidence_is_a_text_a_link_or_a_file(lines: Sequence[str], shown: list[tuple[str, str, str]]) -> None:
    command = typed(one(delivery(ticket(MINE))), *lines)

    assert isinstance(command, asked.FinishTicket)
    assert [(each.text, each.link, each.file_id) for each in command.evidence] == shown


def test_what_is_missing_blocks_a_ticket_of_one_s_own() -> None:
    question = one(delivery(ticket(MINE)))

    assert told(typed(question, "blocked: no pen", "")) == {"ticket_id": "T-1", "why": "no pen"}
    assert typed(question, "", "") is None


def test_a_proposal_is_agreed_to_or_answered() -> None:
    made = happened.ProposalMade(session_id="s", ticket_id="T-1", at=1, number=1, summary="Carefully")
    question = one(delivery(ticket(MINE, TicketStatus.DISCUSSING, proposals=(made,))))

    assert told(typed(question, "y")) == {"ticket_id": "T-1", "agrees": True}
    assert told(typed(question, "Too slow")) == {"ticket_id": "T-1", "text": "Too slow"}
