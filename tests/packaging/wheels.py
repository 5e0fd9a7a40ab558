"""``python -m tests.packaging.wheels``: whether all that ToWow runs with is there as a wheel: nobody needs a compiler.

It asks the registry that pip is set up with, for each Python and each system, and installs nothing. Without a registry
it asks nothing.
"""

import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[2]
PATIENCE: Final = 120
"""Seconds for one Python on one system."""
ALTOGETHER: Final = 180
"""Seconds after which no more is asked: a slow registry holds nobody up."""
PYTHONS: Final = ("3.11", "3.14", "3.12", "3.13")
"""The oldest and the newest first."""
GLIBC: Final = ("2_28", "2_27", "2_26", "2_24", "2_17", "2_12", "2_5")
SYSTEMS: Final[Mapping[str, tuple[str, str, str, tuple[str, ...]]]] = {
    "Linux x86": ("linux", "Linux", "x86_64", tuple(f"manylinux_{each}_x86_64" for each in GLIBC)),
    "Linux ARM": ("linux", "Linux", "aarch64", tuple(f"manylinux_{each}_aarch64" for each in GLIBC)),
    "macOS x86": ("darwin", "Darwin", "x86_64", ("macosx_14_0_x86_64",)),
    "macOS ARM": ("darwin", "Darwin", "arm64", ("macosx_14_0_arm64",)),
    "Windows x86": ("win32", "Windows", "AMD64", ("win_amd64",)),
    "Windows ARM": ("win32", "Windows", "ARM64", ("win_arm64",)),
}
"""``sys_platform``, ``platform_system``, ``platform_machine``, and which wheels fit."""
KNOWN: Final[Mapping[tuple[str, str, str], str]] = {
    (
        "3.11",
        "Windows ARM",
        "pyyaml",
    ): "where there is no compiler it is built in Python alone, and 3.12 has one",
}
"""What has no wheel, and why nobody is held up by it."""
MISSING: Final = "No matching distribution found for "


def main() -> int:
    pinned = pins()
    probe = _ask(f"idna=={pinned['idna']}", "3.11", ("any",))
    if probe.returncode != 0:
        print("No registry can be reached from here; nothing was asked.")
        return 0
    faults, until = list[str](), time.monotonic() + ALTOGETHER
    for python, system in product(PYTHONS, SYSTEMS):
        if time.monotonic() < until:
            faults += _faults(python, system, pinned)
        else:
            print(f"Python {python}, {system}: not asked, the registry is slow", flush=True)
    print("\n".join(faults) or "Everything that was asked for is there as a wheel.")
    return 1 if faults else 0


def pins() -> Mapping[str, str]:
    """Return the versions that constraints.txt pins."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pairs = (line.split("==") for line in lines if "==" in line)
    return {canonicalize_name(name): version for name, version in pairs}


def needed(environment: Mapping[str, str]) -> set[str]:
    """Return the names of all that ToWow runs with there, by what the packages that are installed here say."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found: set[str] = set()
    waiting = [(Requirement(each), "") for each in project["dependencies"]]
    seen = set[tuple[str, str]]()
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({**environment, "extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        found.add(name)
        for wanted in ("", *requirement.extras):
            if (name, wanted) not in seen:
                seen.add((name, wanted))
                waiting += [(each, wanted) for each in _requirements(name)]
    return found


def _requirements(name: str) -> list[Requirement]:
    try:
        return [Requirement(each) for each in distribution(name).requires or ()]
    except PackageNotFoundError:  # of another system: what it needs itself is not known here
        return []


def _is_for_all(name: str) -> bool:
    """Whether one wheel fits every system, so that it need not be asked for again."""
    try:
        return "-none-any" in (distribution(name).read_text("WHEEL") or "")
    except PackageNotFoundError:
        return False


def _faults(python: str, system: str, pinned: Mapping[str, str]) -> Iterator[str]:
    platform, name, machine, wheels = SYSTEMS[system]
    environment = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "os_name": "nt" if platform == "win32" else "posix",
        "sys_platform": platform,
        "platform_system": name,
        "platform_machine": machine,
        "platform_release": "",
        "platform_version": "",
        "implementation_version": f"{python}.0",
    }
    wanted = needed(environment)
    asked = wanted if system == next(iter(SYSTEMS)) else {each for each in wanted if not _is_for_all(each)}
    left = sorted(f"{each}=={pinned[each]}" for each in asked & pinned.keys())
    faults = [f"Python {python}, {system}: {each} is not pinned" for each in sorted(wanted - pinned.keys())]
    while left:
        answer = _ask(left, python, wheels)
        if answer.returncode == 0:
            break
        missing = answer.stderr.partition(MISSING)[2].split()
        if not missing or missing[0] not in left:
            # A registry that does not answer just now says nothing of wheels.
            print(f"Python {python}, {system}: not asked, pip says {answer.stderr.strip()[-300:]}", flush=True)
            break
        known = KNOWN.get((python, system, missing[0].partition("==")[0]))
        said = f"Python {python}, {system}: {missing[0]} has no wheel"
        if known is None:
            faults.append(said)
        else:
            print(f"{said}: {known}", flush=True)
        left.remove(missing[0])
    print(f"Python {python}, {system}: {len(wanted)} packages, {len(faults)} without a wheel", flush=True)
    yield from faults


def _ask(wanted: str | list[str], python: str, wheels: tuple[str, ...]) -> "subprocess.CompletedProcess[str]":
    """Have pip look for wheels, and install none."""
    fitting = [part for each in wheels for part in ("--platform", each)]
    names = [wanted] if isinstance(wanted, str) else wanted
    with TemporaryDirectory(prefix="towow-wheels-") as folder:
        command = [
            *(sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet"),
            *("--disable-pip-version-check", "--only-binary=:all:", "--target", folder, "--python-version", python),
            *fitting, *names,
        ]  # fmt: skip
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 1, "", f"nothing for {PATIENCE} s")


if __name__ == "__main__":
    sys.exit(main())
