"""Keeps what one question is given within a bound: what is oldest is left out first, then what is longest is cut."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, TypeVar

import msgspec

from engine.deliberation.answers import Plan
from engine.deliberation.given import (
    ArgumentGiven,
    CloseGiven,
    CriticiseGiven,
    FactGiven,
    Given,
    OwnOutput,
    ReplyGiven,
    ReviseGiven,
)
from engine.facts.shortening import shorten
from engine.kernel import Message, plain
from engine.kernel.encoding import with_texts

MOST_CHARACTERS: Final = 80_000
"""Of what one question is given of its session, besides the brief, as it is sent: about 20,000 tokens of English."""
LONGEST_OLD_CONTENT: Final = 600
"""Characters of what an agent said to people, where there is no room for more of it."""
SHORTER: Final = (240, 120, 60)
"""Characters to which every text is cut, one after the other, where nothing else is left to leave out."""

Session = TypeVar("Session", ReviseGiven, CriticiseGiven, CloseGiven, ReplyGiven)


def within_bounds(given: Session, most: int = MOST_CHARACTERS) -> Session:
    """Return what a question is given, shortened as far as it must be."""
    length = characters(given)
    for shorter in _steps(given):
        if length <= most:
            break
        given = shorter(given)
        length = characters(given)
    return given


def characters(given: Given) -> int:
    """How long the values of a question are as they are sent, without the brief."""
    values = (value for name, value in given.values().items() if name != "brief")
    return sum(len(json.dumps(plain(each), ensure_ascii=False, indent=2)) for each in values)


def _steps(given: Any) -> Iterator[Callable[[Any], Any]]:
    for number in sorted({each.round for each in given.arguments}):
        yield _without_arguments_until(number)
    for name in ("own", "other"):
        if getattr(given, name, None) is not None:
            yield _changed(name, _short_content)
    for name in ("own", "other"):
        if getattr(given, name, None) is not None:
            yield _changed(name, _without_details)
    for most in SHORTER:
        yield _cut_to(most)


def _without_arguments_until(number: int) -> Callable[[Any], Any]:
    """Leave out the arguments of the first rounds, but for those that the latest outputs or the Host name."""

    def shortened(given: Any) -> Any:
        named = {*_named(given)}
        kept = tuple(each for each in given.arguments if each.round > number or each.argument_id in named)
        return replace(given, arguments=kept)

    return shortened


def _named(given: Any) -> Iterator[str]:
    for output in filter(None, (getattr(given, name, None) for name in ("own", "other"))):
        yield from (*output.suggestion_ids, *output.risk_ids, *output.position.because)
    if (instructions := getattr(given, "instructions", None)) is not None:
        yield from (each.argument for each in instructions.must_address)


def _changed(name: str, change: Callable[[OwnOutput], OwnOutput]) -> Callable[[Any], Any]:
    return lambda given: replace(given, **{name: change(getattr(given, name))})


def _short_content(output: OwnOutput) -> OwnOutput:
    return msgspec.structs.replace(output, content=shorten(output.content, LONGEST_OLD_CONTENT))


def _without_details(output: OwnOutput) -> OwnOutput:
    """Leave out of a plan what neither dates, hours, owners nor dependencies need."""
    return msgspec.structs.replace(output, plan=output.plan and _plain_plan(output.plan))


def _plain_plan(plan: Plan) -> Plan:
    return msgspec.structs.replace(
        plan,
        phases=tuple(
            msgspec.structs.replace(
                phase,
                tasks=tuple(
                    msgspec.structs.replace(task, tags=(), expected_output="", acceptance_criteria=(), because=())
                    for task in phase.tasks
                ),
            )
            for phase in plan.phases
        ),
    )


def _cut_to(most: int) -> Callable[[Any], Any]:
    def change(text: str) -> str:
        return shorten(text, most)

    def told(each: FactGiven | ArgumentGiven) -> FactGiven | ArgumentGiven:
        return msgspec.structs.replace(each, text=change(each.text))

    def with_short_texts(given: Any) -> Any:
        changed: dict[str, Any] = {}
        for name, value in given.values().items():
            match value:
                case OwnOutput():
                    changed[name] = msgspec.structs.replace(
                        value,
                        position=with_texts(value.position, change),
                        plan=value.plan and with_texts(value.plan, change),
                        critique=value.critique and with_texts(value.critique, change),
                    )
                case tuple() if name in ("facts", "arguments"):
                    changed[name] = tuple(map(told, value))
                case Message() if name in ("plan", "critique"):
                    changed[name] = with_texts(value, change)
        return replace(given, **changed)

    return with_short_texts
