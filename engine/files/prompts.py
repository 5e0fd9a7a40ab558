"""Reads prompts/, whose files a non-programmer can edit; prompts/README.md says how one is written."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.errors import Misconfigured
from engine.files import kept_folder
from engine.files.yaml_locations import Fault, InvalidFile, LocatedYaml, Position, read_yaml
from engine.kernel import ModelAnswer
from engine.llm.port import ALWAYS, CACHE_BOUNDARY, MOST_BOUNDARIES, SHARED, AnswerClasses, Prompt


def load_prompts(returns: Mapping[str, AnswerClasses], folder: Path | None = None) -> Mapping[str, Prompt]:
    """Every prompt by its name.

    Args:
        returns: by protocol, that is by folder; each prompt named there must have its file and say the same. Folders of
            other protocols are not read.
        folder: the one that came with the code, unless told otherwise.

    Raises:
        Misconfigured: every fault of every file, with file and line.
    """
    folder = folder or kept_folder.folder("prompts")
    passages = {path.stem: _Passage(path, path.read_text("utf-8")) for path in sorted(folder.glob(f"{SHARED}/*.md"))}
    prompts: dict[str, Prompt] = {}
    faults: list[Fault] = []
    for path in sorted(folder.glob("*/*.md")):
        if path.parent.name not in returns:
            continue
        try:
            prompt = _read(path, passages, returns[path.parent.name])
            prompts[prompt.name] = prompt
        except InvalidFile as error:
            faults += error.faults
    found = {f"{path.parent.name}/{path.stem}" for path in folder.glob("*/*.md")}
    faults += [
        Fault(folder / protocol / f"{name}.md", Position(), "this prompt is needed and not there")
        for protocol, classes in returns.items()
        for name in classes
        if f"{protocol}/{name}" not in found
    ]
    if not found:
        faults.append(Fault(folder, Position(), "there is no prompt in this folder"))
    if faults:
        raise Misconfigured([str(fault) for fault in sorted(set(faults))])
    return MappingProxyType(prompts)


class _Header(BaseModel):
    """What stands between the two `---` lines."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int = Field(ge=1)
    name: str | None = None
    purpose: str = Field(min_length=1)
    given: tuple[str, ...] = Field(min_length=1)
    returns: str
    model: str = Field(min_length=1)
    effort: Literal["low", "medium", "high", "max"]
    max_tokens: int = Field(ge=1)
    timeout: float | None = Field(None, gt=0)
    fallback: str = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class _Passage:
    path: Path
    text: str


_FRAME = re.compile(r"\A---[ \t]*\n(?P<header>.*?\n)---[ \t]*\n(?P<body>.*)\Z", re.DOTALL)


def _read(path: Path, passages: Mapping[str, _Passage], classes: AnswerClasses) -> Prompt:
    header, located, source, first_line = _parse(path)
    name = f"{path.parent.name}/{path.stem}"
    faults: list[Fault] = []
    if header.name not in (None, name):
        faults.append(located.fault(("name",), f"the name is {header.name!r}, but the file says {name!r}"))
    returns, fault = _answer_class(path, header.returns, classes)
    if fault:
        faults.append(located.fault(("returns",), fault))
    body, used = _expand_passages(source, first_line, passages, faults)
    allowed = {*header.given, *ALWAYS}
    faults += [fault for unknown, fault in used if unknown not in allowed]
    for position, given in enumerate(header.given):
        if given not in {used_name for used_name, _ in used}:
            faults.append(
                located.fault(("given", position), f"`{given}` is given but `${given}` is nowhere in the text")
            )
    if body.count(CACHE_BOUNDARY) > MOST_BOUNDARIES:
        faults.append(Fault(path, Position(first_line), f"`===` stands here more than {MOST_BOUNDARIES} times"))
    if not body.strip():
        faults.append(Fault(path, Position(first_line), "there is no text under the header"))
    if faults or returns is None:
        raise InvalidFile(faults)
    digest = hashlib.sha256(body.encode()).hexdigest()[:16]
    kept = header.model_dump(exclude={"name", "returns"})
    return Prompt(name=name, returns=returns, body=body, content_hash=digest, **kept)


def _parse(path: Path) -> tuple[_Header, LocatedYaml, _Passage, int]:
    """The header, its YAML, the text below it, and the line on which the text begins."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidFile([Fault(path, Position(), "this is not UTF-8 text")]) from error
    frame = _FRAME.match(text)
    if frame is None:
        raise InvalidFile([Fault(path, Position(), "a prompt starts with a header between two `---` lines")])
    located = read_yaml(path, frame["header"], first_line=2)
    try:
        header = _Header.model_validate(located.data)
    except ValidationError as error:
        raise InvalidFile(located.faults(error, _Header)) from error
    return header, located, _Passage(path, frame["body"]), text.count("\n", 0, frame.start("body")) + 1


def _answer_class(path: Path, name: str, classes: AnswerClasses) -> tuple[type[ModelAnswer] | None, str]:
    """The class of that name, and what is wrong with it ("" where nothing is)."""
    known = {each.__name__: each for each in classes.values()}
    returns = known.get(name)
    if returns is None:
        there = ", ".join(sorted(known)) or "none"
        return None, f"{path.parent.name} has no answer {name!r}; there are: {there}"
    read = classes.get(path.stem, returns)
    return returns, "" if read is returns else f"this says {name!r}, but {read.__name__!r} is read"


def _expand_passages(
    source: _Passage, first_line: int, passages: Mapping[str, _Passage], faults: list[Fault]
) -> tuple[str, list[tuple[str, Fault]]]:
    """The text with its shared passages expanded, and its other names, each with the fault to report if unknown."""
    used: list[tuple[str, Fault]] = []
    parts: list[str] = []
    end = 0
    for name, place, span in _names(source.text, first_line):
        parts.append(source.text[end : span[0]])
        end = span[1]
        written = source.text[span[0] : span[1]]
        if name is None:
            faults.append(Fault(source.path, place, "a dollar sign that is not a name is written `$$`"))
        elif not name.startswith(f"{SHARED}_"):
            parts.append(written)
            used.append((name, Fault(source.path, place, f"`${name}` is not among what this prompt is given")))
        elif (passage := passages.get(name.removeprefix(f"{SHARED}_"))) is None:
            there = ", ".join(f"${SHARED}_{each}" for each in passages) or "none"
            faults.append(Fault(source.path, place, f"there is no shared passage `${name}`; there are: {there}"))
        else:
            inner, inner_used = _expand_passages(passage, 1, {}, faults)
            parts.append(inner.strip())
            used += inner_used
    parts.append(source.text[end:])
    return "".join(parts), used


def _names(text: str, first_line: int) -> Iterator[tuple[str | None, Position, tuple[int, int]]]:
    """Every ``$name`` in the text; None for a dollar sign that is neither a name nor doubled."""
    for match in Template.pattern.finditer(text):
        if match["escaped"] is not None:
            continue
        line_start = text.rfind("\n", 0, match.start()) + 1
        place = Position(text.count("\n", 0, match.start()) + first_line, match.start() - line_start + 1)
        yield match["named"] or match["braced"], place, match.span()
