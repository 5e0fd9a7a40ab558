"""The environment of a worker: made anew, with nothing of ToWow's own but what the registry names."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from engine.proxies import for_children
from engine.workers.registry import Registry, RoleEntry

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
