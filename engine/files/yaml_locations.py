"""Reads YAML with the position of each value, so that a fault can name its file, line and column."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import BaseModel, ValidationError

from engine.files.bounded_yaml import BoundedLoader, FastLoader, NotRead

MOST_FAULTS: Final = 50
"""That are told of one file."""

_OF_TAGS: Final = (LookupError, TypeError, AttributeError, ArithmeticError)
"""What the library's own constructors let out."""
_REFUSALS: Final = (yaml.YAMLError, ValueError, *_OF_TAGS)

_HALF = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which YAML accepts as an escape."""

Location = tuple[str | int, ...]
"""The path to a value, as pydantic gives it: ``("limits", "never", 0)``."""


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """Both count from 1."""

    line: int = 1
    column: int = 1


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    path: Path
    position: Position
    message: str

    def __str__(self) -> str:
        return f"{_short(self.path)}:{self.position.line}:{self.position.column}: {self.message}"


@dataclass(frozen=True, slots=True)
class LocatedYaml:
    """A YAML mapping and the position of everything in it."""

    path: Path
    data: Mapping[str, Any]
    positions: Mapping[Location, Position]

    def position(self, location: Location) -> Position:
        """The position of the value, or of the nearest one around it that the file contains."""
        while location and location not in self.positions:
            location = location[:-1]
        return self.positions[location]

    def fault(self, location: Location, message: str) -> Fault:
        return Fault(self.path, self.position(location), message)

    def faults(self, error: ValidationError, model: type[BaseModel]) -> list[Fault]:
        """Pydantic's errors in our words, each with its position."""
        found = error.errors(include_url=False)[:MOST_FAULTS]
        return [self.fault(each["loc"], _message(dict(each), model)) for each in found]


class InvalidFile(Exception):
    """The file is not valid; ``faults`` says where and why."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


def read_yaml(path: Path, text: str, first_line: int = 1) -> LocatedYaml:
    """
    Args:
        first_line: the line of the file on which ``text`` starts.

    Raises:
        InvalidFile: a syntax error, a repeated key, half of a character, something other than a mapping, or more than
            `BoundedLoader` reads.
    """
    lines_before = first_line - 1
    try:
        node, data = _load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Position(mark.line + 1 + lines_before, mark.column + 1) if mark else Position(first_line)
        message = f"{'this' if isinstance(error, NotRead) else 'this is not YAML:'} {error.problem or error.context}"
        if mark and error.context_mark and error.context_mark.line != mark.line:
            message += f" ({error.context}, from line {error.context_mark.line + 1 + lines_before})"
        raise InvalidFile([Fault(path, place, message)]) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + first_line
        raise InvalidFile(
            [Fault(path, Position(line), "this is not YAML: a character that cannot be printed")]
        ) from error
    except ValueError as error:
        raise InvalidFile([Fault(path, Position(first_line), f"a value cannot be read: {error}")]) from error
    except _OF_TAGS as error:
        message = "a value is not of the kind that its tag names (such as !!int)"
        raise InvalidFile([Fault(path, Position(first_line), message)]) from error
    if not isinstance(node, yaml.MappingNode):
        found = "nothing" if node is None else "a list" if isinstance(node, yaml.SequenceNode) else "a single value"
        raise InvalidFile([Fault(path, Position(first_line), f"expected `name: value` lines, found {found}")])
    visitor = _LocationVisitor(path, lines_before)
    visitor.visit(node, ())
    if visitor.faults:
        raise InvalidFile(visitor.faults)
    return LocatedYaml(path, data, visitor.positions)


def _load(text: str) -> tuple[yaml.Node | None, Any]:
    try:
        return _loaded(FastLoader(text))
    except _REFUSALS:  # the other one says what is wrong, if anything is
        return _loaded(BoundedLoader(text))


def _loaded(loader: BoundedLoader) -> tuple[yaml.Node | None, Any]:
    try:
        node = loader.get_single_node()
        return node, loader.construct_document(node) if node is not None else None
    finally:
        loader.dispose()


@dataclass
class _LocationVisitor:
    path: Path
    lines_before: int
    positions: dict[Location, Position] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    """Repeated keys, and texts that cannot be stored."""

    def visit(self, node: yaml.Node, at: Location) -> None:
        self.positions.setdefault(at, self._position(node))
        if isinstance(node, yaml.ScalarNode) and _HALF.search(node.value):
            self.faults.append(Fault(self.path, self._position(node), "a text has half of a character in it"))
        for key, location, child in _children(node, at):
            if key is not None:
                if location in self.positions:
                    first = self.positions[location].line
                    message = f"`{location[-1]}` is here twice (first on line {first})"
                    self.faults.append(Fault(self.path, self._position(key), message))
                self.positions[location] = self._position(key)
            self.visit(child, location)

    def _position(self, node: yaml.Node) -> Position:
        return Position(node.start_mark.line + 1 + self.lines_before, node.start_mark.column + 1)


def _children(node: yaml.Node, at: Location) -> Iterator[tuple[yaml.Node | None, Location, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key, (*at, str(key.value)), value
    elif isinstance(node, yaml.SequenceNode):
        for position, value in enumerate(node.value):
            yield None, (*at, position), value


def _message(error: Mapping[str, Any], model: type[BaseModel]) -> str:
    location: Location = error["loc"]
    name = ".".join(map(str, location)) or "this file"
    limits: Mapping[str, Any] = error.get("ctx", {})
    match error["type"]:
        case "missing":
            return f"`{name}` is missing"
        case "extra_forbidden":
            near = get_close_matches(str(location[-1]), _fields(model, location[:-1]), n=1)
            return f"`{name}` is not a field here" + (f"; did you mean `{near[0]}`?" if near else "")
        case "string_too_short" | "string_too_long":
            wanted = f"at least {limits['min_length']}" if "min_length" in limits else f"at most {limits['max_length']}"
            return f"`{name}` has {len(error['input'])} characters; it needs {wanted}"
        case "value_error":
            return f"`{name}`: {limits['error']}"
        case _:
            return f"`{name}`: {error['msg'][0].lower()}{error['msg'][1:]}; found {error['input']!r}"


def _fields(model: type[BaseModel], inside: Location) -> list[str]:
    """The field names that may occur here, as far as the model tells."""
    here = model
    for step in inside:
        if step not in here.model_fields:
            continue  # a place in a list or a key of a mapping
        annotation = here.model_fields[str(step)].annotation
        inner = [each for each in (annotation, *getattr(annotation, "__args__", ())) if _is_model(each)]
        if not inner:
            return []
        here = inner[0]
    return list(here.model_fields)


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _short(path: Path) -> Path:
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path
