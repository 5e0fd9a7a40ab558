"""Plays scenarios: what code has made wrong, which planted errors it has caught, and what the cipher changes."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.demo.oracle.cipher import Cipher, enciphered, encoding, names_in
from bot.demo.oracle.part import OraclePart, Played
from bot.demo.oracle.playing import play
from bot.demo.oracle.scenarios import Named, Planted, Scenario
from engine.errors import Refusal
from engine.kernel import plain
from engine.llm.port import Model, Prompt

_DIGEST = re.compile(r"(?:sha256:)?[0-9a-f]{12,}|(?:collab|d)-[a-z0-9]{8}")
"""What is worked out from texts, and so differs where these do."""
MOST_TOLD = 5
"""Differences of one scenario that are told."""


Around = Callable[[Model], Model]
"""Makes, of the scripted model, the one that is asked."""


@dataclass(frozen=True, slots=True)
class Error:
    """A planted error, and what caught it."""

    planted: Planted
    caught: Sequence[str]

    @property
    def is_caught(self) -> bool:
        return self.planted.caught_by in self.caught if self.planted.caught_by else bool(self.caught)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one scenario."""

    name: str
    faults: Sequence[str]
    """What came out wrong although every answer was right."""
    errors: Sequence[Error] = ()
    differences: Sequence[str] | None = None
    """What is otherwise in cipher; None where it was not played so."""


@dataclass(frozen=True, slots=True)
class Report:
    results: Sequence[Result] = field(default_factory=tuple)

    @property
    def wrong(self) -> Mapping[str, Sequence[str]]:
        return {each.name: each.faults for each in self.results if each.faults}

    @property
    def missed(self) -> Sequence[tuple[str, Planted]]:
        return [(each.name, error.planted) for each in self.results for error in each.errors if not error.is_caught]

    @property
    def differing(self) -> Mapping[str, Sequence[str]]:
        return {each.name: each.differences for each in self.results if each.differences}

    def as_json(self) -> dict[str, Any]:
        kinds, caught = Counter[str](), Counter[str]()
        for each in self.results:
            for error in each.errors:
                kinds[error.planted.kind] += 1
                caught[error.planted.kind] += error.is_caught
        enciphered = [each for each in self.results if each.differences is not None]
        return {
            "scenarios": len(self.results),
            "right": len(self.results) - len(self.wrong),
            "wrong": {name: list(each) for name, each in self.wrong.items()},
            "planted": sum(kinds.values()),
            "caught": sum(caught.values()),
            "by_kind": {kind: {"planted": kinds[kind], "caught": caught[kind]} for kind in sorted(kinds)},
            "missed": [{"scenario": name, "at": each.at, "field": each.field} for name, each in self.missed],
            "in_cipher": len(enciphered),
            "differing": {name: list(each) for name, each in self.differing.items()},
        }


async def measure(
    scenarios: Sequence[Named],
    parts: Mapping[str, OraclePart],
    prompts: Mapping[str, Prompt],
    *,
    in_cipher: bool = False,
    around: Around | None = None,
) -> Report:
    """
    Args:
        in_cipher: whether each is played a second time, in cipher.
        around: makes, of the scripted model, the one that is asked.
    """
    results = [
        await _result(each.name, each.scenario, parts[each.scenario.protocol], prompts, in_cipher, around)
        for each in scenarios
    ]
    return Report(results)


async def _result(
    name: str,
    scenario: Scenario,
    part: OraclePart,
    prompts: Mapping[str, Prompt],
    in_cipher: bool,
    around: Around | None,
) -> Result:
    try:
        with encoding():
            right, errors = await _played(scenario, part, prompts, around)
    except (Refusal, LookupError) as error:
        return Result(name, [f"it could not be played: {type(error).__name__}: {error}"])
    faults = part.faults(scenario, right)
    if not in_cipher:
        return Result(name, faults, errors)
    cipher = Cipher(names_in(scenario))
    try:
        with encoding(cipher.back):
            turned, in_it = await _played(enciphered(scenario, cipher), part, prompts, around)
    except (Refusal, LookupError) as error:
        return Result(name, faults, errors, [f"in cipher it cannot be played: {type(error).__name__}: {error}"])
    differences = [*_differences(right, turned, cipher)]
    differences += [
        f"{one.planted.field} of {one.planted.at}: caught by {one.caught} in clear, {other.caught} in cipher"
        for one, other in zip(errors, in_it, strict=True)
        if one.caught != other.caught
    ]
    return Result(name, faults, errors, differences)


async def _played(
    scenario: Scenario, part: OraclePart, prompts: Mapping[str, Prompt], around: Around | None
) -> tuple[Played, list[Error]]:
    """Play a scenario, and once more with each of its planted errors."""
    right = await play(scenario, part, prompts, around=around)
    errors = []
    for each in scenario.planted:
        wrong = await play(scenario, part, prompts, each, around=around)
        errors.append(Error(each, sorted(part.caught(scenario, each, right, wrong))))
    return right, errors


def _differences(clear: Played, played: Played, cipher: Cipher) -> Iterator[str]:
    found = [
        f"{what}: {one} in clear, {other} in cipher"
        for what, one, other in (
            ("events", _counted(clear.events), _counted(played.events)),
            ("asked", list(clear.asked), list(played.asked)),
            ("acts", len(clear.refused), len(played.refused)),
            *((each, clear.seen[each], played.seen[each]) for each in clear.seen),
        )
        if one != other and [*_texts_differing(one, other, cipher, "")]
    ]
    yield from found or [*_texts_differing(plain(clear.state), plain(played.state), cipher, "state")][:MOST_TOLD]


def _counted(events: Sequence[str]) -> Mapping[str, int]:
    return dict(sorted(Counter(events).items()))


def _is_same(one: str, other: str, cipher: Cipher) -> bool:
    return cipher.is_same(one, other) or bool(_DIGEST.search(one) and _DIGEST.search(other))


def _texts_differing(one: Any, other: Any, cipher: Cipher, at: str) -> Iterator[str]:
    """Yield each place where the second is not what the first is, in cipher."""
    match one, other:
        case dict(), dict():
            are_same = len(one) == len(other) and all(
                _is_same(str(a), str(b), cipher) for a, b in zip(one, other, strict=True)
            )
            if one.keys() != other.keys() and not are_same:
                yield f"{at} has {[*one]} in clear, and {[*other]} in cipher"
                return
            its = other if one.keys() == other.keys() else dict(zip(one, other.values(), strict=False))
            for name, each in one.items():
                yield from _texts_differing(each, its[name], cipher, f"{at}.{name}")
        case list(), list():
            if len(one) != len(other):
                yield f"{at} has {len(one)} in clear, and {len(other)} in cipher"
                return
            for number, (each, its) in enumerate(zip(one, other, strict=True)):
                yield from _texts_differing(each, its, cipher, f"{at}.{number}")
        case str(), str():
            if not _is_same(one, other, cipher):
                yield f"{at} is {one!r} in clear, and {cipher.back(other)!r} in cipher"
        case float(), float():
            if abs(one - other) > 1e-6:
                yield f"{at} is {one} in clear, and {other} in cipher"
        case _:
            if one != other:
                yield f"{at} is {one!r} in clear, and {other!r} in cipher"


def measured(
    scenarios: Sequence[Named], parts: Mapping[str, OraclePart], prompts: Mapping[str, Prompt], *, in_cipher: bool
) -> Report:
    return asyncio.run(measure(scenarios, parts, prompts, in_cipher=in_cipher))
