"""YAML that remembers where each thing stands, so that a fault can name its file, line and column."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

_HALF = re.compile("[\ud800-\udfff]")
"""Written as an escape, YAML takes one by itself."""

Location = tuple[str | int, ...]
"""The way to a value, as pydantic tells it: ``("limits", "never", 0)``."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Both count from 1."""

    line: int = 1
    column: int = 1


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    path: Path
    place: Place
    message: str

    def __str__(self) -> str:
        return f"{_short(self.path)}:{self.place.line}:{self.place.column}: {self.message}"


@dataclass(frozen=True, slots=True)
class Marked:
    """A YAML mapping and the place of everything in it."""

    path: Path
    data: Mapping[str, Any]
    places: Mapping[Location, Place]

    def place(self, location: Location) -> Place:
        """Of the value, or of the nearest thing around it that is written down."""
        while location and location not in self.places:
            location = location[:-1]
        return self.places[location]

    def fault(self, location: Location, message: str) -> Fault:
        return Fault(self.path, self.place(location), message)

    def faults(self, error: ValidationError, model: type[BaseModel]) -> list[Fault]:
        """What pydantic found, each at its place, in our words."""
        return [self.fault(each["loc"], _in_words(dict(each), model)) for each in error.errors()]


class Unreadable(Exception):
    """Not a YAML mapping."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


def read_marked(path: Path, text: str, first_line: int = 1) -> Marked:
    """
    Args:
        first_line: the line of the file on which ``text`` starts.

    Raises:
        Unreadable: a syntax error, a key that is there twice, half of a character, or something else than a mapping.
    """
    down = first_line - 1
    loader = yaml.SafeLoader("")
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        data: Any = loader.construct_document(node) if node is not None else None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(mark.line + 1 + down, mark.column + 1) if mark else Place(first_line)
        message = f"this is not YAML: {error.problem or error.context}"
        if mark and error.context_mark and error.context_mark.line != mark.line:
            message += f" ({error.context}, from line {error.context_mark.line + 1 + down})"
        raise Unreadable([Fault(path, place, message)]) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + first_line
        raise Unreadable([Fault(path, Place(line), "this is not YAML: a character that cannot be printed")]) from error
    except ValueError as error:
        raise Unreadable([Fault(path, Place(first_line), f"a value cannot be read: {error}")]) from error
    except RecursionError as error:
        raise Unreadable([Fault(path, Place(first_line), "this is nested too deeply")]) from error
    finally:
        loader.dispose()
    if not isinstance(node, yaml.MappingNode):
        found = "nothing" if node is None else "a list" if isinstance(node, yaml.SequenceNode) else "a single value"
        raise Unreadable([Fault(path, Place(first_line), f"expected `name: value` lines, found {found}")])
    walk = _Walk(path, down)
    walk.visit(node, ())
    if walk.faults:
        raise Unreadable(walk.faults)
    return Marked(path, data, walk.places)


@dataclass
class _Walk:
    path: Path
    down: int
    places: dict[Location, Place] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    """Keys that are there twice, and texts that nothing can carry."""

    def visit(self, node: yaml.Node, at: Location, inside: tuple[int, ...] = ()) -> None:
        self.places.setdefault(at, self._place(node))
        if id(node) in inside:
            return  # an alias that contains itself
        if isinstance(node, yaml.ScalarNode) and _HALF.search(node.value):
            self.faults.append(Fault(self.path, self._place(node), "a text has half of a character in it"))
        for key, location, child in _children(node, at):
            if key is not None:
                if location in self.places:
                    first = self.places[location].line
                    message = f"`{location[-1]}` is here twice (first on line {first})"
                    self.faults.append(Fault(self.path, self._place(key), message))
                self.places[location] = self._place(key)
            self.visit(child, location, (*inside, id(node)))

    def _place(self, node: yaml.Node) -> Place:
        return Place(node.start_mark.line + 1 + self.down, node.start_mark.column + 1)


def _children(node: yaml.Node, at: Location) -> Iterator[tuple[yaml.Node | None, Location, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key, (*at, str(key.value)), value
    elif isinstance(node, yaml.SequenceNode):
        for position, value in enumerate(node.value):
            yield None, (*at, position), value


def _in_words(error: Mapping[str, Any], model: type[BaseModel]) -> str:
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
    """The names that may stand at this place, as far as they can be told."""
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
