"""Whoever comes late to a plan that is argued or carried out reads its card alone, and knows as much as all others."""

import re

import pytest
from msgspec.structs import replace

from bot.texts import texts_in
from bot.views.deliberation import thread as deliberation_thread
from bot.views.delivery import thread as delivery_thread
from bot.views.kit.fit import LONGEST_MESSAGE, size
from bot.views.kit.post import Post
from engine.deliberation.events import Difference
from engine.deliberation.state import Status
from engine.deliberation.terms import Brief
from engine.delivery.terms import Owner, WorkerKind
from engine.kernel import HandedPerson, Place
from tests.deliberation import scenario as argued
from tests.delivery import scenario as carried_out
from tests.views.message_contents import shown

UNTIL = re.compile(r"<!date\^(\d+)\^[^>]*> at the latest")
PLAN = argued.plan(
    argued.task("room", title="Book the room", starts="2027-03-01", deadline="2027-03-05"),
    argued.task("talks", title="Find two speakers", owner="bo", deadline="2027-03-08"),
    argued.task("food", title="Order the food", owner=""),
)


def root(scenario: argued.Scenario, language: str = "en") -> Post:
    return deliberation_thread.posts(scenario.state, texts_in(language))[0]


def arguing() -> argued.Scenario:
    """The second round, in which both differ about a deadline."""
    differs = Difference(slot="deadline", about="Book the room", planner="2027-03-05", critic="2027-03-03")
    scenario = argued.opened()
    return scenario.both(argued.planned(PLAN), argued.drafted(PLAN)).compared(0.8, differs)


def test_while_it_is_argued_the_plan_is_there() -> None:
    scenario = arguing()
    text = shown(root(scenario))
    assert "The plan as it stands*, by the Planner in round 1" in text
    assert "• Book the room – *Ann* · Mon, Mar 1, 2027 – Fri, Mar 5, 2027" in text
    assert "• Find two speakers – *Bo* · Mon, Mar 8, 2027" in text
    assert "• Order the food – nobody yet" in text
    assert "❌ Missing: somebody for “Order the food”" in text
    assert "deadline of “Book the room”: Planner Fri, Mar 5, 2027 · Critic Wed, Mar 3, 2027" in text
    found = UNTIL.search(text)
    assert found is not None
    assert int(found[1]) * 1000 == scenario.state.until


def test_once_it_is_finished_the_card_tells_who_does_what_and_no_way_that_led_there() -> None:
    scenario = arguing().stops().closes().reports()
    text = shown(root(scenario))
    assert "*Who does what*" in text
    assert "• Book the room – *Ann*" in text
    assert "❌ Missing: somebody for “Order the food”" in text
    assert "at the latest" not in text
    assert "What moved whom" not in text


def test_what_was_chosen_is_there_once_both_agree() -> None:
    brief = replace(argued.BRIEF, options=("the Loft", "the Hall"))
    scenario = argued.opened(brief=brief)
    scenario.round(0.99, argued.planned(PLAN, choice="the Loft"), argued.drafted(PLAN, choice="the Loft"))
    scenario.closes().reports().stands(Status.CONVERGED)
    text = shown(root(scenario))
    assert "It works.\nFor: *the Loft*" in text
    assert "• Book the room – *Ann*" in text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_task_of_a_large_plan_is_left_out(language: str) -> None:
    """20 people, and a task each, in long words."""
    names = [f"p{number}" for number in range(20)]
    told = {name: f"与赞助商逐一确认场地、设备、时间和费用，并写成一份清单（{name}）" for name in names}
    made = argued.plan(*(argued.task(each, title=told[each], owner=each, deadline="2027-03-05") for each in names))
    people = tuple(HandedPerson(person_id=each, name=each.title()) for each in names)
    brief = Brief(title="交流会", goal="五十人的交流会", people=people)
    scenario = argued.opened(brief=brief).both(argued.planned(made), argued.drafted(made)).compared(0.8)
    card = root(scenario, language)
    lines = shown(card).split("\n")
    for each in names:
        assert any(f"*{each.title()}*" in line for line in lines), each
    assert size(card.blocks) <= LONGEST_MESSAGE


def test_the_board_tells_who_has_what_until_when_and_what_nobody_has() -> None:
    nobody = Owner(kind=WorkerKind.PERSON)
    tasks = (
        carried_out.task("room", title="Book the room at the Riverside", deadline="2027-03-05"),
        carried_out.task("talks", carried_out.FOR_SCRIPT, title="Find two speakers", depends_on=("room",)),
        carried_out.task("food", nobody, title="Order the food", deadline="2027-03-08"),
    )
    scenario = carried_out.Scenario().opens(*tasks, place=Place(channel="C_LOBBY", thread="1.000100"))
    board = delivery_thread.posts(scenario.state, texts_in("en"))[0]
    text = shown(board)
    assert "0 of 3 tickets are done" in text
    first, second, third = text.split("\nT-")[1:]
    assert first.startswith("1 Book the room at the Riverside\nAnn\n · not begun · by Fri, Mar 5, 2027")
    assert second.startswith("2 Find two speakers\nScript\n · not begun\nafter T-1")
    assert third.startswith("3 Order the food\nnobody yet · not begun · by Mon, Mar 8, 2027")
