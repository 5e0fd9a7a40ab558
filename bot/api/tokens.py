"""Bearer tokens: what each may do, and for which user. Only their digests are kept."""

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

SHORTEST: Final = 24
"""Characters. A token has to be beyond guessing: ``openssl rand -hex 24`` makes one."""

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
TEAM: Final = re.compile(r"T[A-Z0-9_]{1,40}")
USER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
"""Of Slack, or whatever another program calls its users; never with an @, which is somebody from outside."""
DIGEST: Final = re.compile(r"sha256:([0-9a-f]{64})")
NOBODY: Final = "-"

SHAPE: Final = "a line is: name scope,scope user token, with - for no user; of many workspaces, team:user"


class Scope(StrEnum):
    SUBMIT = "submit"
    """Ask: for the token's user; without one, for whoever the program says."""
    READ = "read"
    """Demands and events; with a user, only what that user is part of."""
    VOTE = "vote"
    """For the token's user, and for nobody else."""
    ADMIN = "admin"
    """Everybody's profiles."""
    METRICS = "metrics"


@dataclass(frozen=True, slots=True)
class Token:
    name: str
    """Its name in the log and in the causes of commands."""
    scopes: frozenset[Scope]
    user: str = ""
    digest: bytes = field(default=b"", repr=False)
    """SHA-256. Tokens are long and random, so nothing slower is needed."""
    team: str = ""
    """The workspace that it is of, where there are many."""

    @property
    def actor(self) -> str:
        """Return who acts with it, for the audit records."""
        return self.user or f"token:{self.name}"


def digest_of(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def token_of(tokens: Iterable[Token], secret: str) -> Token | None:
    """Return the token with this secret.

    Every token is compared, each in constant time, so that the time it takes tells nothing.
    """
    given, found = digest_of(secret), None
    for each in tokens:
        if hmac.compare_digest(each.digest, given):
            found = each
    return found


def read_tokens(said: str, faults: list[str]) -> tuple[Token, ...]:
    """
    Args:
        said: a file's path, or its lines themselves; several in one line are parted by semicolons.
        faults: gets one sentence for each thing that is wrong, without any secret in it.
    """
    said = said.strip()
    if said and not any(each in said for each in " \t\n;"):
        try:
            said = Path(said).read_text("utf-8")
        except (OSError, UnicodeDecodeError, ValueError):
            faults.append(f"TOWOW_API_TOKENS is no file that can be read, and no tokens: {SHAPE}")
            return ()
    lines = [line.partition("#")[0].strip() for row in said.splitlines() for line in row.split(";")]
    tokens = [_token(number, line, faults) for number, line in enumerate(lines, 1) if line]
    return _distinct([each for each in tokens if each is not None], faults)


def _token(number: int, line: str, faults: list[str]) -> Token | None:
    where, parts = f"TOWOW_API_TOKENS, line {number}", line.split()
    if len(parts) != 4:
        faults.append(f"{where} has {len(parts)} parts instead of 4; {SHAPE}")
        return None
    name, scopes, who, secret = parts
    team, _, user = who.rpartition(":")
    if not NAME.fullmatch(name):
        faults.append(f"{where}: its name can have letters, digits, - and _, and at most 40 of them")
        return None
    wrong = [f"{where}: {each}" for each in _wrong(scopes.split(","), user, secret)]
    if team and not TEAM.fullmatch(team):
        wrong.append(f"{where}: its workspace is no team id; it looks like T012AB3CD")
    faults += wrong
    if wrong:
        return None
    stated = DIGEST.fullmatch(secret)
    digest = bytes.fromhex(stated[1]) if stated else digest_of(secret)
    return Token(name, frozenset(map(Scope, scopes.split(","))), "" if user == NOBODY else user, digest, team)


def _wrong(scopes: Sequence[str], user: str, secret: str) -> list[str]:
    faults = []
    if strange := sorted(set(scopes) - set(Scope)):
        faults.append(f"{', '.join(strange) or 'nothing'} is no scope; there are {', '.join(Scope)}")
    if user != NOBODY and not USER.fullmatch(user):
        faults.append("its user is no user id; it looks like U012AB3CD")
    if Scope.VOTE in scopes and user == NOBODY:
        faults.append("who may vote has to be bound to one user")
    if secret.startswith("sha256:"):
        if not DIGEST.fullmatch(secret):
            faults.append("after sha256: come 64 hexadecimal digits")
    elif len(secret) < SHORTEST:
        faults.append(f"the token is shorter than {SHORTEST} characters; openssl rand -hex 24 makes a good one")
    return faults


def _distinct(tokens: Sequence[Token], faults: list[str]) -> tuple[Token, ...]:
    names, digests = [each.name for each in tokens], [each.digest for each in tokens]
    if twice := sorted({each for each in names if names.count(each) > 1}):
        faults.append(f"TOWOW_API_TOKENS names {', '.join(twice)} more than once")
    if shared := sorted({each.name for each in tokens if digests.count(each.digest) > 1}):
        faults.append(f"TOWOW_API_TOKENS gives {' and '.join(shared)} the same token")
    return tuple(tokens)


def secret_in(headers: Mapping[str, str]) -> str:
    """Return what follows ``Bearer``; empty where there is nothing."""
    kind, _, secret = headers.get("Authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else ""
