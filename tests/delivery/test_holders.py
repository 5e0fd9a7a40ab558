"""Who has had a ticket, and who was asked to take it: whoever was written to has to be told what became of it."""

from engine.delivery import commands as asked
from engine.delivery.terms import Owner, WorkerKind
from engine.errors import IllegalStep

from .scenario import ANN, BO, REQUESTER, instructed, opened, task


def test_whoever_takes_a_ticket_has_it_after_whoever_handed_it_over() -> None:
    scenario = instructed()
    scenario.does(asked.HandTicketOver, by=ANN, ticket_id="T-1", to=BO)
    assert [(each.to, each.is_taken) for each in scenario.ticket().hand_overs] == [(BO, None)]
    scenario.does(asked.TakeTicket, by=BO, ticket_id="T-1")
    assert scenario.ticket().holders == (ANN, BO)
    assert [(each.by, each.is_taken) for each in scenario.ticket().hand_overs] == [(ANN, True)]


def test_a_ticket_that_is_declined_stays_where_it_was() -> None:
    scenario = instructed()
    scenario.does(asked.HandTicketOver, by=ANN, ticket_id="T-1", to=BO)
    scenario.does(asked.DeclineTicket, by=BO, ticket_id="T-1")
    assert scenario.ticket().holders == (ANN,)
    assert [each.is_taken for each in scenario.ticket().hand_overs] == [False]


def test_a_ticket_that_comes_back_is_held_once_more() -> None:
    scenario = instructed()
    for user in (BO, ANN):
        owner = Owner(kind=WorkerKind.PERSON, user_id=user)
        scenario.does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", owner=owner)
    assert scenario.ticket().holders == (ANN, BO, ANN)


def test_nobody_holds_what_a_leader_gives_to_a_role() -> None:
    scenario = instructed()
    owner = Owner(kind=WorkerKind.ACP, role_id="worker_agent")
    scenario.does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", owner=owner)
    assert scenario.ticket().holders == (ANN,)


def test_an_older_request_to_take_it_cannot_be_answered_any_more() -> None:
    scenario = instructed()
    for _ in range(2):
        scenario.does(asked.HandTicketOver, by=ANN, ticket_id="T-1", to=BO)
    scenario.does(asked.TakeTicket, by=BO, ticket_id="T-1", number=1).is_refused(IllegalStep)
    scenario.does(asked.TakeTicket, by=BO, ticket_id="T-1", number=2)
    assert scenario.ticket().owner.user_id == BO


def test_an_older_proposal_cannot_be_answered_any_more() -> None:
    scenario = opened(task(needs_proposal=True)).proposes()
    scenario.does(asked.AnswerProposal, by=ANN, ticket_id="T-1", agrees=False, text="Otherwise.", number=1).proposes()
    scenario.does(asked.AnswerProposal, by=ANN, ticket_id="T-1", agrees=True, number=1).is_refused(IllegalStep)
    scenario.does(asked.AnswerProposal, by=ANN, ticket_id="T-1", agrees=True, number=2)
    assert scenario.ticket().proposal_answers[-1].agrees
