"""Registers what was made: reads it without following a link, keeps a copy, and reads that back (seed 002, *Artifact
Reference*); and deletes what workers have left of a session.

Only regular files with something in them count. What is kept lies in ``artifacts/`` of the session's directory, is
nobody else's to read, and is never changed afterwards.
"""

import hashlib
import mimetypes
import os
import re
import shutil
import stat
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from engine.errors import EngineError
from engine.files.kept_folder import make_folder
from engine.workers.port import Failure, GivenOutput, Registered, WantedOutput
from engine.workers.registry import ARTIFACTS, FOLDERS, WorkersAccess

PIECE: Final = 1 << 20
BEGINNING: Final = 4_096
"""Bytes by which a file is told to be a text, and which whoever reviews it without opening it is shown."""
MOST_OF_ONE_NAME: Final = 100
"""Files of one attempt."""
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,100}(?:\.[A-Za-z0-9]{1,10})?")
"""Of a ticket's folder and of a file; code makes them."""
SESSION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,200}")
UNKNOWN_TYPE: Final = "application/octet-stream"
LINK_TYPE: Final = "text/uri-list"
_TEXTS: Final = {"md": "text/markdown", "txt": "text/plain", "csv": "text/csv", "json": "application/json"}
_BEGINNINGS: Final[dict[str, bytes | tuple[bytes, ...]]] = {
    "image/png": b"\x89PNG",
    "image/jpeg": b"\xff\xd8\xff",
    "image/gif": b"GIF8",
    "application/pdf": b"%PDF-",
    "application/zip": b"PK",
    "application/gzip": b"\x1f\x8b",
}
_OPEN: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class OutputRefused(EngineError):
    """Something that was made cannot be taken; the message says why, with no more of it than its name."""

    def __init__(self, failure: Failure, detail: str) -> None:
        super().__init__(detail)
        self.failure: Failure = failure
        self.detail = detail


def session_directory(sessions: Path, session: str) -> Path:
    """Return the directory of a session, made where it is not there; nobody else may read it."""
    if not SESSION.fullmatch(session) or ".." in session:
        raise OutputRefused("artifact_refused", "A session cannot be called so.")
    path = (sessions / session).absolute()  # whoever works there is started there
    make_folder(path)
    return path


def register_files(
    session: Path,
    ticket: str,
    attempt: int,
    work: Path,
    wanted: tuple[WantedOutput, ...],
    *,
    most_bytes: int,
    announced: Mapping[str, str] | None = None,
) -> tuple[Registered, ...]:
    """Keep a copy of each expected file.

    Args:
        session: its directory.
        work: the directory that the worker was started in.
        announced: digests by path, where the worker has told them.
    """
    found = []
    for each in wanted:
        with _opened(work, each.path) as (descriptor, size):
            if size > most_bytes:
                raise OutputRefused("artifact_refused", f"{each.path} is larger than {most_bytes} bytes.")
            kept = _keep(session, ticket, attempt, each.path, _pieces(descriptor, each.path, most_bytes))
        told = (announced or {}).get(each.path)
        if told is not None and told != kept.digest:
            raise OutputRefused("artifact_refused", f"{each.path} is not what was announced: its digest differs.")
        found.append(_registered(each.label, kept))
    return tuple(found)


def register_given(
    session: Path, ticket: str, attempt: int, given: GivenOutput, content: bytes, *, most_bytes: int
) -> Registered:
    """Keep what somebody gave: a text, or a file that they have uploaded."""
    if not content:
        raise OutputRefused("evidence_missing", "What was given has nothing in it.")
    if len(content) > most_bytes:
        raise OutputRefused("artifact_refused", f"What was given is larger than {most_bytes} bytes.")
    name = given.path.rpartition("/")[2]
    return _registered(given.label, _keep(session, ticket, attempt, name, iter((content,))))


def register_link(given: GivenOutput) -> Registered:
    """Keep an address. Nobody has opened it."""
    address = given.link.encode()
    return Registered(
        label=given.label,
        uri=given.link,
        digest=f"sha256:{hashlib.sha256(address).hexdigest()}",
        content_type=LINK_TYPE,
        size_bytes=len(address),
        is_link=True,
    )


def read_artifact(session: Path, uri: str, digest: str) -> bytes:
    """Return what was kept."""
    folder, _, rest = uri.partition("/")
    if folder != ARTIFACTS:
        raise OutputRefused("artifact_refused", "That is no artifact of this session.")
    with _opened(session / ARTIFACTS, rest) as (descriptor, size):
        content = b"".join(_pieces(descriptor, rest, size))
    if f"sha256:{hashlib.sha256(content).hexdigest()}" != digest:
        raise OutputRefused("artifact_refused", f"{rest} is not what was registered: its digest differs.")
    return content


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Kept:
    def __init__(self, path: str, digest: str, size: int, content_type: str, head: bytes) -> None:
        self.path, self.digest, self.size, self.content_type = path, digest, size, content_type
        self.beginning = head.decode("utf-8", "ignore").lstrip("\ufeff") if _reads_as_text(head) else ""


def _registered(label: str, kept: _Kept) -> Registered:
    return Registered(
        label=label,
        uri=kept.path,
        digest=kept.digest,
        content_type=kept.content_type,
        size_bytes=kept.size,
        beginning=kept.beginning,
    )


@contextmanager
def _opened(root: Path, path: str) -> Iterator[tuple[int, int]]:
    """Open a regular file beneath a directory: its descriptor and size. No part of its path may be a link."""
    parts = path.split("/")
    if not all(NAME.fullmatch(each) for each in parts):
        raise OutputRefused("artifact_refused", "An output leads out of its directory, or cannot be called so.")
    name = parts[-1]
    opened: list[int] = []
    try:
        opened.append(os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
        for each in parts[:-1]:
            opened.append(os.open(each, _OPEN | os.O_DIRECTORY, dir_fd=opened[-1]))
        opened.append(os.open(name, _OPEN, dir_fd=opened[-1]))
        found = os.fstat(opened[-1])
        if not stat.S_ISREG(found.st_mode):
            raise OutputRefused("artifact_refused", f"{name} is no regular file.")
        if found.st_nlink > 1:
            raise OutputRefused("artifact_refused", f"{name} is a hard link to another file.")
        if found.st_size == 0:
            raise OutputRefused("evidence_missing", f"{name} has nothing in it.")
        yield opened[-1], found.st_size
    except FileNotFoundError:
        raise OutputRefused("evidence_missing", f"{name} is not there.") from None
    except OSError:
        # A link, or something that cannot be opened like a file.
        raise OutputRefused("artifact_refused", f"{name} cannot be read as a file of its directory.") from None
    finally:
        for descriptor in reversed(opened):
            os.close(descriptor)


def _pieces(descriptor: int, name: str, most: int) -> Iterator[bytes]:
    """The content, also of a file that grows while it is read: never more than it may have."""
    read = 0
    while piece := os.read(descriptor, PIECE):
        read += len(piece)
        if read > most:
            raise OutputRefused("artifact_refused", f"{name} is larger than {most} bytes.")
        yield piece


def _keep(session: Path, ticket: str, attempt: int, name: str, pieces: Iterator[bytes]) -> _Kept:
    """Write a copy that is whole or not there, and read it back."""
    if not (NAME.fullmatch(ticket) and NAME.fullmatch(name)):
        raise OutputRefused("artifact_refused", "An output cannot be called so.")
    place = f"{ARTIFACTS}/{ticket}/{attempt}"
    folder = session / place
    make_folder(folder)
    partly = folder / f".{name}.part"
    written, head = hashlib.sha256(), b""
    with open(partly, "wb", opener=lambda path, flags: os.open(path, flags | os.O_NOFOLLOW, 0o600)) as file:
        for piece in pieces:
            head = head or piece[:BEGINNING]
            written.update(piece)
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    whole = _settled(partly, folder, name, written.digest())
    _sync(folder)
    read, size = _digest(whole)
    if read.digest() != written.digest():
        raise OutputRefused("artifact_refused", f"{name} could not be read back as it was written.")
    return _Kept(f"{place}/{whole.name}", f"sha256:{read.hexdigest()}", size, content_type_of(name, head), head)


def _settled(partly: Path, folder: Path, name: str, digest: bytes) -> Path:
    """Give a file its name. What was kept before stays as it is: another content gets another name."""
    stem, dot, suffix = name.partition(".")
    for number in range(1, MOST_OF_ONE_NAME):
        whole = folder / (name if number == 1 else f"{stem}-{number}{dot}{suffix}")
        if not whole.exists():
            return partly.replace(whole)
        if whole.is_file() and _digest(whole)[0].digest() == digest:
            partly.unlink()
            return whole
    raise OutputRefused("artifact_refused", f"{name} was given too often.")


def _digest(path: Path) -> tuple["hashlib._Hash", int]:
    """The digest of a file, and its size in bytes."""
    read, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            read.update(piece)
            size += len(piece)
    return read, size


def _sync(folder: Path) -> None:
    """Have a folder's names on the disk, where the system can."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def content_type_of(name: str, head: bytes) -> str:
    """Return what a file is by its name, unless its beginning says that it cannot be."""
    guessed = _TEXTS.get(name.rpartition(".")[2].casefold()) or mimetypes.guess_type(name)[0] or UNKNOWN_TYPE
    is_text = guessed.startswith("text/") or guessed in ("application/json", "application/xml", "image/svg+xml")
    is_lie = not _reads_as_text(head) if is_text else not head.startswith(_BEGINNINGS.get(guessed, b""))
    return UNKNOWN_TYPE if is_lie else guessed


def _reads_as_text(head: bytes) -> bool:
    if b"\0" in head:
        return False
    try:
        getincrementaldecoder("utf-8")().decode(head)  # its last letter may be cut
    except UnicodeDecodeError:
        return False
    return True


def left_of(access: WorkersAccess, session: str, about: Set[str] | None) -> list[Path]:
    """Return the files and folders that are there, without looking into them.

    Args:
        about: such as tickets; None for the whole session.
    """
    return [each for each in _named(access, session, about) if each.is_symlink() or each.exists()]


def erase(access: WorkersAccess, session: str, about: Set[str] | None) -> None:
    """Delete them. A link is deleted, and what it leads to stays."""
    for path in left_of(access, session, about):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _named(access: WorkersAccess, session: str, about: Set[str] | None) -> Iterator[Path]:
    if not _is_name(session):
        return
    if access.logs is not None:
        yield access.logs / session  # made anew of what is left
    home = access.sessions / session
    if about is None:
        yield home
        return
    for folder in FOLDERS:
        yield from (home / folder / each for each in sorted(about) if _is_name(each))


def _is_name(said: str) -> bool:
    """Whether it can be the name of one folder within another."""
    return said not in ("", ".", "..") and "/" not in said and "\\" not in said and "\0" not in said
