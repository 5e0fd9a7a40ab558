"""What a delivery leaves across streams: what waits for whom, every act of a person, and what is forgotten."""

from typing import Any

from engine.delivery import commands as asked
from engine.delivery import events as happened
from engine.delivery.audit import ACTS, trail
from engine.delivery.forgetting import FORGETTER
from engine.delivery.inbox import DECISION, DELIVERY, ENDED_DELIVERY, OPEN_DELIVERY, TICKET, tickets
from engine.delivery.state import Delivery
from engine.delivery.terms import Brief
from engine.kernel import Command, Handled, Part, Whose

from .scenario import ANN, BO, FOR_AGENT, REQUESTER, STREAM, Scenario, instructed, opened, reported, task


def keys(scenario: Scenario) -> dict[str, set[str]]:
    """What is on record, by kind."""
    handled = Handled(
        stream=STREAM, turn=1, command=asked.StopDelivery(command_id="c", at=1, by=REQUESTER),
        before=Delivery(), after=scenario.state, events=tuple(scenario.history),
    )  # fmt: skip
    found: dict[str, set[str]] = {}
    for each in tickets(handled):
        found.setdefault(each.kind, set()).add(each.key)
    return found


# ── what waits for whom ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_ticket_is_its_owners_while_they_can_work_on_it() -> None:
    mine = {f"{ANN}/{STREAM}/T-1"}
    assert TICKET not in keys(opened())
    assert keys(instructed())[TICKET] == mine
    assert TICKET not in keys(instructed().finishes())
    assert TICKET not in keys(reported())
    asked_to_take = instructed().does(asked.HandTicketOver, by=ANN, ticket_id="T-1", to=BO)
    assert keys(asked_to_take)[TICKET] == {*mine, f"{BO}/{STREAM}/T-1"}


def test_a_decision_is_the_requesters_until_it_is_made() -> None:
    scenario = instructed(task(owner=FOR_AGENT)).asks_leave()
    assert keys(scenario)[DECISION] == {f"{REQUESTER}/{STREAM}/T-1"}
    assert DECISION not in keys(scenario.permits())
    assert keys(Scenario().opens().clarifies("By when?"))[DECISION] == {f"{REQUESTER}/{STREAM}/clarification"}


def test_a_delivery_is_found_while_it_goes_on_and_afterwards() -> None:
    open_, ended = keys(instructed()), keys(reported().reviews().reports())
    assert (open_[DELIVERY], open_[OPEN_DELIVERY]) == ({f"{REQUESTER}/{STREAM}"}, {STREAM})
    assert not {DELIVERY, OPEN_DELIVERY, TICKET, DECISION} & ended.keys()
    assert len(ended[ENDED_DELIVERY]) == 1


# ── who did what ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_act_of_a_person_is_filed() -> None:
    """Whatever somebody does has a ``by``, and a name in the audit trail."""
    named = {
        each
        for each in vars(asked).values()
        if isinstance(each, type) and issubclass(each, Command) and "by" in each.__struct_fields__
    }
    assert named - {asked.OwnersCommand, asked.LeadersCommand, asked.DecidersCommand} <= set(ACTS)


def test_a_refused_act_is_filed_too() -> None:
    scenario = instructed()
    command = asked.StopDelivery(command_id="c", at=1, by=BO)
    scenario.obeys(command)
    handled = Handled(
        stream=STREAM, turn=1, command=command, before=scenario.state, after=scenario.state, refusal=scenario.refused
    )
    assert trail(handled)
    machines = asked.RecordWork(command_id="c", at=1, ticket_id="T-1", attempt=1)
    assert not trail(Handled(stream=STREAM, turn=1, command=machines, before=scenario.state, after=scenario.state))


# ── what is forgotten ─────────────────────────────────────────────────────────────────────────────────────────────


def part(scenario: Scenario, **whose: Any) -> Part | None:
    return FORGETTER.part_of(scenario.state, Whose(**whose))


def test_it_is_forgotten_with_whoever_asked_and_in_part_with_whoever_took_part() -> None:
    assert part(reported(), user_id=REQUESTER) is Part.WHOLE
    assert part(reported(), user_id=ANN) is Part.OWN
    assert part(reported(), agent_ids=frozenset({"bo"})) is Part.OWN
    assert part(reported(), user_id="U_STRANGER") is None


def test_it_is_linked_to_what_it_was_made_of() -> None:
    brief = Brief(title="x", goal="Meet.", origin="collab-1")
    assert [each.stream for each in FORGETTER.links(Scenario(brief=brief).opens().state)] == ["collab-1"]


def test_what_others_did_by_hand_stays() -> None:
    scenario = instructed(task("a"), task("b", FOR_AGENT)).finishes().worked()
    scenario.worked("T-2", issues=("Which room?",)).does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-2", text="One.")
    erased = FORGETTER.quoting(scenario.history, Part.OWN, Whose(user_id=ANN))
    kinds = [type(each) for number, each in enumerate(scenario.history) if number in erased]
    assert happened.WorkClaimed in kinds
    assert happened.WorkReported in kinds
    assert happened.WorkBlocked in kinds, "the agent's words may quote hers"
    assert happened.Unblocked not in kinds


def test_what_goes_on_is_stopped_first() -> None:
    (command,) = FORGETTER.leave(instructed().state, Part.WHOLE, Whose(user_id=REQUESTER), command_id="c", at=1)
    assert isinstance(command, asked.StopDelivery)
    ended = reported().reviews().reports()
    assert not FORGETTER.leave(ended.state, Part.WHOLE, Whose(user_id=REQUESTER), command_id="c", at=1)
