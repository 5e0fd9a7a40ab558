"""The rows of what people can do say the truth: in which status it is possible, and that all of it has a row."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from bot.listeners.negotiation.actions import SURFACES
from bot.texts import texts_in
from bot.views.kit.button_values import ActionButton
from bot.views.kit.menu import buttons_in
from bot.views.negotiation import button_values
from bot.views.negotiation.root import root
from engine.errors import Refusal
from engine.facts.circumstances import People
from engine.kernel import Action, FieldKind
from engine.negotiation.actions import ACTIONS, BY_NAME, action_of
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.negotiation.voting.kinds import FeedbackType
from tests.examples import examples
from tests.negotiation.scenario import ALONE, voting
from tests.views.corpus import negotiations

ENTERED: dict[FieldKind, Any] = {
    FieldKind.TEXT: "A smaller room, and an hour earlier",
    FieldKind.FLAG: True,
    FieldKind.PICKS: (),
    FieldKind.PERSON: "U_SOMEBODY",
    FieldKind.DATUM: People(at_most=20),
}
SHOWS: set[str] = {
    "seat.why", "plan.why", "plan.compare", "plan.times", "outcome.export", "outcome.share", "demand.clarify",
}  # fmt: skip
"""Buttons that show something or post what is known, and the second form of an action."""
BY_WORDS_OF_THEIR_OWN: set[str] = {"offer.correct", "help.offer", "seat.cannot"}
"""What takes more than a row can say: an offer of several parts, who somebody is who was not asked, and days that are
kept with a profile.
"""


def attempts(action: Action[Negotiation], state: Negotiation) -> bool:
    """Whether somebody can do it now: whoever asked, or whoever has a part."""
    people = {state.requester_id, *(each.user_id for each in state.invited.values() if each.user_id)}
    latest = state.rounds[-1] if state.rounds else None
    for by in people:
        for agent_id in (*state.invited, *state.volunteers):
            for key in (*state.check_ins, ""):
                about = {
                    "agent_id": agent_id,
                    "round": latest.number if latest else 0,
                    "digest": latest.digest if latest else "",
                    "key": key,
                }
                said = about | {each.name: ENTERED[each.kind] for each in action.fields}
                command = action.command_of(said, command_id="c", at=state.reversals.until or 0, by=by, as_admin=True)
                try:
                    if RULEBOOK.decide(state, command).events:
                        return True
                except Refusal:
                    continue
    return False


@pytest.mark.parametrize("name", BY_NAME)
@settings(max_examples=examples(12), deadline=None, suppress_health_check=[*HealthCheck])
@given(state=negotiations())
def test_nothing_is_possible_where_its_row_says_that_it_is_not(name: str, state: Negotiation) -> None:
    action = BY_NAME[name]
    if state.status not in action.when:
        assert not attempts(action, state), state.status


def test_every_button_that_does_something_has_a_row() -> None:
    buttons = {value for name, value in vars(button_values).items() if name.isupper() and isinstance(value, str)}
    assert buttons - SHOWS - BY_WORDS_OF_THEIR_OWN <= BY_NAME.keys()


def test_every_row_meets_people_in_slack() -> None:
    shown = {each.action.name for each in SURFACES}
    assert BY_NAME.keys() - shown == {name for name in BY_NAME if name.startswith("vote.")} - {"vote.prepared"}
    assert all((each.form is not None) == bool(each.action.fields) for each in SURFACES)
    assert all(each.action.check is not None for each in SURFACES if each.form is not None)


def test_every_row_says_what_its_button_says() -> None:
    assert [each.name for each in ACTIONS if not each.label] == [f"vote.{kind}" for kind in FeedbackType]


@pytest.mark.parametrize("core_gate", [True, False])
def test_what_a_row_offers_stands_on_the_card_of_whoever_asked(core_gate: bool) -> None:
    """No view names it."""
    state = voting("aya", "bo", policy=ALONE.model_copy(update={"core_gate": core_gate})).state
    elements = (each for block in root(state, texts_in("en")).blocks for each in block.get("elements", ()))
    buttons = {each["action_id"]: each["value"] for each in buttons_in(elements) if "action_id" in each}
    opened = state.rounds[-1]
    version = {"round": opened.number, "digest": opened.digest}
    rows = [each for each in ACTIONS if each.is_offered is not None]
    offered = [each for each in rows if each.is_offered is not None and each.is_offered(state)]
    assert [name for name in buttons if name in {each.name for each in rows}] == [each.name for each in offered]
    assert offered
    for each in offered:
        carried = ActionButton.read(buttons[each.name])
        assert carried.stream == state.channel_id
        assert carried.about(each.about) == {name: version[name] for name in each.about}


def test_one_command_has_one_handler() -> None:
    assert len({(each.command, each.handle) for each in ACTIONS}) == len({each.command for each in ACTIONS})


def test_a_command_leads_back_to_its_row() -> None:
    for each in ACTIONS:
        said = {"agent_id": "aya", "round": 1, "digest": "d", "key": "step/1"}
        command = each.command_of(said, command_id="c", at=0, by="U_YOU", as_admin=True)
        assert action_of(command) is each
        assert getattr(command, "as_admin", True) is True
