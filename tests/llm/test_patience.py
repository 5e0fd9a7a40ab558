"""How long a call may take: what answers teaches it, and what hangs does not hold up all others."""

import pytest

from engine.llm.pauses import LONGEST, UNANSWERED, Patience

USUAL = 20.0


def after(*calls: tuple[float, bool], setting: float | None = None) -> float:
    patience = Patience(setting)
    for took, is_answered in calls:
        patience.took("m", "p", took, is_answered=is_answered)
    return patience.seconds("m", "p", USUAL)


def test_a_call_may_take_twice_what_answers_took() -> None:
    assert after() == after((5.0, True)) == USUAL
    assert after((5.0, True), (30.0, True)) == 60.0
    assert after((200.0, True)) == LONGEST


@pytest.mark.parametrize("hangs_at", range(5))
def test_one_call_in_five_that_hangs_makes_no_call_longer(hangs_at: int) -> None:
    patience = Patience()
    for number in range(40):
        limit = patience.seconds("m", "p", USUAL)
        hangs = number % 5 == hangs_at
        assert limit <= (2 * USUAL if number < 2 else USUAL)
        patience.took("m", "p", limit if hangs else 2.0, is_answered=not hangs)


def test_where_nothing_is_answered_in_time_calls_may_take_longer_up_to_a_bound() -> None:
    """A slow model is reached, and one that only hangs is not waited for ever longer."""
    limit, seen = USUAL, []
    patience = Patience()
    for _ in range(6):
        patience.took("m", "p", limit, is_answered=False)
        limit = patience.seconds("m", "p", USUAL)
        seen.append(limit)
    assert seen == [40.0, 80.0, *[UNANSWERED] * 4]
    patience.took("m", "p", 90.0, is_answered=True)
    assert patience.seconds("m", "p", USUAL) == 180.0


def test_a_setting_holds_whatever_is_seen() -> None:
    assert after((200.0, True), (300.0, False), setting=7.0) == 7.0
