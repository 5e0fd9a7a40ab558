"""What is said of the workers of a registry: who is there, in which version, and whether they can be isolated."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.workers.doctor import RoleFound, has_sandbox, isolation_faults, look_at
from engine.workers.registry import Registry, WorkersAccess
from engine.workers.sandbox import available

from ..equipment import SANDBOX
from .acp.conftest import AGENT, ROOT


def registry(*roles: dict[str, Any]) -> Registry:
    told = {"role_id": "script", "display_name": "Script", "type": "worker", "cli_command": [sys.executable]}
    return Registry.model_validate({"roles": [told | each for each in roles]})


ACCESS = WorkersAccess(Path("sessions"))


def found(*version_command: str) -> RoleFound:
    metadata = {"sandbox": "off", "protocol": "envelope", "version_command": version_command}
    (role,) = look_at(registry({"metadata": metadata}), ACCESS)
    return role


async def test_its_version_is_what_its_program_says() -> None:
    """Also where whoever asks is in an event loop."""
    version = ".".join(map(str, sys.version_info[:3]))
    assert found(sys.executable, "--version") == RoleFound("script", "envelope", f"Python {version}")


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
    roles = look_at(registry({"cli_command": ["no-such-program"]}, words), ACCESS)
    assert [each.fault for each in roles] == ["there is no program no-such-program", ""]


def agent(how: str, **metadata: Any) -> RoleFound:
    told = {"sandbox": "off", "settings": {"PYTHONPATH": str(ROOT)}, "session_mode": "default"}
    (role,) = look_at(registry({"cli_command": [*AGENT, how], "metadata": told | metadata}), ACCESS)
    return role


def test_an_agent_is_greeted_and_asked_nothing() -> None:
    assert agent("writes") == RoleFound("script", "acp", "agent 1.2")


@pytest.mark.parametrize(
    ("how", "metadata", "fault"),
    [
        pytest.param("wants a login", {}, "wants somebody to log in. Its role names no auth_profile", id="no key"),
        pytest.param("writes", {"session_mode": ""}, "Say in session_mode which one asks", id="no asking mode"),
        pytest.param("another version", {}, "version 2 of its protocol", id="another protocol"),
        pytest.param("writes", {"settings": {}}, "ended with the code 1 before it spoke", id="something is missing"),
    ],
)
def test_what_would_keep_an_agent_from_working_is_found(how: str, metadata: dict[str, Any], fault: str) -> None:
    assert fault in agent(how, **metadata).fault


def test_a_key_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOME_KEY", raising=False)
    monkeypatch.delenv("OTHER_KEY", raising=False)
    told = registry({"metadata": {"protocol": "envelope", "sandbox": "off", "auth_profile": "vendor"}})
    keyed = told.model_copy(update={"auth_profiles": {"vendor": ("SOME_KEY", "OTHER_KEY")}})
    (role,) = look_at(keyed, ACCESS)
    assert role.fault == "SOME_KEY or OTHER_KEY of auth_profile vendor is not set where ToWow runs"
    monkeypatch.setenv("OTHER_KEY", "key")
    assert next(look_at(keyed, ACCESS)).fault == ""


def test_an_agent_is_tried_in_its_sandbox(tmp_path: Path) -> None:
    """It finds its modules there, or says so."""
    SANDBOX.needed()
    if available() is not None:
        assert "Its sandbox may lack something" in agent("writes", sandbox="required").fault
        boxed = agent("writes", sandbox="required", readable=[str(ROOT)])
        assert boxed == RoleFound("script", "acp", "agent 1.2", is_sandboxed=True)


@pytest.fixture
def no_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PATH", str(tmp_path))
    available.cache_clear()
    yield
    available.cache_clear()


ISOLATED = (
    {"metadata": {"network": "isolated"}},
    {"role_id": "boxed", "metadata": {"sandbox": "required"}},
    {"role_id": "free", "metadata": {"sandbox": "preferred", "protocol": "envelope"}},
)


@pytest.mark.usefixtures("no_bubblewrap")
def test_who_has_to_be_isolated_is_refused_where_nobody_can_be() -> None:
    assert not has_sandbox()
    assert [bool(each.fault) for each in look_at(registry(*ISOLATED), ACCESS)] == [True, True, False]
    assert [each.split()[0] for each in isolation_faults(registry(*ISOLATED))] == ["script", "boxed"]


def test_nobody_is_refused_who_need_not_be_isolated() -> None:
    assert list(isolation_faults(registry(ISOLATED[2]))) == []
