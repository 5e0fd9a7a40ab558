"""What people had to decide about a ticket stays known, with who has settled it and how."""

from typing import Any

import pytest

from engine.delivery import commands as asked
from engine.delivery.terms import Owner, PermissionChoice, PersonNeed
from engine.errors import Outdated

from .scenario import ANN, DIGEST, FOR_AGENT, FOR_ANN, REQUESTER, Scenario, instructed, opened, task


def decisions(scenario: Scenario) -> list[tuple[int, PersonNeed, str, str]]:
    return [(each.number, each.need, each.outcome, each.by) for each in scenario.ticket().decisions]


def test_whoever_is_asked_about_a_block_answers_it_and_each_block_is_a_decision() -> None:
    scenario = instructed()
    for why in ("Which room?", "Which day?"):
        scenario.does(asked.BlockTicket, by=ANN, ticket_id="T-1", why=why)
        assert scenario.ticket().open_decision is not None
        scenario.does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", text="The big one")
    assert scenario.ticket().open_decision is None
    assert [each.text for each in scenario.ticket().decisions] == ["Which room?", "Which day?"]
    assert decisions(scenario) == [
        (1, PersonNeed.BLOCKED, "answered", REQUESTER), (2, PersonNeed.BLOCKED, "answered", REQUESTER),
    ]  # fmt: skip


def test_a_permission_stays_known_also_where_somebody_else_has_the_ticket_by_then() -> None:
    scenario = instructed(task(owner=FOR_AGENT)).asks_leave()
    assert scenario.ticket().decisions[-1].digest == DIGEST
    scenario.permits(PermissionChoice.REFUSE)
    scenario.asks_leave(digest="sha256:" + "1" * 64)
    scenario.does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", owner=FOR_ANN)
    assert decisions(scenario) == [
        (1, PersonNeed.PERMISSION, "refuse", REQUESTER), (2, PersonNeed.PERMISSION, "owner_changed", REQUESTER),
    ]  # fmt: skip


def test_a_ticket_that_is_dropped_needs_no_owner() -> None:
    scenario = opened(task(owner=Owner()))
    assert decisions(scenario) == [(1, PersonNeed.OWNER, "", "")]
    scenario.does(asked.DropTicket, by=REQUESTER, ticket_id="T-1")
    assert decisions(scenario) == [(1, PersonNeed.OWNER, "dropped", REQUESTER)]


def _blocked_twice() -> Scenario:
    scenario = instructed().does(asked.BlockTicket, by=ANN, ticket_id="T-1", why="Which room?")
    scenario.does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", decision=1, text="The big one")
    return scenario.does(asked.BlockTicket, by=ANN, ticket_id="T-1", why="Which day?")


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        (asked.AnswerBlock, {"text": "The small one"}),
        (asked.ChangeOwner, {"owner": FOR_AGENT}),
        (asked.DropTicket, {}),
        (asked.ResetTicket, {}),
        (asked.ReviewTicket, {"approves": True}),
    ],
)
@pytest.mark.parametrize("number", [1, 3])
def test_what_is_decided_on_a_card_that_is_not_the_newest_moves_nothing(
    command: type[asked.DecidersCommand], fields: dict[str, Any], number: int
) -> None:
    scenario = _blocked_twice()
    before = scenario.ticket()
    scenario.does(command, by=REQUESTER, ticket_id="T-1", decision=number, **fields).is_refused(Outdated)
    assert scenario.ticket() == before
    scenario.does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", decision=2, text="Monday")
    assert decisions(scenario)[-1] == (2, PersonNeed.BLOCKED, "answered", REQUESTER)


def test_of_two_who_decide_at_once_the_first_counts() -> None:
    scenario = instructed().does(asked.BlockTicket, by=ANN, ticket_id="T-1", why="Which room?")
    scenario.does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", decision=1, text="The big one")
    scenario.does(asked.DropTicket, by="U_ADMIN", as_admin=True, ticket_id="T-1", decision=1).is_refused(Outdated)
    assert decisions(scenario) == [(1, PersonNeed.BLOCKED, "answered", REQUESTER)]
