"""Moves of a delivery in any order: people, the Manager, workers, failures, alarms; held to what always holds."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from engine.delivery import answers as said
from engine.delivery import commands as asked
from engine.delivery.events import ReviewGiven
from engine.delivery.outstanding import RETRY, alarms, effects, is_persons_to_discuss
from engine.delivery.policy import Policy
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, Status, Ticket, TicketStatus
from engine.delivery.terms import (
    MANAGER,
    Cost,
    Owner,
    Permission,
    PermissionChoice,
    PersonNeed,
    ReviewDecision,
    Task,
    WorkerKind,
)
from engine.delivery.tickets.advancing import WORKABLE, has_slot
from engine.delivery.tickets.owners import checker_of, doers
from engine.delivery.work.working import can_be_read
from engine.errors import Refusal
from engine.kernel import (
    AlarmRang,
    Ask,
    Command,
    Effect,
    EffectFailed,
    Event,
    Place,
    Recover,
    RegisterOutputs,
    RunWorker,
)
from tests.given import Moment

from .scenario import (
    ANN,
    BO,
    BRIEF,
    DIGEST,
    FOR_AGENT,
    FOR_ANN,
    FOR_SCRIPT,
    FOR_WRITER,
    NOON,
    REQUESTER,
    ROLES,
    STREAM,
    artifact,
    evidence,
    task,
)

OWNERS: Final = (FOR_ANN, FOR_AGENT, FOR_SCRIPT, FOR_WRITER, Owner())
DIGESTS: Final = (DIGEST, "sha256:" + "1" * 64)
FAILURES: Final = ("timeout", "exit", "evidence_missing", "role_missing", "budget", "interrupted")


class World:
    """A delivery, its outbox and its alarms, as the runtime keeps them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.state = Delivery()
        self.outbox: dict[str, Effect] = {}
        self.alarms: dict[str, int] = {}
        self.history: list[Event] = []
        self.moments: list[Moment] = []
        self.now = NOON
        self._commands = 0

    # ── what happens ──────────────────────────────────────────────────────────────────────────────────────────────

    def does(self, command: type[Command], **fields: Any) -> None:
        """Hand over a command; whatever follows is kept, and held to what always holds."""
        self._commands += 1
        self.now += self.random.choice((0, 1_000, 60_000, 3_600_000))
        before = self.state
        try:
            decision = RULEBOOK.decide(before, command(command_id=f"c{self._commands}", at=self.now, **fields))
        except Refusal:
            return
        for event in decision.events:
            if isinstance(event, ReviewGiven) and event.decision is ReviewDecision.APPROVED:
                ticket = self.state.tickets[event.ticket_id]
                if ticket.task.checked_by:
                    assert event.by == (checker_of(self.state, ticket) or event.by), "whom it names approves it"
                    assert event.by not in {MANAGER, *doers(ticket)}, "another pair of eyes"
                assert event.by != MANAGER or can_be_read(ticket), "nobody has looked at it"
            self.state = RULEBOOK.evolve(self.state, event)
            self.history.append(event)
        assert self.state == decision.state
        self.moments.append(Moment(RULEBOOK.protocol, self.state, tuple(self.history), self.now))
        for name in decision.drop:
            self.outbox.pop(name, None)
        for effect in decision.effects:
            assert effect.name not in self.outbox, f"{effect.name} is owed twice"
            self.outbox[effect.name] = effect
        for name in decision.clear:
            self.alarms.pop(name, None)
        self.alarms |= {each.name: each.due for each in decision.alarms}
        self._holds()

    def _holds(self) -> None:
        state = self.state
        assert self.outbox == effects(state), "what is owed is in the outbox, and nothing else"
        due = alarms(state)
        late = {name for name in due if name.startswith(f"{RETRY}-") and due[name] <= self.now}
        assert self.alarms.items() <= due.items()
        assert due.keys() - self.alarms.keys() <= late, "only a retry that waits for a free slot has rung"
        assert not state.is_open or self.outbox or self.alarms, "it waits for something"
        if state.status is Status.WORKING:
            for ticket in state.tickets.values():
                self._waits(ticket)
        for ticket in state.tickets.values():
            assert sum(not each.ended_at for each in ticket.attempts) <= 1, "it runs once at a time"
            for each in ticket.proposal_answers:
                assert each.by in (ANN, BO, REQUESTER, *(role.role_id for role in ROLES)), "nobody has said so"
            if ticket.status is TicketStatus.DONE:
                self._is_proven(ticket.ticket_id)
            if ticket.status in WORKABLE and state.status is Status.WORKING:
                assert ticket.owner.kind is not WorkerKind.NOBODY or ticket.need is not None, "nobody is told"
        working = [each for each in state.tickets.values() if each.running and not each.is_a_persons]
        assert len(working) <= state.policy.workers_at_once

    def _waits(self, ticket: Ticket) -> None:
        """An open ticket waits for a machine, a person, another ticket, its next attempt, or a free slot."""
        state = self.state
        is_owed = any(getattr(each, "about", "") == ticket.ticket_id for each in self.outbox.values())
        is_a_persons_turn = ticket.is_a_persons and ticket.status in (
            TicketStatus.IN_PROGRESS,
            TicketStatus.DISCUSSING,
        )
        is_next = ticket.status is TicketStatus.IN_PROGRESS and not ticket.is_stuck and not ticket.running
        is_held_up = is_next and (ticket.retry_at > 0 or not has_slot(state, ticket))
        waits = is_owed or ticket.need is not None or is_a_persons_turn or is_held_up or state.waits_for(ticket)
        assert not ticket.is_open or waits, f"{ticket.ticket_id} is left {ticket.status}: nobody is told"

    def _is_proven(self, ticket_id: str) -> None:
        """Done is what was reported with proof, and approved."""
        ticket = self.state.tickets[ticket_id]
        report = ticket.report
        assert report is not None
        assert report.review is not None
        assert report.review.decision is ReviewDecision.APPROVED
        assert {each.label for each in ticket.task.outputs} <= {each.label for each in report.artifacts}

    def folded(self) -> Delivery:
        return RULEBOOK.fold(self.history)

    # ── moves ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def begin(self) -> None:
        draw = self.random
        policy = Policy(
            retries=draw.choice((0, 1, 2)),
            interruptions=draw.choice((0, 2)),
            review_cycles=draw.choice((1, 2)),
            escalations=draw.choice((0, 1, 2)),
            workers_at_once=draw.choice((1, 2, 8)),
            ticket_tokens=draw.choice((0, 100)),
            delivery_tokens=draw.choice((0, 150)),
        )
        self.does(
            asked.OpenDelivery,
            session_id=STREAM,
            by=REQUESTER,
            brief=BRIEF,
            policy=policy,
            place=Place(channel="C"),
            roles=ROLES,
            tasks=tuple(self._task(number) for number in range(draw.randint(0, 5))),
        )

    def _task(self, number: int) -> Task:
        draw = self.random
        return task(
            f"t{number}",
            draw.choice(OWNERS),
            depends_on=tuple(f"t{other}" for other in range(number) if draw.random() < 0.3),
            needs_proposal=draw.random() < 0.2,
            capabilities=draw.choice(((), ("coding",))),
            deadline=draw.choice(("", "2027-01-20")),
        )

    def move(self) -> None:
        draw = self.random.random()
        if self.outbox and draw < 0.55:
            self.answers(self.random.choice(sorted(self.outbox)))
        elif self.alarms and draw < 0.6:
            self.rings(self.random.choice(sorted(self.alarms)))
        elif draw < 0.63:
            self.does(Recover, running=tuple(self.outbox))
        elif self.state.tickets:
            self._person()
        elif (open_ := self.state.open_clarification) is not None:
            self.does(asked.AnswerClarification, by=REQUESTER, number=open_.number, answers=("a",))

    def rings(self, name: str) -> None:
        self.now = max(self.now, self.alarms.pop(name))
        self.does(AlarmRang, name=name)

    def answers(self, name: str, *, well: bool = False) -> None:
        """What was owed has come to something, or to nothing."""
        effect, number = self.outbox.pop(name), int(name.rpartition("-")[2])
        if not well and self.random.random() < 0.12:
            self.does(EffectFailed, name=name, why="X")
            return
        if isinstance(effect, Ask):
            self._manager(effect, number, well=well)
        elif isinstance(effect, RunWorker | RegisterOutputs):
            self._worker(effect, number, well=well)

    def _manager(self, ask: Ask, number: int, *, well: bool) -> None:
        draw = self.random
        about: dict[str, Any] = {"ticket_id": ask.about, "number": number}
        answer: Any = None
        match ask.prompt:
            case "clarify":
                questions = () if well or draw.random() < 0.5 else ("q?",)
                self.does(asked.RecordClarification, number=number, answer=said.ClarifyAnswer(questions=questions))
            case "plan":
                made = 1 if well else draw.randint(0, 3)
                tasks = tuple(self._planned(each, well=well) for each in range(made))
                self.does(asked.RecordPlan, number=number, answer=said.PlanAnswer(tasks=tasks))
            case "report":
                self.does(asked.RecordFinalReport, answer=said.FinalReportAnswer(summary="s"))
            case "propose":
                self.does(asked.RecordProposal, answer=said.ProposeAnswer(summary="s"), **about)
            case "discuss":
                self.does(asked.RecordDiscussion, answer=self._word(well=well), **about)
            case "instruct":
                self.does(asked.RecordInstruction, answer=said.InstructAnswer(summary="s"), **about)
            case "work":
                outputs = ("text",) if well or draw.random() < 0.7 else ()
                answer = said.WorkAnswer(outputs=outputs, issues=draw.choice(((), ("x",))))
                self.does(asked.RecordWords, answer=answer, cost=Cost(input_tokens=draw.choice((0, 20))), **about)
            case "review":
                wanted: Any = "approved" if well or draw.random() < 0.5 else "changes_requested"
                self.does(asked.RecordReview, answer=said.ReviewAnswer(decision=wanted), **about)
            case "advise":
                action: Any = draw.choice(("answer", "instruct", "reassign", "ask", "give_up"))
                answer = said.AdviseAnswer(
                    action=action, text=draw.choice(("", "t")), role_id=draw.choice(("", "writer"))
                )
                self.does(asked.RecordAdvice, answer=answer, **about)

    def _planned(self, number: int, *, well: bool) -> said.PlannedTask:
        before = (f"p{self.random.randint(0, 3)}",) if not well and self.random.random() < 0.3 else ()
        owner = self.random.choice(("ann", "worker_agent", "writer", ""))
        return said.PlannedTask(task_id=f"p{number}", title="Do", owner=owner, depends_on=before)

    def _word(self, *, well: bool) -> said.DiscussAnswer | None:
        """A machine's on a proposal, if any can be read."""
        if not well and self.random.random() < 0.2:
            return None
        return said.DiscussAnswer(agrees=well or self.random.random() < 0.5)

    def _worker(self, effect: RunWorker | RegisterOutputs, number: int, *, well: bool) -> None:
        draw = self.random
        about: dict[str, Any] = {"ticket_id": effect.about}
        if isinstance(effect, RunWorker) and effect.purpose == "discuss":
            self.does(asked.RecordDiscussion, number=number, answer=self._word(well=well), **about)
            return
        about |= {"attempt": number, "cost": Cost(input_tokens=0 if well else draw.choice((0, 20)))}
        kind = 0.0 if well else draw.random()
        if kind < 0.45:
            outputs = self.state.tickets[effect.about].task.outputs
            self.does(asked.RecordWork, artifacts=tuple(artifact(each.label) for each in outputs), **about)
        elif kind < 0.6:
            self.does(asked.RecordWork, failure=draw.choice(FAILURES), **about)
        elif kind < 0.75:
            self.does(asked.RecordWork, issues=("x",), **about)
        elif kind < 0.85:
            self.does(asked.RecordWork, **about)
        else:
            permission = Permission(digest=draw.choice(DIGESTS), kind="edit", title="t")
            self.does(asked.RecordWork, permission=permission, **about)

    def _person(self) -> None:
        draw = self.random
        name = draw.choice(sorted(self.state.tickets))
        ticket, by = self.state.tickets[name], draw.choice((ANN, BO, REQUESTER))
        shown = tuple(evidence(each.label) for each in ticket.task.outputs)
        digests = [*ticket.permissions] or [DIGEST]
        choice = draw.choice([*PermissionChoice])
        acts: tuple[tuple[type[Command], dict[str, Any]], ...] = (
            (asked.StartTicket, {"ticket_id": name}),
            (asked.BlockTicket, {"ticket_id": name, "why": "w"}),
            (asked.FinishTicket, {"ticket_id": name, "evidence": shown}),
            (asked.AnswerProposal, {"ticket_id": name, "agrees": draw.random() < 0.5, "text": "t"}),
            (asked.HandTicketOver, {"ticket_id": name, "to": BO}),
            (asked.TakeTicket, {"ticket_id": name}),
            (asked.DeclineTicket, {"ticket_id": name}),
            (asked.ReviewTicket, {"ticket_id": name, "approves": draw.random() < 0.7, "changes": "more"}),
            (asked.AnswerBlock, {"ticket_id": name, "text": "t"}),
            (asked.AnswerPermission, {"ticket_id": name, "digest": draw.choice(digests), "choice": choice}),
            (asked.ChangeOwner, {"ticket_id": name, "owner": draw.choice(OWNERS)}),
            (asked.ResetTicket, {"ticket_id": name}),
            (
                asked.ChangeChecking,
                {
                    "ticket_id": name,
                    "is_high_risk": draw.random() < 0.3,
                    "risk_reason": "r",
                    "checked_by": draw.choice(["", BO, ANN]),
                },
            ),
            (asked.RaiseBudget, {"tokens": 100}),
            (asked.CheckerUnreachable, {"ticket_id": name, "user_id": draw.choice([BO, ANN])}),
        )
        seldom: tuple[tuple[type[Command], dict[str, Any]], ...] = (
            (asked.DropTicket, {"ticket_id": name}),
            (asked.AddTicket, {"title": "x", "owner": draw.choice(OWNERS), "depends_on": (name,)}),
            (asked.StopDelivery, {}),
        )
        command, fields = draw.choice(seldom) if draw.random() < 0.04 else draw.choice(acts)
        fields = fields if command is asked.CheckerUnreachable else fields | {"by": by}
        self.does(command, **fields)

    # ── to the end ────────────────────────────────────────────────────────────────────────────────────────────────

    def finish(self) -> None:
        """Whoever is asked answers well, and it ends."""
        for _ in range(600):
            if not self.state.is_open:
                return
            if self.outbox:
                self.answers(min(self.outbox), well=True)
            elif (open_ := self.state.open_clarification) is not None:
                self.does(asked.AnswerClarification, by=REQUESTER, number=open_.number, answers=("a",))
            elif self.state.status is Status.WORKING:
                self._settle()
        raise AssertionError(f"it does not end: {self.state.status}, {sorted(self.alarms)}")

    def _settle(self) -> None:
        """The people settle what waits for them, and nobody drops anything."""
        before = len(self.history)
        for ticket in self.state.tickets.values():
            about: dict[str, Any] = {"by": REQUESTER, "ticket_id": ticket.ticket_id}
            match ticket.need:
                case PersonNeed.OWNER:
                    self.does(asked.ChangeOwner, owner=self.random.choice(OWNERS[:4]), **about)
                case PersonNeed.BLOCKED:
                    self.does(asked.AnswerBlock, text="So it is.", **about)
                case PersonNeed.PERMISSION:
                    (digest,) = (name for name, each in ticket.permissions.items() if each.choice is None)
                    self.does(asked.AnswerPermission, digest=digest, choice=PermissionChoice.ONCE, **about)
                case PersonNeed.CONSENT:
                    self.does(asked.AnswerProposal, agrees=True, **about)
                case PersonNeed.REVIEW:
                    if ticket.task.checked_by and not checker_of(self.state, ticket):
                        out = doers(ticket) | {ticket.checker_gone}
                        other = next(user for user in (ANN, BO, REQUESTER, "U_ADMIN") if user not in out)
                        self.does(asked.ChangeChecking, is_high_risk=False, checked_by=other, **about)
                    by = checker_of(self.state, self.state.tickets[ticket.ticket_id]) or REQUESTER
                    self.does(asked.ReviewTicket, approves=True, **about | {"by": by})
                case PersonNeed.FAILED:
                    self.does(asked.ResetTicket, **about)
                case PersonNeed.BUDGET:
                    self.does(asked.RaiseBudget, by=REQUESTER, tokens=10_000)
                case None if is_persons_to_discuss(ticket):
                    self.does(asked.AnswerProposal, agrees=True, **about)
                case None if ticket.is_a_persons and ticket.status is TicketStatus.IN_PROGRESS:
                    shown = tuple(evidence(each.label) for each in ticket.task.outputs)
                    self.does(asked.FinishTicket, evidence=shown, **about)
                case _:
                    continue
            break
        if len(self.history) > before:
            return
        if self.state.is_spent:
            self.does(asked.RaiseBudget, by=REQUESTER, tokens=10_000)
        elif self.alarms:
            self.rings(min(self.alarms, key=lambda name: self.alarms[name]))
