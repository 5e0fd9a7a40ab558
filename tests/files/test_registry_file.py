"""The role registry is read anew when it changes, and what it said last without a fault holds while it has one."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from engine.errors import Misconfigured
from engine.workers.doctor import look_at
from engine.workers.registry import RegistryFile, WorkersAccess

MANAGER = {
    "role_id": "manager_codex",
    "display_name": "Codex Manager CLI",
    "type": "manager",
    "cli_command": ["codex", "cli"],
    "capabilities": ["clarification", "planning", "review"],
    "supports_multiple_instances": False,
}
WORKER = {
    "role_id": "worker_claude",
    "display_name": "Claude Worker CLI",
    "type": "worker",
    "cli_command": ["claude", "code", "cli"],
    "capabilities": ["research", "coding", "scraping"],
    "supports_multiple_instances": True,
    "metadata": {"network": "isolated", "auth_profile": "default_worker"},
}
PROFILES = {"default_worker": ["ANTHROPIC_API_KEY"]}
"""Both roles are those of seed 002, section 4."""


def write(path: Path, *roles: dict[str, Any], **fields: Any) -> None:
    path.write_text(json.dumps({"roles": roles, "auth_profiles": PROFILES} | fields, indent="\t"), "utf-8")


def ids(file: RegistryFile) -> list[str]:
    return [each.role_id for each in file.current().roles]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "roles.json"


def test_without_a_file_nobody_works() -> None:
    assert RegistryFile(None).load().roles == ()


def test_the_seeds_registry_is_read(path: Path) -> None:
    write(path, MANAGER, WORKER)
    registry = RegistryFile(path).load()
    assert registry.roles[1].metadata.network == "isolated"
    assert registry.roles[0].cli_command == ("codex", "cli")


def test_a_file_that_has_changed_is_read_anew(path: Path) -> None:
    write(path, MANAGER)
    file = RegistryFile(path)
    assert ids(file) == ["manager_codex"]
    write(path, MANAGER, WORKER)
    assert ids(file) == ["manager_codex", "worker_claude"]


def test_a_file_that_has_not_changed_is_not_read_again(path: Path) -> None:
    write(path, MANAGER)
    file = RegistryFile(path)
    assert file.current() is file.current()


def test_what_it_said_before_holds_while_it_has_a_fault(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(path, MANAGER)
    file = RegistryFile(path)
    file.load()
    with caplog.at_level(logging.ERROR):
        write(path, WORKER | {"type": "boss"})
        assert ids(file) == ids(file) == ["manager_codex"]
    assert len(caplog.records) == 1
    assert "`roles.0.type`" in file.faults[0]
    write(path, WORKER)
    assert ids(file) == ["worker_claude"]
    assert file.faults == ()


def test_what_it_said_before_holds_while_it_is_gone(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(path, MANAGER)
    file = RegistryFile(path)
    file.load()
    path.unlink()
    with caplog.at_level(logging.ERROR):
        assert ids(file) == ids(file) == ["manager_codex"]
    assert len(caplog.records) == 1
    write(path, WORKER)
    assert ids(file) == ["worker_claude"]


def test_every_fault_is_named_with_its_place(path: Path) -> None:
    write(path, MANAGER | {"cli_command": []}, WORKER | {"capabilty": [], "type": "boss"}, extra=1)
    with pytest.raises(Misconfigured) as refused:
        RegistryFile(path).load()
    told = "\n".join(refused.value.faults)
    for line, fault in (
        (3, "cli_command has to be given"),
        (34, "did you mean `capabilities`"),
        (18, "`roles.1.type`"),
    ):
        assert f"roles.json:{line}:" in next(each for each in refused.value.faults if fault in each), told
    assert "`extra` is not a field here" in told


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param("{", "1:2: this is not JSON", id="no JSON"),
        pytest.param("{roles: []}", "this is not JSON", id="YAML"),
        pytest.param("[]", "found a list", id="a list"),
        pytest.param('{"roles": [], "roles": []}', "`roles` is here twice", id="a key twice"),
        pytest.param("[" * 100_000, "nested too deeply", id="too deep"),
        pytest.param(" " * 2_000_000, "larger than", id="too large"),
        pytest.param('{"roles": [], "checks": {"lint": []}, "x": "\\ud800"}', "half of a character", id="half"),
    ],
)
def test_what_is_no_registry_is_refused_with_its_place(path: Path, text: str, fault: str) -> None:
    path.write_text(text, "utf-8")
    with pytest.raises(Misconfigured, match=fault):
        RegistryFile(path).load()


def test_the_seeds_example_is_read_word_for_word_and_says_who_does_not_work(path: Path) -> None:
    path.write_text(json.dumps({"roles": [MANAGER, WORKER]}), "utf-8")
    registry = RegistryFile(path).load()
    manager, worker = map(registry.refusal, registry.roles)
    assert "manager_codex is a manager, and no command can be the Manager yet" in manager
    assert worker == "worker_claude names auth_profile 'default_worker', which auth_profiles does not have"
    assert [each.fault for each in look_at(registry, WorkersAccess(path))] == [manager, worker]


def test_two_roles_of_one_name_are_refused(path: Path) -> None:
    write(path, MANAGER, MANAGER)
    with pytest.raises(Misconfigured, match="several roles are called manager_codex"):
        RegistryFile(path).load()
