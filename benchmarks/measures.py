"""How large the house is, how its parts hang together, and how many rooms a vote passes (`benchmarks/rooms.py`).

Keys: ``product``, ``product_folders`` and ``tests`` are a `Size`, or one by top folder; ``flat_folders`` counts the
files of Python that lie in each folder itself, the fullest first; ``circles`` has the modules of each;
``ignored_imports`` counts the imports that contracts of pyproject.toml leave out; ``longest_function`` and
``most_imports`` are `Lines`; ``rooms`` has, by what arrives, the `Passage` to the commit and that from there to the
thread.
"""

import ast
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import grimp
from rich.console import Console

from benchmarks import rooms
from benchmarks.cost import Figures

ROOT: Final = Path(__file__).parents[1]
PRODUCT: Final = ("bot", "engine")
SHIPPED: Final = (*PRODUCT, "prompts", "profiles", "manifest.yml")
"""What the wheel is made of."""
WATCHED: Final = ("engine/negotiation", "bot/views/negotiation")
"""Folders that are told of whether or not they are the largest."""
FIRST: Final = 4
"""How many modules of a circle are named in its line."""


class Size(NamedTuple):
    lines: int = 0
    """Of Python, as all that follows but the last."""
    files: int = 0
    nodes: int = 0
    """Of the syntax trees: lines that are joined, or names that are shortened, save none."""
    data_bytes: int = 0
    """Of whatever else ships: prompts, tables, locales, pages, SQL. READMEs are not counted."""

    def plus(self, other: "Size") -> "Size":
        return Size(*map(sum, zip(self, other, strict=True)))

    def __str__(self) -> str:
        python = f"{self.lines:,} lines of Python in {self.files:,} files, {self.nodes:,} nodes"
        parts = [python] * bool(self.files) + [f"{self.data_bytes:,} bytes of data"] * bool(self.data_bytes)
        return ", ".join(parts) or "nothing"


class Lines(NamedTuple):
    lines: int
    where: str

    def __str__(self) -> str:
        return f"{self.lines} lines, {self.where}"


async def measure() -> Figures:
    passages = (await rooms.passages(ROOT)).items()
    return {
        **house(ROOT, PRODUCT, SHIPPED),
        "rooms": {name: [each._asdict() for each in both] for name, both in passages},
    }


def tell(found: Figures, console: Console) -> None:
    for line in (*lines(found), *_rooms(found["rooms"])):
        console.print(line, soft_wrap=True, highlight=False, markup=False)


def house(root: Path, product: Sequence[str], shipped: Sequence[str]) -> Figures:
    """Measure what can be read without running it.

    Args:
        root: holds ``shipped``, ``tests`` and pyproject.toml.
        product: packages, which the import system finds below ``root``.
        shipped: folders and files.
    """
    folders, tests = _sizes(root, shipped), _sizes(root, ("tests",))
    trees = {path: _tree(root / path) for name in product for path in _files(root, name) if path.suffix == ".py"}
    return {
        "product": _total(folders.values())._asdict(),
        "product_folders": {folder: size._asdict() for folder, size in sorted(folders.items())},
        "tests": _total(tests.values())._asdict(),
        "flat_folders": dict(Counter(path.parent.as_posix() for path in trees).most_common()),
        "circles": sorted(circles(product), key=len, reverse=True),
        "ignored_imports": _ignored_imports(root / "pyproject.toml", product),
        "longest_function": max(_functions(trees))._asdict(),
        "most_imports": max(Lines(_imports_atop(tree), path.as_posix()) for path, tree in trees.items())._asdict(),
    }


def lines(found: Figures) -> Iterator[str]:
    """Say what `house` has found."""
    yield f"product: {Size(**found['product'])}"
    for folder, size in found["product_folders"].items():
        yield f"  {folder}: {Size(**size)}"
    yield f"tests: {Size(**found['tests'])}"
    largest, *_ = found["flat_folders"]
    for folder in dict.fromkeys((largest, *WATCHED)):
        said = "largest flat folder" if folder == largest else "flat folder"
        yield f"{said}: {found['flat_folders'].get(folder, 0)} files, {folder}"
    yield f"circles: {len(found['circles'])}"
    for circle in found["circles"]:
        more = ", ..." if len(circle) > FIRST else ""
        yield f"  {len(circle)} files: {', '.join(circle[:FIRST])}{more}"
    yield f"imports that contracts ignore: {found['ignored_imports']}"
    yield f"longest function: {Lines(**found['longest_function'])}"
    yield f"most imports atop a file: {Lines(**found['most_imports'])}"


def _rooms(found: Figures) -> Iterator[str]:
    for name, both in found.items():
        to_commit, to_thread = (rooms.Passage(**each) for each in both)
        yield f"rooms of {name}: to the commit {to_commit}; from there to the thread {to_thread}"


def _files(root: Path, name: str) -> Iterator[Path]:
    """Relative to ``root``."""
    path = root / name
    for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if each.is_file() and "__pycache__" not in each.parts:
            yield each.relative_to(root)


def _sizes(root: Path, names: Iterable[str]) -> dict[str, Size]:
    """By top folder: ``engine/kernel``, or ``engine`` for what lies in that itself."""
    found: dict[str, Size] = {}
    for path in (path for name in names for path in _files(root, name)):
        folder = "/".join(path.parts[:-1][:2]) or "."
        found[folder] = found.get(folder, Size()).plus(_size(root / path))
    return found


def _size(path: Path) -> Size:
    if path.suffix == ".py":
        nodes = sum(1 for _ in ast.walk(_tree(path)))
        return Size(lines=len(path.read_bytes().splitlines()), files=1, nodes=nodes)
    return Size(data_bytes=0 if path.name == "README.md" else path.stat().st_size)


def _total(sizes: Iterable[Size]) -> Size:
    total = Size()
    for each in sizes:
        total = total.plus(each)
    return total


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes())


def circles(product: Sequence[str]) -> Iterator[list[str]]:
    """Modules each of which imports all others, through whatever is between; an import for types alone is none."""
    first, *others = product
    graph = grimp.build_graph(first, *others, exclude_type_checking_imports=True, cache_dir=None)
    left = set(graph.modules)
    while left:
        module = left.pop()
        circle = {module} | (graph.find_upstream_modules(module) & graph.find_downstream_modules(module))
        left -= circle
        if len(circle) > 1:
            yield sorted(circle)


def _ignored_imports(path: Path, product: Sequence[str]) -> int:
    first, *others = product
    graph = grimp.build_graph(first, *others, include_external_packages=True, cache_dir=None)
    contracts = tomllib.loads(path.read_text("utf-8"))["tool"]["importlinter"].get("contracts", [])
    patterns = [each for contract in contracts for each in contract.get("ignore_imports", [])]
    return sum(len(graph.find_matching_direct_imports(each)) for each in patterns)


def _functions(trees: dict[Path, ast.Module]) -> Iterator[Lines]:
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield Lines(_height(node), f"{path.as_posix()}:{node.lineno} {node.name}")


def _imports_atop(tree: ast.Module) -> int:
    return sum(_height(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))


def _height(node: Any) -> int:
    """Lines, from the first to the last."""
    return int(node.end_lineno - node.lineno + 1)
