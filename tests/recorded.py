"""Histories of before: how they are recorded once, and read again. What is recorded is never written again."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from engine.kernel import Event, Rulebook, StreamKey, Tenant, convert, decode, encode, iso, payload
from engine.runtime.streams import Envelope, event_id

HISTORIES = Path(__file__).parent / "histories"


def record(folder: Path, histories: Mapping[str, Callable[[], Any]], ending: Callable[[Any], dict[str, Any]]) -> None:
    """Write those that are not there yet: the events as envelopes, then what they must fold to."""
    folder.mkdir(exist_ok=True)
    for name, play in histories.items():
        path = folder / f"{name}.jsonl"
        if not path.exists():
            path.write_text("\n".join(_lines(play(), ending)) + "\n", encoding="utf-8")


def _lines(scenario: Any, ending: Callable[[Any], dict[str, Any]]) -> list[str]:
    key = StreamKey(Tenant("T_HISTORY"), scenario.state.session_id)
    envelopes = [
        Envelope(
            event_id=event_id(key, seq),
            seq=seq,
            event_type=event.event_type,
            timestamp=iso(scenario.now),
            payload=payload(event),
        ).model_dump_json()
        for seq, event in enumerate(scenario.history, 1)
    ]
    return [*envelopes, json.dumps({"now": scenario.now, "folds_to": ending(scenario.state)}, ensure_ascii=False)]


def read(path: Path, events: Mapping[str, type[Event]]) -> tuple[list[Event], list[dict[str, Any]], dict[str, Any]]:
    """Return the events, their payloads as they were recorded, and the last line."""
    *lines, last = path.read_text(encoding="utf-8").splitlines()
    envelopes = [json.loads(line) for line in lines]
    assert [each["seq"] for each in envelopes] == list(range(1, len(envelopes) + 1))
    history = [convert(each["payload"], events[each["event_type"]]) for each in envelopes]
    return history, [each["payload"] for each in envelopes], json.loads(last)


def is_told(recorded: Any, now: Any) -> bool:
    """Whether everything that was recorded is still told in the same place; fields may have come since."""
    match recorded:
        case dict():
            return all(name in now and is_told(value, now[name]) for name, value in recorded.items())
        case list():
            return len(recorded) == len(now) and all(map(is_told, recorded, now))
        case _:
            return bool(recorded == now)


def assert_folds(
    path: Path, rulebook: Rulebook[Any], events: Mapping[str, type[Event]], ending: Callable[[Any], Any]
) -> None:
    """What was recorded folds to what it did, is told in the same places, and is read as it was written."""
    history, told, last = read(path, events)
    assert ending(rulebook.fold(history)) == last["folds_to"]
    for event, recorded in zip(history, told, strict=True):
        assert is_told(recorded, payload(event)), f"what is told of {event} has changed"
        assert decode(encode(event), type(event)) == event, "what is written of it is not what is read"
