"""Reads profiles/: one file a person.

What each field does is told in profiles/README.md.
"""

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from engine.directory.profile import Profile, Profiles, mismatches
from engine.errors import Misconfigured
from engine.files import folders
from engine.files.yaml_locations import Fault, Location, Marked, Place, Unreadable, read_marked


def load_profiles(folder: Path | None = None) -> Profiles:
    """
    Args:
        folder: the one that came with the code, unless told otherwise.

    Raises:
        Misconfigured: every fault of every file, with file and line.
    """
    folder = folder or folders.folder("profiles")
    read: dict[str, tuple[Profile, Marked]] = {}
    faults: list[Fault] = []
    paths = sorted([*folder.glob("*.yaml"), *folder.glob("*.yml")])
    for path in paths:
        try:
            profile, marked = _read(path)
        except Unreadable as error:
            faults += error.faults
            continue
        if profile.agent_id in read:
            first = read[profile.agent_id][1].path.name
            faults.append(marked.fault(("agent_id",), f"{profile.agent_id!r} is already the agent_id in {first}"))
        faults += [marked.fault(location, message) for location, message in _wrong_together(profile, path)]
        read.setdefault(profile.agent_id, (profile, marked))
    if not paths:
        faults.append(Fault(folder, Place(), "there is no profile (*.yaml) in this folder"))
    if faults:
        raise Misconfigured([str(fault) for fault in sorted(faults)])
    return Profiles({agent_id: profile for agent_id, (profile, _) in read.items()})


def read_profile(path: Path, text: str) -> Profile:
    """One person's, from what would stand in their file.

    Raises:
        Unreadable: every fault, with its line.
    """
    profile, marked = _read_text(path, text)
    if faults := [marked.fault(location, message) for location, message in mismatches(profile)]:
        raise Unreadable(faults)
    return profile


def _read(path: Path) -> tuple[Profile, Marked]:
    try:
        return _read_text(path, path.read_text("utf-8"))
    except UnicodeDecodeError as error:
        raise Unreadable([Fault(path, Place(), "this is not UTF-8 text")]) from error


def _read_text(path: Path, text: str) -> tuple[Profile, Marked]:
    marked = read_marked(path, text)
    try:
        return Profile.model_validate(marked.data), marked
    except ValidationError as error:
        raise Unreadable(marked.faults(error, Profile)) from error


def _wrong_together(profile: Profile, path: Path) -> Iterator[tuple[Location, str]]:
    if profile.agent_id != f"user_agent_{path.stem}":
        yield ("agent_id",), f"{profile.agent_id!r} belongs in {profile.agent_id.removeprefix('user_agent_')}.yaml"
    yield from mismatches(profile)
