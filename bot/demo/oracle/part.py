"""What a protocol adds to the oracle bench."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bot.demo.oracle.scenarios import Act, Expects, Scenario
from engine.directory.profile import Profiles
from engine.kernel import Command, Effect, Millis
from engine.llm.port import AnswerClasses, Question
from engine.runtime.ports import EffectRunner

if TYPE_CHECKING:
    from bot.protocol_row import Protocol


@dataclass(frozen=True, slots=True)
class Asked:
    """Which answer of a scenario a question is for."""

    prompt: str
    who: str = ""
    """A short name of the scenario; empty where no single person is asked."""
    number: int = 0
    """The round or the version; 0 where there is none."""
    subnet: str = ""
    """What is looked for, where a negotiation asks that fills a gap."""

    def __str__(self) -> str:
        return "/".join([self.prompt, *([self.who] if self.who else []), *([str(self.number)] if self.number else [])])


@dataclass(frozen=True)
class Played:
    """What came of a scenario."""

    state: Any
    events: Sequence[str]
    """Their types, in their order."""
    public: Sequence[str]
    """What everybody may read of each, as JSON."""
    asked: Sequence[str]
    """What was asked of whom, in an order that is always the same."""
    questioned: frozenset[str]
    """The prompts whose answer was asked for once more, since a check had something against it."""
    refused: Sequence[str]
    """Why acts were refused."""
    seen: Mapping[str, Any]
    """What came of it, as a scenario can expect it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OraclePart:
    row: "Protocol"
    returns: AnswerClasses
    expects: Expects
    """The names of what a scenario can expect."""
    begin: Callable[[Scenario, Millis], tuple[str, Command]]
    """Returns the name of the stream, and its first command."""
    profiles: Callable[[Scenario], Profiles]
    place: Callable[[Scenario, str, Question[Any]], Asked]
    usual: Callable[[Scenario, Asked, Question[Any]], dict[str, Any]]
    """Returns the answer of a prompt as far as the scenario does not give it."""
    numbered: Callable[[Scenario, Asked, Question[Any], dict[str, Any]], dict[str, Any]]
    """Puts numbers where a scenario says what it means: which claim, which limit."""
    act: Callable[[Scenario, Act, Any, str, Millis], Command | None]
    """Returns the command of an act; None as long as it is not time for it."""
    goes_on: Callable[[Any], bool]
    see: Callable[[Scenario, Any, Sequence[str]], dict[str, Any]]
    faults: Callable[[Scenario, Played], list[str]]
    """Says what came out wrong although every answer was right."""
    caught: Callable[[Scenario, Any, Played, Played], set[str]]
    """Returns by what a planted value was caught, of how it was played without it and with it."""
    runners: Callable[[Scenario, Any], Mapping[str, EffectRunner]] = field(default=lambda *_: {})
    effects: Sequence[type[Effect]] = ()


def fits(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    """Whether what was found has all that is wanted of it."""
    return all(found.get(name) == each for name, each in wanted.items())
