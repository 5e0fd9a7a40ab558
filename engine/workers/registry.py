"""The role registry: who may work, with which command (seed 002, section 4), and in which environment.

Nothing runs that does not stand in it, word for word; and nothing is given to it but what it names.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints, model_validator

from engine.files.validated_file import ValidatedFile
from engine.kernel import Validated
from engine.proxies import for_children

# ── the registry ──────────────────────────────────────────────────────────────────────────────────────────────────────


RoleId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
Word = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")]


OWN_MODE: Final = "own"
"""In place of a mode: the agent's own configuration says what it asks for."""
MANAGES_NOTHING: Final = (
    "{role} is a manager, and no command can be the Manager yet: it is a model, or the person of manager_user"
)


class RoleMetadata(Validated):
    """How a role is run, beyond its command."""

    network: Literal["open", "isolated"] = "open"
    """``isolated``: its sandbox has no network, or it does not run."""
    risk: Literal["low", "high"] = "low"
    """``high``: how it does a ticket is discussed before it begins."""
    sandbox: Literal["required", "preferred", "off"] = "preferred"
    readable: tuple[Word, ...] = ()
    """Files and folders, by their whole paths, that it may read in its sandbox besides the system's and those of its
    command, such as a folder of modules."""
    auth_profile: str = ""
    """Which of the environment's variables it is given: those of `Registry.auth_profiles` by this name."""
    protocol: Literal["acp", "envelope", "model"] = "acp"
    version_command: tuple[Word, ...] = ()
    """Prints its version; run at the start and by ``towow doctor``."""
    settings: dict[Name, str] = Field(default_factory=dict)
    """Variables of its environment that are no secrets: its model and its provider, so that it chooses neither."""
    session_mode: Word | Literal[""] = ""
    """Of the modes that an agent over ACP offers, such as one in which it changes files of its own directory without
    asking for leave each time; `OWN_MODE` where its own configuration says what it asks for; empty for the one that
    asks, of agents that are known (`engine.workers.acp_permissions`). Any other agent does not run without it."""
    rate_per_minute: int = Field(0, ge=0)
    """Attempts begun a minute; 0 is without bound."""


class RoleEntry(Validated):
    role_id: RoleId
    display_name: Word
    type: Literal["manager", "worker"]
    cli_command: tuple[Word, ...] = ()
    """What is started, word for word; empty only for a model."""
    capabilities: tuple[Word, ...] = ()
    supports_multiple_instances: bool = True
    metadata: RoleMetadata = RoleMetadata()

    @model_validator(mode="after")
    def _has_command(self) -> "RoleEntry":
        if (self.metadata.protocol == "model") is bool(self.cli_command):
            raise ValueError("cli_command has to be given, unless metadata.protocol is 'model', which has none")
        return self


class Registry(Validated):
    roles: tuple[RoleEntry, ...] = ()
    checks: dict[Name, tuple[Word, ...]] = Field(default_factory=dict)
    """By name: commands that check what was made; each is run in the directory of the work."""
    auth_profiles: dict[Name, tuple[Name, ...]] = Field(default_factory=dict)
    """By name: which variables of ToWow's own environment a role may see, such as the key of its vendor."""

    @model_validator(mode="after")
    def _is_consistent(self) -> "Registry":
        ids = [each.role_id for each in self.roles]
        if twice := sorted({each for each in ids if ids.count(each) > 1}):
            raise ValueError(f"several roles are called {', '.join(twice)}")
        return self

    def refusal(self, role: RoleEntry) -> str:
        """Say why a role does not work here; nothing where it may. A file with such a role is read all the same."""
        profile = role.metadata.auth_profile
        if role.type == "manager":
            return MANAGES_NOTHING.format(role=role.role_id)
        if profile and profile not in self.auth_profiles:
            return f"{role.role_id} names auth_profile {profile!r}, which auth_profiles does not have"
        return ""

    def role(self, role_id: str) -> RoleEntry | None:
        return next((each for each in self.roles if each.role_id == role_id), None)


NOBODY_WORKS = Registry()


# ── as a file ─────────────────────────────────────────────────────────────────────────────────────────────────────────
# The file of the role registry, read anew when it changes (seed 002, section 4).


class RegistryFile(ValidatedFile[Registry]):
    """
    Args:
        path: None where no command may run.
    """

    def __init__(self, path: Path | None) -> None:
        super().__init__(path, Registry, NOBODY_WORKS)


# ── who may ───────────────────────────────────────────────────────────────────────────────────────────────────────────
# Where workers leave what they make, and which files say who may work.


ARTIFACTS: Final = "artifacts"
"""What was registered: of each attempt, its files."""
WORK: Final = "work"
"""Where the commands are started."""
CHECKED: Final = "checked"
"""Copies of what people have given, for the checks."""
STDERR: Final = "stderr"
"""What the command of each attempt printed to stderr, the end of it."""
FOLDERS: Final = (ARTIFACTS, WORK, CHECKED, STDERR)
"""Of a session: each has a folder for each ticket."""


@dataclass(frozen=True, slots=True)
class WorkersAccess:
    sessions: Path
    """The folder that has one for each session; made where it does not exist, for nobody else to read."""
    roles: Path | None = None
    """The role registry; None where no command may run."""
    scheduler: Path | None = None
    """``scheduler_config.json``; None where the defaults hold."""
    logs: Path | None = None
    """The folder that has the log of each session; None where none are written."""
    secret: tuple[Path, ...] = field(default=(), repr=False)
    """Files and folders that no worker may see in its sandbox, also where they lie beside its program."""
    unheard: float = 0.0
    """Seconds for which this process may be stopped until whatever works for it is ended; 0: for any time."""

    @property
    def hidden(self) -> tuple[Path, ...]:
        """What is never there in a sandbox, but for the directory of the work itself."""
        return (self.sessions, *([self.logs] if self.logs else []), *self.secret)


HOME: Final = ".home"
TEMPORARY: Final = ".tmp"
"""Folders of the directory of the work."""
PASSED_ON: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS")
"""What says where programs are and which language is spoken; no secrets."""


def environment_of(role: RoleEntry, registry: Registry, directory: Path) -> Mapping[str, str]:
    """Return the whole environment of a role's command.

    Args:
        directory: of the work; also its home, so that no settings of anybody's are read.
    """
    made = {name: value for name in PASSED_ON if (value := os.environ.get(name))}
    made |= {"HOME": str(directory / HOME), "TMPDIR": str(directory / TEMPORARY), "TOWOW_WORKER": role.role_id}
    made |= for_children()
    made |= role.metadata.settings
    for name in registry.auth_profiles.get(role.metadata.auth_profile, ()):
        if value := os.environ.get(name):
            made[name] = value
    return made


def missing_keys(role: RoleEntry, registry: Registry) -> str:
    """Say that a role would be given none of the keys that it names; nothing where it has one, or names none."""
    names = registry.auth_profiles.get(role.metadata.auth_profile, ())
    if not names or any(os.environ.get(name) for name in names):
        return ""
    return f"{' or '.join(names)} of auth_profile {role.metadata.auth_profile} is not set where ToWow runs"


def check_environment(directory: Path) -> Mapping[str, str]:
    """Return the environment of a check command, which gets no secret at all."""
    made = {name: value for name in PASSED_ON if (value := os.environ.get(name))}
    return made | {"HOME": str(directory / HOME), "TMPDIR": str(directory / TEMPORARY)}
