"""What is made of records is made once while they are asked about."""

from msgspec.structs import replace

from engine.negotiation.remembering import LATEST, remembered
from engine.negotiation.state import Negotiation

ASKED: list[str] = []


@remembered
def _name(state: Negotiation) -> str:
    ASKED.append(state.channel_id)
    return state.channel_id


@remembered
def _names(one: Negotiation, other: Negotiation) -> str:
    ASKED.append(one.channel_id + other.channel_id)
    return one.channel_id + other.channel_id


def test_the_same_state_is_looked_at_once_and_an_equal_one_anew() -> None:
    ASKED.clear()
    state = Negotiation(channel_id="one")

    assert [_name(state), _name(state), _name(replace(state))] == ["one"] * 3
    assert ASKED == ["one", "one"]


def test_what_is_made_of_two_depends_on_both_and_on_their_order() -> None:
    ASKED.clear()
    one, other = Negotiation(channel_id="1"), Negotiation(channel_id="2")

    assert [_names(one, other), _names(other, one), _names(one, one), _names(one, other)] == ["12", "21", "11", "12"]
    assert ASKED == ["12", "21", "11"]


def test_only_the_latest_states_are_remembered() -> None:
    ASKED.clear()
    states = [Negotiation(channel_id=str(number)) for number in range(LATEST + 1)]

    assert [_name(each) for each in states] == [each.channel_id for each in states]
    assert _name(states[-1]) == str(LATEST)
    assert _name(states[0]) == "0"
    assert len(ASKED) == LATEST + 2


def test_a_state_that_is_gone_is_never_taken_for_another() -> None:
    assert [_name(Negotiation(channel_id=str(number))) for number in range(100)] == [str(each) for each in range(100)]
