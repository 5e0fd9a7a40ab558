"""What ``towow doctor`` finds; and whose the database is, who could else not read what lies beside it."""

import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from pathlib import Path
from socket import gaierror
from ssl import SSLCertVerificationError
from typing import Final, NamedTuple

from aiohttp import ClientConnectorCertificateError, ClientHttpProxyError

from bot.commands.subcommand import CommandFailed
from bot.databases import Database
from engine.errors import StoreError, StoreUnavailable
from engine.proxies import NAMES, for_children, proxy_for
from engine.store.sqlite.identity import real_path


class Health(StrEnum):
    FINE = "fine"
    DOUBTFUL = "doubtful"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    about: str
    health: Health
    said: str
    advice: str = ""
    """What to do; empty where all is well."""


def cure_of(error: StoreError, what: str) -> str:
    """Return what to do about a database that cannot be used; what is wrong with it is said already.

    Args:
        what: it is, such as ``server``.
    """
    if isinstance(error, StoreUnavailable):
        return f"see whether the {what} is there and lets this machine in, and whether TOWOW_DB names the right one"
    return "do that, and run `towow doctor` again"


CERTIFICATES: Final = "name the certificates to trust in SSL_CERT_FILE, as a proxy that reads along needs it"


def why_unreached(error: BaseException | None, url: str) -> tuple[str, str]:
    """Return why an address was not reached, in half a sentence, and where to look."""
    proxy = proxy_for(url)
    set_here = " and ".join(name for name in NAMES if name in for_children())
    look = f"look at the network, and at the proxy in {set_here}" if proxy else "look at the network"
    while error is not None:
        match error:
            case SSLCertVerificationError() | ClientConnectorCertificateError():
                return "its certificate cannot be verified", CERTIFICATES
            case ClientHttpProxyError(status=HTTPStatus.PROXY_AUTHENTICATION_REQUIRED):
                advice = f"write them into {set_here}, as in http://user:password@proxy.example:3128"
                return "the proxy wants a user and a password", advice
            case ClientHttpProxyError():
                return f"the proxy does not let this through ({error.status})", look
            case gaierror() if proxy:
                return "nobody here knows the proxy's name", look
            case gaierror():
                return "nobody here knows its name", look
            case ConnectionRefusedError() if proxy:
                return "nobody answers at the proxy", look
            case ConnectionRefusedError():
                return "nobody answers there", look
            case TimeoutError():
                return "there was no answer in time", look
        error = error.__cause__ or error.__context__
    return "the connection broke off", look


ROOT: Final = 0


class _Owner(NamedTuple):
    uid: int
    gid: int

    def __str__(self) -> str:
        return self._name or f"#{self.uid}"

    @property
    def _name(self) -> str:
        try:
            import pwd

            return pwd.getpwuid(self.uid).pw_name
        except (ImportError, KeyError):  # as of a service with a user of its own, while it does not run
            return ""

    def sudo(self, command: Sequence[str], environ: Mapping[str, str]) -> str:
        """Return the line that runs a command as this user, with the same settings."""
        names = ",".join(sorted(each for each in environ if each.startswith(("TOWOW_", "SLACK_", "LLM_"))))
        kept = [f"--preserve-env={names}"] if names else []
        group = [] if self._name else ["-g", f"#{self.gid}"]
        return shlex.join(["sudo", *kept, "-u", str(self), *group, *command])


def check_owner(database: Database, command: Sequence[str]) -> None:
    """
    Args:
        command: with its arguments, as it was typed.

    Raises:
        CommandFailed: this is root, and the database is another user's, who is named with what to type.
    """
    owner = _other_owner(database)
    if owner is not None:
        raise CommandFailed(
            f"{database} belongs to {owner}, and root would leave files beside it that {owner} cannot read. Use: "
            f"{owner.sudo(command, os.environ)}"
        )


def ownership(database: Path) -> Iterator[Finding]:
    """Say whether somebody else than the user of the database looks at it, or has left files there."""
    owner = _other_owner(database)
    if owner is not None:
        said = f"this is root, who may do what {owner} may not, and {database} belongs to {owner}"
        advice = f"see what that user sees: {owner.sudo([sys.argv[0], 'doctor'], os.environ)}"
        yield Finding("access", Health.DOUBTFUL, said, advice)
    real = real_path(database)
    if os.name != "posix" or not real.exists():
        return
    uid, gid = real.stat().st_uid, real.stat().st_gid
    if strange := [str(each) for each in sorted(real.parent.glob(f"{real.name}*")) if each.stat().st_uid != uid]:
        said = f"{', '.join(strange)} belong{'' if len(strange) > 1 else 's'} to another user than {database}"
        advice = f"chown {uid}:{gid} {shlex.join(strange)}, and run commands as that user"
        yield Finding("access", Health.BROKEN, said, advice)


def _other_owner(database: Database) -> _Owner | None:
    """Return whose the database is, or its folder where it is not there yet; None unless this is root, and it is not
    root's.
    """
    if not isinstance(database, Path) or os.name != "posix" or os.geteuid() != ROOT:
        return None
    real = real_path(database)
    owned = real if real.exists() else real.absolute().parent
    if not owned.exists() or (told := owned.stat()).st_uid == ROOT:
        return None
    return _Owner(told.st_uid, told.st_gid)
