"""Puts a scenario into cipher: all that is prose in it, and nothing that is data."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bot.demo.oracle.cipher import Cipher
from bot.demo.oracle.scenarios import FAILS, Scenario

DATA: Final = frozenset(
    {
        "protocol", "language", "time_zone", "asked_at", "requester", "locale", "policy", "user", "city", "location",
        "currency", "zone", "at", "by", "do", "kind", "source", "scope", "state", "key", "data", "decision",
        "feedback_type", "verdict", "confidence", "match_type", "exact", "counts", "need_id", "covers",
        "condition_id", "agent_id", "about", "agent_ids",
        "where", "who", "after", "day", "first", "last", "start", "end",
        "weekdays", "per", "if_declined", "priority", "level", "importance", "severity", "task_id", "fact_id",
        "person_id", "owner", "user_id", "depends_on", "argument", "arguments", "repeats", "slot", "starts",
        "deadline", "ends", "today", "origin", "vote", "for", "to", "ticket", "chosen", "action", "role_id", "checks",
        "check", "status", "link", "file_id", "caught_by", "field", "outcome", "checked_by", "uri", "option_id",
        "online", "stage",
    }
)  # fmt: skip
"""Fields that hold ids, dates and words of the code's own."""
KEYS: Final = frozenset({"capabilities", "subnets"})
"""Fields whose keys are prose."""
CODES: Final = frozenset({*FAILS, "low", "medium", "high", "look_wider", "go_on"})
"""Words of the code's own, in fields that hold prose elsewhere."""
OF_PROSE: Final = frozenset({"untouched", "masked"})
"""What is expected of texts."""


def names_in(scenario: Scenario) -> Iterator[str]:
    """Yield the names of people and places in a scenario, and the ids that look like words."""
    yield from scenario.names
    for short, person in scenario.people.items():
        yield from (person.name, *person.name.split(), person.city, short)
    for each in scenario.brief.get("people", ()):
        name = str(each.get("name", ""))
        yield from (str(each.get("person_id", "")), name, *name.split())
    yield from _places(scenario.model_dump(mode="json"))


def _places(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            if name in ("city", "location") and isinstance(each, str):
                yield each
            elif name == "locations" and isinstance(each, list):
                yield from map(str, each)
            else:
                yield from _places(each)
    elif isinstance(value, list):
        for each in value:
            yield from _places(each)


def enciphered(scenario: Scenario, cipher: Cipher) -> Scenario:
    said = scenario.model_dump(by_alias=True, exclude_unset=True)
    turned = _turned(said, "", cipher) | {"expect": _expected(said.get("expect", {}), cipher)}
    return Scenario.model_validate(turned)


def _turned(value: Any, field: str, cipher: Cipher) -> Any:
    match value:
        case str():
            return value if field in DATA or value in CODES else cipher.turned(value)
        case list() | tuple():
            return [_turned(each, field, cipher) for each in value]
        case dict() if field == "policy":
            return value
        case dict():
            keys = {name: cipher.turned(name) if field in KEYS else name for name in value}
            return {keys[name]: _turned(each, _field(field, name), cipher) for name, each in value.items()}
        case _:
            return value


def _field(outer: str, name: Any) -> str:
    """The name of a field. A key of prose is none, and neither is a number."""
    if outer in KEYS:
        return ""
    return str(name) if isinstance(name, str) else outer


def _expected(expect: Mapping[str, Any], cipher: Cipher) -> dict[str, Any]:
    return {name: _turned(each, name, cipher) if name in OF_PROSE else each for name, each in expect.items()}
