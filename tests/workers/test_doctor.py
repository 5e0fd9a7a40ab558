"""What is said of the workers of a registry: who is there, in which version, and whether they can be isolated."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.workers.doctor import RoleFound, has_sandbox, isolation_faults, look_at
from engine.workers.registry import Registry
from engine.workers.sandbox import available


def registry(*roles: dict[str, Any]) -> Registry:
    told = {"role_id": "script", "display_name": "Script", "type": "worker", "cli_command": [sys.executable]}
    return Registry.model_validate({"roles": [told | each for each in roles]})


def found(*version_command: str) -> RoleFound:
    (role,) = look_at(registry({"metadata": {"sandbox": "off", "version_command": version_command}}))
    return role


async def test_its_version_is_what_its_program_says() -> None:
    """Also where whoever asks is in an event loop."""
    version = ".".join(map(str, sys.version_info[:3]))
    assert found(sys.executable, "--version") == RoleFound("script", "acp", f"Python {version}")


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        pytest.param(["no-such-program"], "not installed", id="it is not there"),
        pytest.param(["sh", "-c", "exit 4"], "ended with 4", id="it fails"),
        pytest.param(["yes"], "more than", id="it floods"),
    ],
)
def test_a_version_that_is_not_known_is_said(command: list[str], fault: str) -> None:
    said = found(*command)
    assert said.version == ""
    assert fault in said.fault


def test_a_version_moves_no_cursor() -> None:
    assert found("printf", "\\n\\033[2J1.2\\n3").version == "[2J1.2"


def test_a_program_that_is_not_there_is_named_and_a_model_needs_none() -> None:
    words = {"role_id": "words", "cli_command": [], "metadata": {"protocol": "model"}}
    roles = look_at(registry({"cli_command": ["no-such-program"]}, words))
    assert [each.fault for each in roles] == ["there is no program no-such-program", ""]


@pytest.fixture
def no_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PATH", str(tmp_path))
    available.cache_clear()
    yield
    available.cache_clear()


ISOLATED = (
    {"metadata": {"network": "isolated"}},
    {"role_id": "boxed", "metadata": {"sandbox": "required"}},
    {"role_id": "free", "metadata": {"sandbox": "preferred"}},
)


@pytest.mark.usefixtures("no_bubblewrap")
def test_who_has_to_be_isolated_is_refused_where_nobody_can_be() -> None:
    assert not has_sandbox()
    assert [bool(each.fault) for each in look_at(registry(*ISOLATED))] == [True, True, False]
    assert [each.split()[0] for each in isolation_faults(registry(*ISOLATED))] == ["script", "boxed"]


def test_nobody_is_refused_who_need_not_be_isolated() -> None:
    assert list(isolation_faults(registry(ISOLATED[2]))) == []
