"""What is made of a state is made once while that state is asked about."""

from msgspec.structs import replace

from engine.negotiation.remembering import STATES, once_a_state
from engine.negotiation.state import Negotiation

ASKED: list[str] = []


@once_a_state
def _name(state: Negotiation) -> str:
    ASKED.append(state.channel_id)
    return state.channel_id


def test_the_same_state_is_looked_at_once_and_an_equal_one_anew() -> None:
    ASKED.clear()
    state = Negotiation(channel_id="one")

    assert [_name(state), _name(state), _name(replace(state))] == ["one"] * 3
    assert ASKED == ["one", "one"]


def test_only_the_latest_states_are_remembered() -> None:
    ASKED.clear()
    states = [Negotiation(channel_id=str(number)) for number in range(STATES + 1)]

    assert [_name(each) for each in states] == [each.channel_id for each in states]
    assert _name(states[-1]) == str(STATES)
    assert _name(states[0]) == "0"
    assert len(ASKED) == STATES + 2


def test_a_state_that_is_gone_is_never_taken_for_another() -> None:
    assert [_name(Negotiation(channel_id=str(number))) for number in range(100)] == [str(each) for each in range(100)]
