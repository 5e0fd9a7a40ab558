"""Nothing runs unasked: an agent works in a mode in which it asks, or not at all."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from engine.workers.acp_permissions import CODEX, OPENCODE, OPENCODE_CONFIG, Modes, modes_of, opencode_asks, wanted_mode
from engine.workers.registry import Registry

from .conftest import ROOT, Bench


def known(bench: Bench, name: str) -> Bench:
    """The bench with an agent that greets with such a name."""
    return replace(bench, environment={**bench.environment, "AGENT_NAME": name})


async def test_an_agent_that_is_known_is_put_in_its_asking_mode_whatever_that_is_called(bench: Bench) -> None:
    outcome = await known(bench, CODEX).attempt("asks in read-only", mode="")
    assert outcome.failure is None
    assert (bench.directory / "mode").read_text() == "read-only"


async def test_the_mode_of_its_role_is_set(bench: Bench) -> None:
    await bench.attempt("writes", mode="acceptEdits")
    assert (bench.directory / "mode").read_text() == "acceptEdits"


async def test_a_mode_that_is_only_among_its_options_is_set_there(bench: Bench) -> None:
    assert (await bench.attempt("has options alone")).failure is None
    assert (bench.directory / "option").read_text() == "m=default"
    assert not (bench.directory / "mode").exists()


@pytest.mark.parametrize(
    ("how", "mode", "why"),
    [
        pytest.param("writes", "", "its modes are default, acceptEdits, auto. Say in session_mode", id="unknown"),
        pytest.param("has options alone", "", "its modes are default, acceptEdits, auto", id="unknown options"),
        pytest.param("has no modes", "", 'it has no modes. Say in session_mode which one asks, or "own"', id="none"),
        pytest.param("has no modes", "default", "it has no modes", id="none that is demanded"),
        pytest.param("asks in read-only", "default", "it has only read-only, auto", id="another one"),
        pytest.param("stays in its mode", "default", "stays in another one", id="not taken"),
    ],
)
async def test_an_agent_whose_asking_mode_nobody_knows_does_nothing(
    bench: Bench, how: str, mode: str, why: str
) -> None:
    outcome = await bench.attempt(how, mode=mode)
    assert outcome.failure == "misconfigured"
    assert why in outcome.detail
    assert not (bench.directory / "told.md").exists()
    assert bench.left() == []


async def test_an_agent_without_modes_works_where_somebody_says_that_it_asks(bench: Bench) -> None:
    assert (await bench.attempt("has no modes", mode="own")).failure is None


async def test_what_goes_on_with_a_session_is_put_in_its_mode_again(bench: Bench) -> None:
    asked = await bench.attempt("asks")
    (bench.directory / "mode").unlink()
    await bench.attempt("asks", agent_session=asked.agent_session, attempt=2)
    assert (bench.directory / "mode").read_text() == "default"


def documented() -> Registry:
    """The registry that docs/delivery.md gives to copy."""
    page = (ROOT / "docs" / "delivery.md").read_text("utf-8")
    [told] = re.findall(r"^```json\n(.*?)^```$", page, re.S | re.M)
    return Registry.model_validate_json(told)


def test_the_registry_that_is_there_to_copy_lets_nobody_act_unasked() -> None:
    roles = {each.cli_command[0]: each.metadata for each in documented().roles if each.cli_command}
    assert {*roles} == {"claude-agent-acp", "opencode", "codex-acp"}
    assert all(each.session_mode == "" and each.auth_profile for each in roles.values())
    assert opencode_asks(roles["opencode"].settings)
    assert roles["opencode"].settings["OPENCODE_DISABLE_PROJECT_CONFIG"] == "1"
    codex = roles["codex-acp"].settings
    assert json.loads(codex["DEFAULT_AUTH_REQUEST"]) == {"methodId": "api-key"}
    assert json.loads(codex["CODEX_CONFIG"]).keys() == {"model"}  # its mode sets the approval_policy
    assert "CODEX_HOME" not in codex  # which would have to be there, and written to, in the sandbox


ASKS = {"edit": "ask", "bash": "ask"}


@pytest.mark.parametrize(
    ("config", "asks"),
    [
        ({"permission": "ask"}, True),
        ({"permission": ASKS}, True),
        ({"permission": {"*": "allow", **ASKS}}, True),
        ({"permission": {"*": "ask", "read": "allow"}}, True),
        ({"permission": {"edit": "ask", "bash": {"*": "ask", "rm *": "deny"}}}, True),
        ({"permission": {"edit": "ask"}}, False),
        ({"permission": {**ASKS, "*": "allow"}}, False),
        ({"permission": {"edit": "ask", "bash": {"*": "ask", "git *": "allow"}}}, False),
        ({"permission": {"edit": "ask", "bash": {"rm *": "ask"}}}, False),
        ({"permission": ASKS, "agent": {"build": {"permission": "allow"}}}, False),
        ({"permission": "allow"}, False),
        ({"permission": 5}, False),
        ({}, False),
        ([], False),
    ],
)
def test_opencode_asks_for_what_its_configuration_says(config: Any, asks: bool) -> None:
    settings = {OPENCODE_CONFIG: json.dumps(config)}
    assert opencode_asks(settings) == asks
    if asks:
        assert wanted_mode(OPENCODE, "", settings, Modes(("build", "plan"), "build")) == ""


@pytest.mark.parametrize(
    "session",
    [
        None, [], {}, {"modes": None, "configOptions": None}, {"modes": []}, {"configOptions": [5, {"type": "select"}]},
        {"modes": {"currentModeId": 5, "availableModes": []}},
        {"configOptions": [{"type": "boolean", "id": "mode", "currentValue": True}]},
    ],
)  # fmt: skip
def test_what_says_nothing_of_modes_has_none(session: Any) -> None:
    assert modes_of(session) == Modes()
