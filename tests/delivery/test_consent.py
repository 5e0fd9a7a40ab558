"""No readable consent is no consent: how a risky ticket is to be done is agreed to by somebody who has said so."""

import pytest

from engine.delivery import commands as asked
from engine.delivery import events as happened
from engine.delivery.answers import DiscussAnswer
from engine.delivery.state import TicketStatus
from engine.delivery.terms import Owner, PersonNeed
from engine.errors import IllegalStep, NotAllowed

from .scenario import ANN, FOR_AGENT, FOR_WRITER, REQUESTER, Scenario, opened, task

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
