"""Deliveries of every kind, made by the rules: whatever is planned, asked, answered and decided, in any words.

They are the same in every run; with the profile ``exhaustive`` they are drawn anew.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from engine.delivery import commands as asked
from engine.delivery.answers import FinalReportAnswer
from engine.delivery.policy import Policy
from engine.delivery.state import Delivery, Status, Ticket, TicketStatus
from engine.delivery.terms import Brief, CheckRun, Cost, ExpectedOutput, Owner, Permission, PermissionChoice, Task
from engine.kernel import HandedPerson, Place
from tests.delivery.scenario import (
    ANN,
    BO,
    FOR_AGENT,
    FOR_ANN,
    FOR_SCRIPT,
    FOR_WRITER,
    REQUESTER,
    Scenario,
    artifact,
)
from tests.views.corpus import Generated

PLACE: Final = Place(channel="C_LOBBY", thread="1800000000.000100")
POLICY: Final = Policy(retries=0, escalations=1, review_cycles=2, delivery_tokens=2_000, ticket_tokens=900)

Texts = Callable[[], str]


def _played(draws: Random, pieces: Sequence[str]) -> Scenario:
    """
    Args:
        pieces: everything that anybody says in it is one of these.
    """

    def text() -> str:
        return draws.choice(pieces)

    scenario = Scenario(policy=POLICY, brief=_brief(draws, text))
    if draws.random() < 0.2:
        scenario.opens(place=PLACE)
        _clarifies(scenario, draws, text)
        if draws.random() < 0.5:
            return scenario
    else:
        scenario.opens(*_tasks(draws, text), place=PLACE)
    for _ in range(draws.choice((0, 3, 12, 40))):
        if scenario.state.status is not Status.WORKING or not scenario.state.tickets:
            break
        _moves(scenario, draws.choice([*scenario.state.tickets.values()]), draws, text)
    if scenario.state.is_open and draws.random() < 0.3:
        scenario.does(asked.StopDelivery, by=REQUESTER)
    if scenario.state.status is Status.REPORTING and draws.random() < 0.9:
        some = tuple(text() or "x" for _ in range(draws.randrange(15)))
        answer = FinalReportAnswer(summary=text() or "x", learned=some, next_steps=some)
        scenario.does(asked.RecordFinalReport, answer=draws.choice((answer, None)))
    if draws.random() < 0.05:
        scenario.does(asked.EraseWords, whose=draws.choice(("", ANN)))
    return scenario


def _brief(draws: Random, text: Texts) -> Brief:
    return Brief(
        title=text() or "x",
        goal=("x" + text())[:4_000],
        origin=draws.choice(("", "collab-1")),
        today="2026-12-01",
        ends=draws.choice(("", "2027-02-01")),
        people=(
            HandedPerson(person_id="ann", user_id=ANN, name=text()),
            HandedPerson(person_id="bo", user_id=BO, name="Bo"),
        ),
    )


def _tasks(draws: Random, text: Texts) -> tuple[Task, ...]:
    count = draws.choice((1, 3, 12, 100))
    return tuple(
        Task(
            task_id=f"task-{number}",
            title=text().strip() or "x",
            description=text(),
            owner=draws.choice((FOR_ANN, FOR_AGENT, FOR_SCRIPT, FOR_WRITER, Owner(), Owner(name=text()))),
            depends_on=tuple(f"task-{each}" for each in range(number) if draws.random() < 0.05),
            outputs=tuple(ExpectedOutput(label=f"{each} {text()}") for each in range(draws.choice((0, 1, 8)))),
            acceptance=(text(),),
            deadline=draws.choice(("", "2027-02-01", "2027-02-30")),
            needs_proposal=draws.random() < 0.1,
        )
        for number in range(count)
    )


def _clarifies(scenario: Scenario, draws: Random, text: Texts) -> None:
    scenario.clarifies(*(text() or "x" for _ in range(draws.choice((1, 5)))))
    asks = scenario.state.open_clarification
    if asks is not None and draws.random() < 0.6:
        answers = tuple(text()[:3_000] for _ in asks.questions)
        scenario.does(asked.AnswerClarification, by=REQUESTER, number=asks.number, answers=answers)


def _moves(scenario: Scenario, ticket: Ticket, draws: Random, text: Texts) -> None:
    """One thing that can happen to a ticket as it stands; what is refused changes nothing."""
    name = ticket.ticket_id
    leads: dict[str, Any] = {"by": REQUESTER, "ticket_id": name}
    said = ("x" + text())[:3_000]
    match ticket.status:
        case TicketStatus.PENDING if not scenario.state.waits_for(ticket):
            scenario.instructs(name, summary=text() or "x", steps=(text(),))
        case TicketStatus.DISCUSSING:
            _discusses(scenario, ticket, draws, text)
        case TicketStatus.IN_PROGRESS if ticket.need is not None:
            _decides(scenario, ticket, draws)
        case TicketStatus.IN_PROGRESS if ticket.is_a_persons and ticket.claim is None:
            if draws.random() < 0.3:
                scenario.does(asked.BlockTicket, by=ANN, ticket_id=name, why=said)
            elif draws.random() < 0.2:
                scenario.does(asked.HandTicketOver, by=ANN, ticket_id=name, to=BO)
            else:
                scenario.finishes(name, summary=said)
        case TicketStatus.IN_PROGRESS:
            _worked(scenario, ticket, draws, text)
        case TicketStatus.BLOCKED if draws.random() < 0.5:
            scenario.does(asked.AnswerBlock, text=said, **leads)
        case TicketStatus.BLOCKED:
            scenario.advises("ask", name, text=said)
        case TicketStatus.AWAITING_REVIEW:
            decision = draws.choice(("approved", "changes_requested"))
            scenario.reviews(decision, name, notes=text(), requested_changes=(said,))
            if draws.random() < 0.3:
                scenario.does(asked.ReviewTicket, approves=draws.random() < 0.5, changes=said, **leads)
        case TicketStatus.ERROR if draws.random() < 0.3:
            scenario.does(asked.ResetTicket, **leads)
        case _ if draws.random() < 0.1:
            scenario.does(asked.DropTicket, why=text()[:3_000], **leads)
        case TicketStatus.PENDING if ticket.owner.kind == "nobody" and draws.random() < 0.5:
            scenario.does(asked.ChangeOwner, owner=draws.choice((FOR_ANN, FOR_AGENT)), **leads)
        case _:
            pass


def _discusses(scenario: Scenario, ticket: Ticket, draws: Random, text: Texts) -> None:
    name, said = ticket.ticket_id, ("x" + text())[:3_000]
    if len(ticket.proposals) == len(ticket.proposal_answers):
        scenario.proposes(name, summary=said, draft_steps=(said,), open_questions=(said,), risks=(said,))
        return
    number = len(ticket.proposals) + len(ticket.unanswered)
    scenario.does(asked.RecordDiscussion, ticket_id=name, number=number, answer=None)
    if draws.random() < 0.4:
        by = draws.choice((ANN, REQUESTER))
        scenario.does(asked.AnswerProposal, ticket_id=name, by=by, agrees=draws.random() < 0.5, text=said)


def _decides(scenario: Scenario, ticket: Ticket, draws: Random) -> None:
    if (waiting := ticket.waiting_permission) is not None:
        scenario.permits(
            draws.choice([*PermissionChoice]), ticket_id=ticket.ticket_id, digest=waiting.permission.digest
        )
    elif draws.random() < 0.5:
        scenario.does(asked.RaiseBudget, by=REQUESTER, tokens=1_000)


def _worked(scenario: Scenario, ticket: Ticket, draws: Random, text: Texts) -> None:
    name = ticket.ticket_id
    cost = Cost(input_tokens=draws.randrange(400), usd=0.01)
    match draws.randrange(4):
        case 0:
            failure = draws.choice(("timeout", "exit", "agent_error", "misconfigured"))
            scenario.worked(name, failure=failure, detail=text(), cost=cost)
            scenario.advises(draws.choice(("ask", "give_up", "instruct")), name, text=text())
        case 1:
            digest = f"sha256:{draws.randrange(16**64):064x}"
            scenario.worked(name, cost=cost, permission=_permission(digest, text))
        case 2:
            scenario.worked(name, issues=(text() or "x", text() or "x"), cost=cost)
        case _:
            link = {"uri": "https://example.org/a|b<c>", "is_link": True}
            made = tuple(artifact(each.label, **(link if draws.random() < 0.3 else {})) for each in ticket.task.outputs)
            checks = (CheckRun(name="lint", has_passed=True),)
            scenario.worked(name, artifacts=made, summary=text(), checks=checks, cost=cost)


def _permission(digest: str, text: Texts) -> Permission:
    return Permission(digest=digest, kind="execute", title=text(), detail=text())


_GENERATED: Final = Generated[Delivery](_played)
deliveries, corpus, scenario = _GENERATED.any, _GENERATED.corpus, _GENERATED.scenario
