"""Reads profiles/, one file a person; profiles/README.md says what each field does."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from engine.directory.profile import Profile, Profiles, mismatches
from engine.errors import Misconfigured
from engine.files import kept_folder
from engine.files.yaml_locations import Fault, InvalidFile, LocatedYaml, Location, Position, read_yaml

COMPANY: Final = "company"
"""The folder within profiles/ with the colleagues of those who are in the demo."""


def load_company(folder: Path | None = None) -> Profiles:
    """Return everybody that came with the code: those of the demo, and their colleagues.

    Args:
        folder: another one, with nobody but whom it has.

    Raises:
        Misconfigured: every fault of every file, with file and line.
    """
    if folder is not None:
        return load_profiles(folder)
    own = kept_folder.folder("profiles")
    return Profiles({**load_profiles(own), **load_profiles(own / COMPANY)})


def load_profiles(folder: Path | None = None) -> Profiles:
    """
    Args:
        folder: the one that came with the code, with those who are in the demo, unless told otherwise.

    Raises:
        Misconfigured: every fault of every file, with file and line.
    """
    folder = folder or kept_folder.folder("profiles")
    read: dict[str, tuple[Profile, LocatedYaml]] = {}
    faults: list[Fault] = []
    paths = sorted([*folder.glob("*.yaml"), *folder.glob("*.yml")])
    for path in paths:
        try:
            profile, located = _read(path)
        except InvalidFile as error:
            faults += error.faults
            continue
        if profile.agent_id in read:
            first = read[profile.agent_id][1].path.name
            faults.append(located.fault(("agent_id",), f"{profile.agent_id!r} is already the agent_id in {first}"))
        faults += [located.fault(location, message) for location, message in _wrong_together(profile, path)]
        read.setdefault(profile.agent_id, (profile, located))
    if not paths:
        faults.append(Fault(folder, Position(), "there is no profile (*.yaml) in this folder"))
    if faults:
        raise Misconfigured([str(fault) for fault in sorted(faults)])
    return Profiles({agent_id: profile for agent_id, (profile, _) in read.items()})


def read_profile(path: Path, text: str) -> Profile:
    """Read one person's profile from the text of a file."""
    profile, located = _read_text(path, text)
    if faults := [located.fault(location, message) for location, message in mismatches(profile)]:
        raise InvalidFile(faults)
    return profile


def _read(path: Path) -> tuple[Profile, LocatedYaml]:
    try:
        return _read_text(path, path.read_text("utf-8"))
    except UnicodeDecodeError as error:
        raise InvalidFile([Fault(path, Position(), "this is not UTF-8 text")]) from error


def _read_text(path: Path, text: str) -> tuple[Profile, LocatedYaml]:
    located = read_yaml(path, text)
    try:
        return Profile.model_validate(located.data), located
    except ValidationError as error:
        raise InvalidFile(located.faults(error, Profile)) from error


def _wrong_together(profile: Profile, path: Path) -> Iterator[tuple[Location, str]]:
    if profile.agent_id != f"user_agent_{path.stem}":
        yield ("agent_id",), f"{profile.agent_id!r} belongs in {profile.agent_id.removeprefix('user_agent_')}.yaml"
    yield from mismatches(profile)
