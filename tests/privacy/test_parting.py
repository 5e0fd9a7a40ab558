"""What is private in an event is written apart, is read again as it was, and can be missing."""

from collections.abc import Sequence
from functools import cache
from typing import Final

import pytest
from msgspec.structs import replace

from bot.views.negotiation.presenter import posts
from engine.deliberation.answers import PlannerAnswer
from engine.kernel import Event, StreamKey, Tenant, encode
from engine.kernel.encoding import texts_in, with_texts
from engine.negotiation.public.build import decision_record
from engine.negotiation.rules import RULEBOOK
from engine.runtime.streams import opened, sealed, without_private
from engine.store.port import NewEvent, StoredEvent
from tests.deliberation.good_answers import GOOD
from tests.negotiation.record_histories import OUTCOMES
from tests.views.stories import THREAD

KEY: Final = StreamKey(Tenant("T_HERE"), "collab-00000001")


@cache
def histories() -> Sequence[tuple[str, Sequence[Event]]]:
    """What was recorded once, as if in a thread of Slack."""
    played = {name: [*play().history] for name, play in OUTCOMES.items()}
    return [(name, [replace(history[0], place=THREAD), *history[1:]]) for name, history in played.items()]


def read(written: NewEvent) -> Event:
    return opened(
        StoredEvent(KEY, 1, 1, written.event_type, written.at, written.public, written.private), RULEBOOK.events
    )


@pytest.mark.parametrize(("name", "history"), histories(), ids=[name for name, _ in histories()])
def test_an_event_is_read_as_it_was_written(name: str, history: Sequence[Event]) -> None:
    for event in history:
        written = sealed(event, 1)
        assert read(written) == event, name
        assert without_private(read(written._replace(private=None))) == without_private(event)


@pytest.mark.parametrize(("name", "history"), histories(), ids=[name for name, _ in histories()])
def test_an_event_of_an_earlier_version_is_read_whose_texts_are_all_in_the_public_column(
    name: str, history: Sequence[Event]
) -> None:
    for event in history:
        assert read(NewEvent(event.event_type, 1, encode(event))) == event, name


@pytest.mark.parametrize(("name", "history"), histories(), ids=[name for name, _ in histories()])
def test_wherever_it_ends_a_history_without_words_folds_and_is_shown(name: str, history: Sequence[Event]) -> None:
    whole, erased = RULEBOOK.initial, RULEBOOK.initial
    for event in history:
        whole = RULEBOOK.evolve(whole, event)
        erased = RULEBOOK.evolve(erased, read(sealed(event, 1)._replace(private=None)))
        assert (erased.status, erased.round, erased.outcome) == (whole.status, whole.round, whole.outcome), name
        assert [each.key for each in posts(erased)] == [each.key for each in posts(whole)]
        decision_record(erased)


@pytest.mark.parametrize(("name", "history"), histories(), ids=[name for name, _ in histories()])
@pytest.mark.parametrize("kept", range(3))
def test_a_history_of_which_some_words_were_erased_folds_and_is_shown(
    name: str, history: Sequence[Event], kept: int
) -> None:
    state = RULEBOOK.initial
    for number, event in enumerate(history):
        written = sealed(event, 1)
        state = RULEBOOK.evolve(state, read(written if number % 3 == kept else written._replace(private=None)))
        assert posts(state), name


def test_every_private_text_is_read_and_changed_however_deep_it_is() -> None:
    answer = PlannerAnswer.checked(GOOD["revise"])
    texts = {*texts_in(answer)}
    assert {"The room is booked earlier.", "Book the room", "Bo has six hours", "The room is wanted by many"} <= texts
    assert not {"task-1", "aya", "2026-12-07", "need-1"} & (texts - {"task-1"})
    changed = with_texts(answer, str.upper)
    assert {*texts_in(changed)} == {each.upper() for each in texts}
    assert [each.task_id for each in changed.plan.tasks] == ["task-1", "task-2"]
    assert with_texts(answer, str) is answer
