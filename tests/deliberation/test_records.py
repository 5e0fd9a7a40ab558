"""What stays on record of a deliberation: who did what, whose plans are open; and what of it is forgotten."""

import json
from typing import Any

import pytest

from engine.deliberation.audit import trail
from engine.deliberation.commands import (
    AskCritic,
    ChoosePosition,
    OpenDeliberation,
    RaisePoint,
    RecordPosition,
    StopDeliberation,
)
from engine.deliberation.events import (
    CriticAsked,
    DeliberationEnded,
    DeliberationOpened,
    HostDecided,
    PointRaised,
    PositionTaken,
    StopRequested,
    WordsErased,
)
from engine.deliberation.forgetting import FORGETTER
from engine.deliberation.own_plans import ENDED_PLAN, PLAN, UNDECIDED_PLAN, plans
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Status
from engine.deliberation.terms import Agent, Brief, Reason
from engine.errors import IllegalStep, NotAllowed
from engine.kernel import OPERATOR, Command, Handled, Link, Part, Record, Whose

from .scenario import (
    ANN,
    BRIEF,
    CRITIC,
    EVE,
    NOON,
    PLANNER,
    REQUESTER,
    STREAM,
    Scenario,
    criticised,
    in_round,
    opened,
    planned,
)

# ── who did what ──────────────────────────────────────────────────────────────────────────────────────────────────


def filed(scenario: Scenario, command: type[Command], **fields: Any) -> dict[str, Any]:
    """What is filed of a command, whether or not it was allowed."""
    before = scenario.state
    scenario.does(command, **fields)
    order = command(command_id="c", at=scenario.now, **fields)
    handled = Handled(STREAM, 7, order, before, scenario.state, scenario.last.events, scenario.refused)
    [in_stream, by_person] = trail(handled)
    assert in_stream.key == f"{STREAM}/00000007"
    assert in_stream.value is not None
    assert in_stream.value == by_person.value
    row: dict[str, Any] = json.loads(in_stream.value)
    assert (row.pop("at"), row.pop("stream")) == (scenario.now, STREAM)
    return row


def test_every_act_of_a_person_is_filed() -> None:
    scenario = Scenario()
    begun = {"session_id": STREAM, "by": REQUESTER, "brief": BRIEF}
    assert filed(scenario, OpenDeliberation, **begun) == {"act": "plan", "by": REQUESTER, "changed": True}
    assert filed(scenario, RaisePoint, by=ANN, text="?") == {"act": "raise_point", "by": ANN, "changed": True}
    scenario.says(PLANNER, planned())
    assert filed(scenario, AskCritic, by=ANN, text="?") == {"act": "ask_critic", "by": ANN, "changed": True}
    stop = {"act": "stop", "by": EVE, "as_admin": True, "changed": True}
    assert filed(scenario, StopDeliberation, by=EVE, as_admin=True) == stop


def test_what_was_chosen_is_filed() -> None:
    scenario = in_round(2).both(None, criticised(decision="no_go"))
    row = filed(scenario, ChoosePosition, by=REQUESTER, chosen=Agent.CRITIC)
    assert row == {"act": "choose_position", "by": REQUESTER, "choice": "critic", "changed": True}


def test_what_was_refused_is_filed_with_the_refusal() -> None:
    row = filed(opened(), StopDeliberation, by=EVE)
    assert row == {"act": "stop", "by": EVE, "refused": NotAllowed.__name__, "changed": False}


def test_nobodys_words_are_filed() -> None:
    assert "Too loud" not in str(filed(opened(), RaisePoint, by=ANN, text="Too loud."))


def test_what_a_model_answers_is_no_act() -> None:
    state = opened().state
    order = RecordPosition(command_id="c", at=NOON, agent=PLANNER, round=1, answer=planned())
    assert trail(Handled(STREAM, 0, order, state, state)) == ()


# ── whose plans are open ──────────────────────────────────────────────────────────────────────────────────────────


def kept(scenario: Scenario) -> dict[str, dict[str, Any]]:
    """What is on record after a history, by kind and key."""
    rows: dict[str, dict[str, Any]] = {PLAN: {}, ENDED_PLAN: {}, UNDECIDED_PLAN: {}}
    before = RULEBOOK.initial
    for event in scenario.history:
        after = RULEBOOK.evolve(before, event)
        at = getattr(event, "at", 0) or scenario.now
        _file(rows, plans(Handled(STREAM, 0, Command(command_id="c", at=at), before, after, (event,))))
        before = after
    return rows


def _file(rows: dict[str, dict[str, Any]], records: tuple[Record, ...]) -> None:
    for each in records:
        if each.value is None:
            del rows[each.kind][each.key]
        else:
            rows[each.kind][each.key] = json.loads(each.value)


def test_an_open_plan_is_on_record_for_whoever_asked() -> None:
    rows = kept(in_round(2))
    assert list(rows[PLAN]) == [f"{REQUESTER}/{STREAM}"]
    assert rows[ENDED_PLAN] == rows[UNDECIDED_PLAN] == {}


def test_an_ended_one_is_under_the_time_when_it_ended() -> None:
    rows = kept(in_round(2).round(0.95).closes().later(9).reports())
    assert rows[PLAN] == rows[UNDECIDED_PLAN] == {}
    [(key, row)] = rows[ENDED_PLAN].items()
    assert (key, row["status"]) == (f"{REQUESTER}/{NOON + 9000:015}/{STREAM}", "converged")


def test_where_they_can_still_choose_it_is_said_until_they_have() -> None:
    scenario = in_round(2).both(None, criticised(decision="no_go")).compared(0.5).stops().later(9).reports()
    assert list(kept(scenario)[UNDECIDED_PLAN]) == [f"{REQUESTER}/{STREAM}"]
    scenario.later(9).chooses(PLANNER)
    assert kept(scenario)[ENDED_PLAN] == kept(scenario)[UNDECIDED_PLAN] == {}
    assert [each["status"] for each in kept(scenario)[PLAN].values()] == ["reporting"]
    rows = kept(scenario.reports())
    assert (len(rows[PLAN]), len(rows[ENDED_PLAN]), len(rows[UNDECIDED_PLAN])) == (0, 1, 0)


# ── what is forgotten ─────────────────────────────────────────────────────────────────────────────────────────────

ANNS, EVES = Whose(user_id=ANN, agent_ids=frozenset({"ann"})), Whose(user_id=EVE)
PUBLIC = Brief(title="It", goal="Do it.")


@pytest.mark.parametrize(
    ("whose", "part"),
    [
        pytest.param(Whose(user_id=REQUESTER), Part.WHOLE, id="whoever asked"),
        pytest.param(ANNS, Part.OWN, id="somebody in it"),
        pytest.param(Whose(agent_ids=frozenset({"bo"})), Part.OWN, id="somebody without an account"),
        pytest.param(EVES, None, id="nobody in it"),
        pytest.param(Whose(), None, id="nobody"),
    ],
)
def test_a_plan_is_the_requesters_and_everybodys_who_is_in_it(whose: Whose, part: Part | None) -> None:
    assert FORGETTER.part_of(in_round(2).state, whose) is part


def test_who_objected_asked_or_chose_takes_part() -> None:
    def part(scenario: Scenario) -> Part | None:
        return FORGETTER.part_of(scenario.state, EVES)

    assert part(Scenario(brief=PUBLIC).opens()) is None
    assert part(Scenario(brief=PUBLIC).opens().objects(by=EVE)) is Part.OWN
    assert part(in_round(2, brief=PUBLIC).does(AskCritic, by=EVE, text="?")) is Part.OWN
    chosen = in_round(2, brief=PUBLIC).both(None, criticised(decision="no_go")).chooses(PLANNER, EVE, as_admin=True)
    assert part(chosen) is Part.OWN


def test_it_is_linked_to_what_it_was_made_of() -> None:
    made = Brief(title="It", goal="Do it.", origin="collab-1")
    assert FORGETTER.links(Scenario(brief=made).opens().state) == (Link("collab-1", is_later=False, is_part=False),)
    assert FORGETTER.links(opened().state) == ()


def forgotten(scenario: Scenario, part: Part, whose: Whose) -> list[str]:
    """Leave it and erase; return the kinds of the events that are erased."""
    for command in FORGETTER.leave(scenario.state, part, whose, command_id="leave", at=scenario.now):
        scenario.obeys(command)
    found = FORGETTER.quoting(scenario.history, part, whose)
    for command in FORGETTER.erase(scenario.state, part, whose, command_id="erase", at=scenario.now):
        scenario.obeys(command)
    return [type(scenario.history[number]).__name__ for number in sorted(found)]


def test_whoever_asked_is_forgotten_with_all_of_it() -> None:
    scenario = in_round(2).objects()
    erased = forgotten(scenario, Part.WHOLE, Whose(user_id=REQUESTER))
    assert len(erased) == len(scenario.history) - 1  # all but that it was erased
    assert scenario.state.erased == "*"


def test_an_open_plan_is_ended_without_a_report() -> None:
    scenario = in_round(2)
    forgotten(scenario, Part.OWN, ANNS)
    scenario.then(WordsErased).stands(Status.TERMINATED, reason=Reason.FORGOTTEN)
    assert scenario.event(StopRequested).by == OPERATOR
    assert scenario.event(DeliberationEnded).reason is Reason.FORGOTTEN
    assert scenario.state.report is None
    assert scenario.state.erased == ANN


def test_what_others_wrote_by_hand_stays() -> None:
    scenario = in_round(2).objects("Too dear.", REQUESTER).objects("Too loud.", ANN).does(AskCritic, by=ANN, text="?")
    erased = forgotten(scenario, Part.OWN, ANNS)
    assert erased.count(PointRaised.__name__) == erased.count(CriticAsked.__name__) == 1
    assert {DeliberationOpened.__name__, PositionTaken.__name__, HostDecided.__name__} <= {*erased}


def test_before_somebody_came_nobody_could_quote_them() -> None:
    scenario = in_round(2, brief=PUBLIC).objects(by=EVE).round(0.8)
    erased = forgotten(scenario, Part.OWN, EVES)
    assert DeliberationOpened.__name__ not in erased
    assert erased.count(PositionTaken.__name__) == 2


def test_who_may_be_quoted_is_taken_out_of_all_but_what_others_wrote_by_hand() -> None:
    scenario = in_round(2).objects()
    erased = forgotten(scenario, Part.QUOTED, EVES)
    assert PointRaised.__name__ not in erased
    assert erased[0] == DeliberationOpened.__name__


def test_of_an_ended_plan_only_words_go() -> None:
    scenario = in_round(2).round(0.95).closes().reports()
    forgotten(scenario, Part.OWN, ANNS)
    scenario.then(WordsErased).stands(Status.CONVERGED, reason=Reason.AGREED)


def test_where_words_are_gone_nothing_is_asked_chosen_or_handed_over() -> None:
    scenario = in_round(2).both(None, criticised(decision="no_go")).compared(0.5).stops().reports()
    forgotten(scenario, Part.OWN, ANNS)
    scenario.does(AskCritic, by=REQUESTER, text="?").is_refused(IllegalStep, "erased")
    scenario.chooses(CRITIC).is_refused(IllegalStep)
    assert RULEBOOK.hand_over(scenario.state) is None


def test_who_is_meant_by_a_user_is_their_persons() -> None:
    assert FORGETTER.twins_of(opened().state, ANN) == {"ann"}
    assert FORGETTER.twins_of(opened().state, "") == frozenset()
