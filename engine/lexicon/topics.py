"""Loads engine/lexicon/topics.yaml: abilities, and undertakings that take several of them, in two languages."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.errors import Misconfigured
from engine.facts.language import Language
from engine.files.yaml_locations import InvalidFile, read_yaml

FILE = Path(__file__).with_name("topics.yaml")

Kind = Literal["event", "product", "incident", "hire", "move", "task"]
"""What its timeline looks like: counted back from a day, spread over weeks, or within hours."""


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Name(_Entry):
    zh: str
    en: str

    def said_in(self, language: Language) -> str:
        return self.zh if language == "zh" else self.en


class Topic(_Entry):
    """An ability."""

    tag: Name
    role: Name
    """How a plan calls the person who does it."""
    zh: tuple[str, ...] = ()
    en: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    """Words that name it only where a demand lists what it needs: elsewhere "host" and "guests" mean something else."""
    on_site: bool = False
    """Whether it can only be done where the demand is."""
    thing: bool = False
    """Whether one person may bring any number of it."""
    after: tuple[str, ...] = ()
    """Topics whose results it needs first."""

    @property
    def words(self) -> tuple[str, ...]:
        return (self.tag.zh, self.tag.en, self.role.zh, self.role.en, *self.zh, *self.en)


class Undertaking(_Entry):
    """A thing people want to do."""

    kind: Kind
    zh: tuple[str, ...] = ()
    en: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    """Topics it takes even where nobody names them."""
    needs: tuple[str, ...] = ()
    """Those of them without which it cannot be."""
    not_before: tuple[str, ...] = ()
    """Words right after its name that make something else of it: pictures of a product are no product."""
    only_if_unnamed: bool = False
    """Whether it takes them only where the demand names no ability at all."""
    welcomes: tuple[str, ...] = ()
    """Topics that are nice to have."""


class Lexicon(_Entry):
    topics: Mapping[str, Topic]
    undertakings: Mapping[str, Undertaking]
    loose: Mapping[str, Mapping[Kind, tuple[str, ...]]]
    """Words whose topics depend on the kind of undertaking."""
    common: frozenset[str]
    """Words that say nothing about a demand."""


@cache
def lexicon(file: Path = FILE) -> Lexicon:
    """
    Raises:
        Misconfigured: every fault of the file, with its line.
    """
    try:
        located = read_yaml(file, file.read_text("utf-8"))
    except InvalidFile as error:
        raise Misconfigured([str(fault) for fault in error.faults]) from error
    try:
        read = Lexicon.model_validate(located.data)
    except ValidationError as error:
        raise Misconfigured([str(fault) for fault in located.faults(error, Lexicon)]) from error
    named = [
        *((("topics", key, "after"), each) for key, topic in read.topics.items() for each in topic.after),
        *((("undertakings", key, "takes"), each) for key, one in read.undertakings.items() for each in one.takes),
        *((("undertakings", key, "needs"), each) for key, one in read.undertakings.items() for each in one.needs),
        *((("undertakings", key, "welcomes"), each) for key, one in read.undertakings.items() for each in one.welcomes),
        *((("loose", word), each) for word, kinds in read.loose.items() for keys in kinds.values() for each in keys),
    ]
    faults = [located.fault(at, f"there is no topic {each!r}") for at, each in named if each not in read.topics]
    if faults:
        raise Misconfigured([str(fault) for fault in sorted(faults)])
    return read


def topic(key: str) -> Topic:
    return lexicon().topics[key]
