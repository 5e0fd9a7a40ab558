"""What must hold of every answer to any prompt, and how the expectations of a case are held against one."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from bot.demo.evals.questions.cases import EVERY_TEXT, Expected, PromptCase
from bot.models import spoken
from engine.facts.language import Language, catalogue_of
from engine.kernel import plain
from engine.llm.examples import repeated_example
from engine.llm.port import Question


class Found(NamedTuple):
    field: str
    """The name of the field that holds it, or whose list does."""
    value: Any


def leaves(value: Any, field: str = "") -> Iterator[Found]:
    """Yield everything in plain values that has no parts."""
    match value:
        case Mapping():
            for name, each in value.items():
                yield from leaves(each, name)
        case list() | tuple():
            for each in value:
                yield from leaves(each, field)
        case _:
            yield Found(field, value)


def texts(value: Any) -> Iterator[Found]:
    """Yield every text that is not empty."""
    return (each for each in leaves(plain(value)) if isinstance(each.value, str) and each.value)


def words_of(value: Any) -> str:
    """Return all texts, a line each."""
    return "\n".join(each.value for each in texts(value))


def at(path: str, value: Any) -> list[Any]:
    """Return what stands at a path of names; a list on the way stands for each of its values."""
    found = [plain(value)]
    for name in path.split("."):
        found = [each.get(name) for each in _each(found) if isinstance(each, Mapping)]
    return [each for each in _each(found) if each is not None]


def _each(values: list[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list):
            yield from _each(value)
        else:
            yield value


IDS: Final = frozenset(
    ["agent_id", "owner", "covers", "argument", "arguments", "because", "role_id", "person_id", "depends_on", "repeats"]
)
"""Fields whose values must be among what was given, or be defined in the answer itself."""
DEFINES: Final = frozenset(["task_id", "need_id"])
"""Fields that give something an id, where it also says what that is."""
NAMES: Final = frozenset(["what", "title"])
"""Fields in which it does."""
CODES: Final = frozenset(["source", "where", "scope", "counts", "kind", "language", "verdict"])
"""Fields that hold one of a few words that the prompt names."""
NO_PROSE: Final = (
    IDS
    | DEFINES
    | CODES
    | frozenset(
        ["display_name", "said", "time_zone", "location", "date", "budget", "currency", "choice", "value", "slot"]
    )
    | frozenset(["tags", "capability_tags", "suggested_capability_tags", "capabilities", "expected_outputs", "check"])
    | frozenset(["condition", "request", "before", "after", "outputs", "exact", "first", "last", "start", "end"])
)
"""Fields that hold names, ids, data, or the words of others."""
SHORTEST: Final[Mapping[Language, int]] = {"en": 20, "zh": 8}
"""Characters from which on the language of a text is told."""

_DAY: Final = re.compile(r"(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?!\d)")
_QUOTED: Final = re.compile(r"`([^`\n]{4,60})`|\"([^\"\n]{6,60})\"|“([^”\n]{4,60})”")
_MARKUP: Final = re.compile(r"```|</?[a-z_]+ [0-9a-f]{8,}>|\$[a-z_]{3,}|[‹›]|^\s*\{\s*\"", re.MULTILINE)

Rule = Callable[[Mapping[str, Any], Any], Iterator[str]]
"""Says what is wrong with an answer to one prompt, by what it was given. What does not apply yields nothing."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and who else there is whom it does not name."""

    case: PromptCase
    question: Question[Any]
    everybody: Sequence[str] = ()
    """Names of people."""

    @property
    def given(self) -> Mapping[str, Any]:
        return self.question.given

    @property
    def language(self) -> Language:
        return catalogue_of(self.question.language or self.case.tag)


def _fits(asked: Asked, answer: Any) -> Iterator[str]:
    """The product's own check, by which an answer is sent back."""
    if asked.question.check is not None and (fault := asked.question.check(answer)):
        yield fault


def _language(asked: Asked, answer: Any) -> Iterator[str]:
    quoted = sorted({each.value for each in texts(asked.given) if len(each.value) > 1}, key=len, reverse=True)
    for field, text in texts(answer):
        language = spoken(text)
        if language == asked.language or field in NO_PROSE or len(text) < SHORTEST[language]:
            continue
        own = text  # without names, and what people have said themselves
        for each in (*quoted, *asked.everybody):
            own = own.replace(each, "")
        if len(own) >= SHORTEST[language] and spoken(own) == language:
            yield f"{field} is in another language: {text[:60]}"


def _names(asked: Asked, answer: Any) -> Iterator[str]:
    said = plain(answer)
    known = {each.value for each in leaves(plain(asked.given)) if isinstance(each.value, str)}
    known |= set(_defined(said))
    for field, value in leaves(said):
        if field in IDS | DEFINES and value and value not in known:
            yield f"{field} is {value!r}, which nobody has named"
    told, words = words_of(asked.given), words_of(answer)
    for name in asked.everybody:
        if name in words and name not in told:
            yield f"{name} is named, of whom nothing was said"


def _defined(said: Any) -> Iterator[str]:
    match said:
        case Mapping():
            if NAMES & said.keys():
                yield from (str(each) for name, each in said.items() if name in DEFINES)
            for each in said.values():
                yield from _defined(each)
        case list() | tuple():
            for each in said:
                yield from _defined(each)


def _dates(asked: Asked, answer: Any) -> Iterator[str]:
    told = words_of(asked.given)
    brief = asked.given.get("brief")
    first = brief.today if brief is not None else asked.given.get("today", {}).get("date", "")
    # Where the product has a check of its own, that knows what may come after the end.
    last = (getattr(brief, "ends", "") if asked.question.check is None else "") or "9999"
    for field, text in texts(answer):
        for day in _DAY.findall(text):
            if not first <= day <= last and day not in told:
                yield f"{field} says {day}, which is not from {first} to {last}"


def _examples(asked: Asked, answer: Any) -> Iterator[str]:
    """What a prompt shows is no fact: no field has just that, unless somebody has said it, or it is a code."""
    known = words_of(asked.given) + json.dumps(asked.question.returns.json_schema(), ensure_ascii=False)
    shown = {one for each in _QUOTED.findall(asked.question.prompt.body) for one in each if one}
    for field, text in texts(answer):
        if field not in IDS | DEFINES | CODES and text.strip() in shown and text.strip() not in known:
            yield f"{field} is an example of the prompt: {text}"
    if example := repeated_example(asked.question.prompt.body, asked.given, plain(answer)):
        yield f"it repeats an example of the prompt: {example}"


def _form(asked: Asked, answer: Any) -> Iterator[str]:
    told = words_of(asked.given)
    for field, text in texts(answer):
        if field != "outputs" and (found := _MARKUP.search(text)) and found.group() not in told:
            yield f"{field} holds what only a machine reads: {found.group()}"


def _expected(asked: Asked, answer: Any) -> Iterator[str]:
    yield from unmet(asked.case.expect, answer)


def unmet(expected: Expected, answer: Any) -> Iterator[str]:
    """Say what an answer is not that it should be."""
    for path, values in expected.one_of.items():
        found = at(path, answer)
        if not found or any(each not in values for each in found):
            yield f"{path} is {found}, not one of {list(values)}"
    for path, patterns in expected.says.items():
        said = _said(path, answer)
        yield from (f"{path} does not say {each}" for each in patterns if not re.search(each, said, re.I))
    for path, patterns in expected.never.items():
        said = _said(path, answer)
        yield from (f"{path} says {each}" for each in patterns if re.search(each, said, re.I))
    for path, (low, high) in expected.within.items():
        found = at(path, answer)
        if not found or any(not low <= each <= high for each in found):
            yield f"{path} is {found}, not from {low} to {high}"
    for path, (fewest, most) in expected.count.items():
        if not fewest <= (number := len(at(path, answer))) <= most:
            yield f"there are {number} at {path}, not from {fewest} to {most}"


def _said(path: str, answer: Any) -> str:
    return words_of(answer) if path == EVERY_TEXT else "\n".join(str(each) for each in at(path, answer))


ANSWERED: Final = "answered"
RULES: Final = "rules"
_CHECKS: Final[Mapping[str, Callable[[Asked, Any], Iterator[str]]]] = {
    "fits": _fits,
    "language": _language,
    "names": _names,
    "dates": _dates,
    "examples": _examples,
    "form": _form,
    "expected": _expected,
}
CHECKS: Final = (ANSWERED, *_CHECKS, RULES)
"""The names of what is checked."""


def faults(asked: Asked, answer: Any, rules: Sequence[Rule] = ()) -> dict[str, tuple[str, ...]]:
    """Return what is wrong with an answer, by the name of the check; empty for what holds.

    Args:
        rules: what holds of this prompt's answers.
    """
    found = {name: tuple(check(asked, answer)) for name, check in _CHECKS.items()}
    broken = tuple(fault for rule in rules for fault in rule(asked.given, answer))
    return {ANSWERED: (), **found, RULES: broken}
