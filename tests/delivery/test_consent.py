"""What is risky is talked about first, and an agent that has to ask for leave waits for it."""

import pytest

from engine.delivery import commands as asked
from engine.delivery import events as happened
from engine.delivery.answers import DiscussAnswer, PlanAnswer, PlannedTask
from engine.delivery.state import TicketStatus
from engine.delivery.terms import Owner, PermissionChoice, PersonNeed, Role, Task, WorkerKind
from engine.delivery.work.work_orders import WORK
from engine.errors import IllegalStep, NotAllowed, Outdated
from engine.kernel import HandedTask, RunWorker

from .scenario import ANN, BRIEF, DIGEST, FOR_AGENT, FOR_WRITER, REQUESTER, Scenario, instructed, opened, task

DISCUSSING = TicketStatus.DISCUSSING


def unanswered(owner: Owner = FOR_AGENT) -> Scenario:
    """Its worker was asked twice, and nothing came that could be read."""
    scenario = opened(task(owner=owner, needs_proposal=True)).proposes()
    return answers_nothing(answers_nothing(scenario, 1), 2)


def answers_nothing(scenario: Scenario, number: int) -> Scenario:
    return scenario.does(asked.RecordDiscussion, ticket_id="T-1", number=number, answer=None, error="InvalidAnswer")


@pytest.mark.parametrize("owner", [FOR_AGENT, FOR_WRITER])
def test_a_machine_whose_word_cannot_be_read_is_asked_again_and_then_a_person(owner: Owner) -> None:
    scenario = opened(task(owner=owner, needs_proposal=True)).proposes()
    answers_nothing(scenario, 1).then(happened.ProposalUnanswered).owing("discuss-T-1-2")
    answers_nothing(scenario, 2).ticket_is(DISCUSSING, need=PersonNeed.CONSENT).owing()
    assert scenario.ticket().proposal_answers == ()


def test_an_agent_that_crashes_has_not_agreed() -> None:
    scenario = opened(task(owner=FOR_AGENT, needs_proposal=True)).proposes().fails("discuss-T-1-1")
    scenario.ticket_is(DISCUSSING).owing("discuss-T-1-2")
    scenario.does(asked.RecordDiscussion, ticket_id="T-1", number=2, answer=DiscussAnswer(agrees=False))
    scenario.owing("propose-T-1-2").proposes().owing("discuss-T-1-3")


def test_what_was_said_to_an_earlier_question_is_not_taken_for_the_later_one() -> None:
    scenario = answers_nothing(opened(task(owner=FOR_AGENT, needs_proposal=True)).proposes(), 1)
    scenario.does(asked.RecordDiscussion, ticket_id="T-1", number=1, answer=DiscussAnswer(agrees=True)).then()


def test_the_requester_agrees_in_its_place_and_is_named() -> None:
    scenario = unanswered()
    scenario.does(asked.AnswerProposal, by=ANN, ticket_id="T-1", agrees=True).is_refused(NotAllowed)
    scenario.does(asked.AnswerProposal, by=REQUESTER, ticket_id="T-1", agrees=True).owing("instruct-T-1-1")
    assert (scenario.ticket().proposal_answers[-1].by, scenario.ticket().need) == (REQUESTER, None)
    assert [(each.need, each.outcome, each.by) for each in scenario.ticket().decisions] == [
        (PersonNeed.CONSENT, "agreed", REQUESTER)
    ]
    scenario.does(asked.AnswerProposal, by=REQUESTER, ticket_id="T-1", agrees=True).is_refused(NotAllowed)


def test_the_requester_wants_it_otherwise_or_gives_it_to_somebody_else() -> None:
    other = {"by": REQUESTER, "ticket_id": "T-1", "agrees": False, "text": "In two steps."}
    unanswered().does(asked.AnswerProposal, **other).owing("propose-T-1-2")
    scenario = unanswered().does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", owner=FOR_WRITER)
    scenario.ticket_is(DISCUSSING).owing("discuss-T-1-3")


def test_whoever_was_silent_may_still_answer_themselves() -> None:
    scenario = opened(task(needs_proposal=True)).proposes().later(24 * 3600).rings("discuss-T-1")
    scenario.ticket_is(DISCUSSING, need=PersonNeed.CONSENT)
    scenario.does(asked.AnswerProposal, by=ANN, ticket_id="T-1", agrees=True).owing("instruct-T-1-1")
    scenario.does(asked.AnswerProposal, by=ANN, ticket_id="T-1", agrees=True).is_refused(IllegalStep)


def test_where_no_model_proposes_its_owner_is_asked_all_the_same() -> None:
    scenario = opened(task(owner=FOR_AGENT, needs_proposal=True, description="Move the data."))
    scenario.fails("propose-T-1-1").then(happened.ProposalMade).owing("discuss-T-1-1")
    assert scenario.ticket().proposals[-1].draft_steps == ("Move the data.",)


SAID = [
    "High risk: the room has no exit.",
    "This is irreversible.",
    "高风险：数据会丢失",
    "No es reversible; riesgo alto",
]
CAREFUL = Role(role_id="worker_agent", name="Agent", kind=WorkerKind.ACP, is_high_risk=True)


@pytest.mark.parametrize("text", SAID)
def test_no_word_of_a_text_says_so(text: str) -> None:
    opened(task(owner=FOR_AGENT, title=text, risks=(text,))).ticket_is(TicketStatus.PENDING).owing("instruct-T-1-1")


def test_nor_does_one_that_people_agreed_on() -> None:
    handed = HandedTask(task_id="a", title="A", owner="ann", expected_output="An irreversible move of the data")
    brief = type(BRIEF)(title="x", goal="Meet.", people=BRIEF.people, tasks=(handed,))
    Scenario(brief=brief).opens().ticket_is(TicketStatus.PENDING)


def test_the_managers_plan_says_so_with_its_reason() -> None:
    planned = PlannedTask(task_id="a", title="A", owner="ann", risk="high", risk_reason="It is public.")
    scenario = Scenario().opens().clarifies().plans(planned).ticket_is(TicketStatus.DISCUSSING)
    assert (scenario.ticket().task.risk, scenario.ticket().task.risk_reason) == ("high", "It is public.")


@pytest.mark.parametrize(
    ("said", "risk"),
    [
        ({"risk": "HIGH "}, "high"),
        ({"risk": None}, "low"),
        ({"risk": "perhaps"}, "low"),
        ({}, "low"),
        ({"high_risk": True}, "high"),
        ({"high_risk": True, "risk": "low"}, "low"),
        ({"high_risk": False}, "low"),
    ],
)
def test_what_a_model_says_of_it_is_read_leniently(said: dict[str, object], risk: str) -> None:
    [planned] = PlanAnswer.checked({"tasks": [{"task_id": "a", "title": "A", **said}]}).tasks
    assert planned.risk == risk


def test_what_was_said_to_need_a_proposal_still_does() -> None:
    opened(Task(task_id="a", title="A", owner=FOR_AGENT, needs_proposal=True)).ticket_is(TicketStatus.DISCUSSING)


def test_whatever_a_risky_role_does_is_discussed_first() -> None:
    risky = opened(task(owner=FOR_AGENT), roles=(CAREFUL,)).ticket_is(TicketStatus.DISCUSSING)
    assert risky.ticket().task.risk == "low"
    opened(task()).ticket_is(TicketStatus.PENDING)


def test_a_leader_ticks_it_for_a_ticket_that_is_there() -> None:
    said = {"ticket_id": "T-1", "is_high_risk": True, "risk_reason": "It cannot be undone."}
    scenario = opened(task(owner=FOR_AGENT)).does(asked.ChangeChecking, by=REQUESTER, **said)
    scenario.ticket_is(TicketStatus.DISCUSSING).owing("propose-T-1-1")
    assert scenario.ticket().task.risk_reason == "It cannot be undone."
    scenario.does(asked.ChangeChecking, by=REQUESTER, **said).is_refused(IllegalStep)
    scenario.does(asked.ChangeChecking, by=ANN, **{**said, "is_high_risk": False}).is_refused(NotAllowed)


def test_a_leader_ticks_it_for_a_ticket_that_is_added() -> None:
    added = opened(task()).does(
        asked.AddTicket, by=REQUESTER, title="Migrate it", owner=FOR_AGENT, is_high_risk=True, risk_reason="Data."
    )
    assert added.ticket("T-2").status is TicketStatus.DISCUSSING
    assert added.ticket("T-2").task.risk_reason == "Data."


OTHER = "sha256:" + "1" * 64
ONCE, TICKET, REFUSE = PermissionChoice.ONCE, PermissionChoice.TICKET, PermissionChoice.REFUSE


def asking() -> Scenario:
    return instructed(task(owner=FOR_AGENT)).asks_leave()


def told(scenario: Scenario) -> list[tuple[str, bool]]:
    """What the attempt that runs is told of earlier answers."""
    name = f"work-T-1-{len(scenario.ticket().attempts)}"
    order = WORK.order(scenario.state, RunWorker(name=name, scope=name, about="T-1"), at=scenario.now)
    return [(each.digest, each.is_allowed) for each in order.permissions]


def test_its_process_is_gone_and_the_question_stays() -> None:
    scenario = asking().ticket_is(TicketStatus.IN_PROGRESS, need=PersonNeed.PERMISSION).owing()
    assert scenario.ticket().running is None
    assert scenario.ticket().agent_session == "s-1"
    assert scenario.state.is_open


@pytest.mark.parametrize("choice", PermissionChoice)
def test_once_answered_it_goes_on_in_its_session_and_is_told(choice: PermissionChoice) -> None:
    scenario = asking().later(7 * 3600).permits(choice).then(happened.PermissionAnswered, happened.WorkStarted)
    scenario.owing("work-T-1-2")
    assert told(scenario) == [(DIGEST, choice is not REFUSE)]
    assert WORK.order(
        scenario.state, RunWorker(name="work-T-1-2", scope="s", about="T-1"), at=scenario.now
    ).agent_session == "s-1"  # fmt: skip


def test_only_the_requester_and_admins_give_leave() -> None:
    asking().permits(by=ANN).is_refused(NotAllowed)
    asking().permits(by=ANN, as_admin=True).then(happened.PermissionAnswered, happened.WorkStarted)


def test_an_answer_counts_once_and_for_what_was_asked() -> None:
    asking().permits(digest=OTHER).is_refused(Outdated)
    asking().permits().permits(REFUSE).is_refused(IllegalStep, "answered already")


def test_a_different_question_is_asked_anew() -> None:
    scenario = asking().permits().asks_leave(digest=OTHER)
    scenario.ticket_is(TicketStatus.IN_PROGRESS, need=PersonNeed.PERMISSION)
    waiting = scenario.ticket().waiting_permission
    assert waiting is not None
    assert waiting.permission.digest == OTHER


def test_once_is_for_one_attempt() -> None:
    scenario = asking().permits(ONCE).later(60).worked(failure="exit").later(60).rings("retry-T-1")
    assert told(scenario) == []
    scenario.asks_leave().ticket_is(TicketStatus.IN_PROGRESS, need=PersonNeed.PERMISSION)


def test_for_the_ticket_it_holds_until_it_expires() -> None:
    scenario = asking().permits(TICKET).worked(failure="exit").later(60).rings("retry-T-1")
    assert told(scenario) == [(DIGEST, True)]
    scenario.later(25 * 3600)
    assert told(scenario) == []


def test_ten_questions_are_ten_answers() -> None:
    scenario = instructed(task(owner=FOR_AGENT))
    for number in range(10):
        digest = f"sha256:{number:064}"
        scenario.asks_leave(digest=digest).later(60).permits(digest=digest).later(60)
    scenario.worked().ticket_is(TicketStatus.AWAITING_REVIEW)
    assert len([each for each in scenario.history if isinstance(each, happened.PermissionAnswered)]) == 10


def test_another_owner_has_no_leave() -> None:
    scenario = asking().permits(TICKET)
    owner = type(FOR_AGENT)(kind=FOR_AGENT.kind, role_id="worker_script")
    scenario.does(asked.ChangeOwner, by="U_ASKS", ticket_id="T-1", owner=owner)
    assert told(scenario) == []
    assert scenario.ticket().agent_session == ""
