"""Keeps the database its user's: what another one wrote beside it, that user could neither read nor replace."""

import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from bot.commands.findings import Finding, Health
from bot.commands.subcommand import CommandFailed
from bot.databases import Database
from engine.store.sqlite.identity import real_path

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
