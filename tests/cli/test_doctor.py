"""``towow doctor``: each thing that can be wrong is said, with what to do."""

import asyncio
import base64
import json
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from slack_sdk.oauth.installation_store import Installation

from bot.commands.doctor import encoder, examine
from bot.commands.doctor_cards import draw
from bot.commands.findings import Finding, Health
from bot.local_slack import App, LocalWorkspace
from bot.registry import PROTOCOLS
from bot.retention import LOOKED, Looked
from bot.slack.manifest import manifest
from bot.slack.oauth.database import InstallationDatabase, opened
from bot.slack.oauth.sealed_store import SealedStore
from bot.slack.oauth.token_keys import TokenKeys, new_key
from engine.kernel import Tenant, encode
from engine.runtime.retention import KIND as RETAINED
from engine.runtime.retention import Retained
from engine.store.sqlite import SqliteStore
from engine.workers.doctor import has_sandbox
from tests.anthropic_server import KEY, Drops, Garbled, LocalAnthropic, Says, Stalls, Status, Step, Truncated
from tests.llm.certificates import unknown_server
from tests.profiles.profile_files import VALID, folder_with

from .conftest import Towow


@pytest.fixture
async def workspace() -> AsyncIterator[LocalWorkspace]:
    async with LocalWorkspace(app=App.described_by(manifest())) as workspace:
        yield workspace


@pytest.fixture
def environ(workspace: LocalWorkspace, tmp_path: Path) -> dict[str, str]:
    return {
        "SLACK_BOT_TOKEN": workspace.bot_token,
        "SLACK_APP_TOKEN": workspace.app_token,
        "SLACK_API_URL": workspace.api_url,
        "TOWOW_DB": str(tmp_path / "towow.db"),
    }


async def found(environ: Mapping[str, str], about: str) -> Finding:
    findings = [each for each in await examine(environ, PROTOCOLS) if each.about == about]
    return max(findings, key=lambda each: [*Health].index(each.health))


async def test_all_is_well(environ: dict[str, str]) -> None:
    async with LocalAnthropic() as anthropic:
        findings = await examine(environ | {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": anthropic.url}, PROTOCOLS)

    assert [(each.about, each.said) for each in findings if each.health is not Health.FINE] == []
    about = [
        "versions",
        "prompts",
        "settings",
        "profiles",
        "database",
        "disk",
        "calendars",
        "sessions",
        "workers",
        "bot token",
        "app token",
        "scopes",
    ]
    assert [each.about for each in findings] == [*about, "clock", "model", "model"]


async def test_settings_are_all_told_at_once_and_nothing_else_is_asked() -> None:
    findings = await examine({"TOWOW_POLICY": "none"}, PROTOCOLS)

    broken = [each.said for each in findings if each.health is Health.BROKEN]
    assert len(broken) == 3
    assert any("TOWOW_POLICY" in each for each in broken)


async def test_a_model_is_asked_although_other_settings_are_missing() -> None:
    async with LocalAnthropic() as anthropic:
        there = {"ANTHROPIC_BASE_URL": anthropic.url}
        findings = await examine(there | {"ANTHROPIC_API_KEY": "sk-ant-other"}, PROTOCOLS)
    assert [each.said for each in findings if each.about == "model"] == ["Anthropic refuses the key"]
    assert sum(each.about == "settings" for each in findings) == 2
    broken = await examine({"ANTHROPIC_API_KEY": KEY, "LLM_TIMEOUT": "soon"}, PROTOCOLS)
    assert not any(each.about == "model" for each in broken), "its own settings are among the faults"


@pytest.mark.parametrize(("name", "about"), [("SLACK_BOT_TOKEN", "bot token"), ("SLACK_APP_TOKEN", "app token")])
async def test_a_wrong_token(environ: dict[str, str], name: str, about: str) -> None:
    finding = await found(environ | {name: environ[name] + "x"}, about)

    assert finding.health is Health.BROKEN
    assert "invalid_auth" in finding.said
    assert finding.advice


TOKENS = {"TOWOW_API_TOKENS": "me read - " + 24 * "x"}


@pytest.fixture
def taken() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        yield taken


async def test_a_port_that_somebody_else_has_is_found_before_the_start(
    environ: dict[str, str], taken: socket.socket
) -> None:
    port = taken.getsockname()[1]
    finding = await found(environ | TOKENS | {"TOWOW_API_PORT": str(port)}, "http")
    assert (finding.health, finding.said) == (Health.BROKEN, f"127.0.0.1:{port} is taken already")
    assert "TOWOW_API_PORT" in finding.advice


async def test_a_port_that_nobody_has_is_free_and_stays_so(environ: dict[str, str], taken: socket.socket) -> None:
    port = taken.getsockname()[1]
    taken.close()
    for _ in range(2):
        assert (await found(environ | TOKENS | {"TOWOW_API_PORT": str(port)}, "http")).health is Health.FINE


@pytest.mark.parametrize("host", ["203.0.113.7", "no-such-host.invalid"])
async def test_an_address_that_is_none_of_this_machine_is_found(environ: dict[str, str], host: str) -> None:
    finding = await found(environ | TOKENS | {"TOWOW_API_HOST": host}, "http")
    assert finding.health is Health.BROKEN
    assert "no address of this machine" in finding.said


async def test_a_towow_that_serves_it_on_this_database_is_no_fault_and_one_on_another_is(
    environ: dict[str, str], tmp_path: Path
) -> None:
    async with living() as port:
        served = environ | TOKENS | {"TOWOW_API_PORT": str(port)}
        assert (await found(served, "http")).health is Health.BROKEN
        store = SqliteStore(tmp_path / "towow.db")
        await store.open()
        finding = await found(served, "http")
        await store.close()
    assert (finding.health, finding.said) == (Health.FINE, f"a ToWow is served at 127.0.0.1:{port}")


async def test_whatever_else_has_the_port_while_towow_runs_is_found(environ: dict[str, str], tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "towow.db")
    await store.open()
    async with living(b"<html>Welcome") as port:
        finding = await found(environ | TOKENS | {"TOWOW_API_PORT": str(port)}, "http")
    await store.close()
    assert finding.health is Health.BROKEN


@asynccontextmanager
async def living(says: bytes = b'{"status":"ok"}') -> AsyncIterator[int]:
    """Answer every call with this; yields the port."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + says)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


async def test_slack_that_does_not_answer_is_no_fault_of_the_token(
    environ: dict[str, str], workspace: LocalWorkspace
) -> None:
    await workspace.admin.fault("auth.test", "status", status=503)

    assert (await found(environ, "bot token")).health is Health.DOUBTFUL


async def test_a_missing_scope(tmp_path: Path, environ: dict[str, str]) -> None:
    app = App.described_by(manifest())
    async with LocalWorkspace(app=app.model_copy(update={"scopes": app.scopes[1:]})) as workspace:
        finding = await found(environ | {"SLACK_API_URL": workspace.api_url}, "scopes")

    assert finding.health is Health.BROKEN
    assert finding.said == f"missing: {app.scopes[0]}"


async def test_a_missing_scope_of_what_slack_shows_of_agents_is_no_fault(environ: dict[str, str]) -> None:
    app = App.described_by(manifest())
    others = tuple(each for each in app.scopes if each != "assistant:write")
    async with LocalWorkspace(app=app.model_copy(update={"scopes": others})) as workspace:
        finding = await found(environ | {"SLACK_API_URL": workspace.api_url}, "scopes")

    assert finding.health is Health.DOUBTFUL
    assert finding.said == "missing: assistant:write"


async def test_a_key_that_is_refused_and_a_model_that_cannot_be_reached(environ: dict[str, str]) -> None:
    async with LocalAnthropic() as anthropic:
        there = environ | {"ANTHROPIC_BASE_URL": anthropic.url}
        refused = await found(there | {"ANTHROPIC_API_KEY": "sk-ant-other"}, "model")
    gone = await found(there | {"ANTHROPIC_API_KEY": KEY}, "model")
    none = await found(environ, "model")

    assert [each.health for each in (refused, gone, none)] == [Health.BROKEN, Health.DOUBTFUL, Health.DOUBTFUL]
    assert "simple rules" in none.said
    assert "ANTHROPIC_BASE_URL" in none.advice


@pytest.mark.parametrize(
    ("answer", "health", "said"),
    [
        pytest.param(Says({"ready": True}), Health.FINE, "has answered a question", id="it answers"),
        pytest.param(Says("Ready!"), Health.BROKEN, "not in the form", id="a model that knows no form"),
        pytest.param(Truncated('{"rea'), Health.BROKEN, "not in the form", id="it ends early"),
        pytest.param(Status(401), Health.BROKEN, "refuses the key", id="a wrong key"),
        pytest.param(Status(404), Health.BROKEN, "there is no model claude-haiku-5-5", id="a wrong model"),
        pytest.param(Status(400), Health.BROKEN, "does not take our questions (400)", id="a question it does not take"),
        pytest.param(Status(429), Health.DOUBTFUL, "asked too often", id="too many calls"),
        pytest.param(Status(429, should_retry="false"), Health.BROKEN, "no more may be spent", id="nothing is left"),
        pytest.param(Status(529), Health.DOUBTFUL, "out of order (529)", id="overloaded"),
        pytest.param(
            Garbled("<html>Sign in</html>", "text/html"),
            Health.BROKEN,
            "is not the Messages API",
            id="a proxy",
        ),
        pytest.param(Drops("before"), Health.DOUBTFUL, "cannot be reached", id="cut off"),
        pytest.param(Stalls(), Health.DOUBTFUL, "no answer within 0.2 s", id="silent"),
    ],
)
async def test_each_model_is_asked_one_tiny_question(
    environ: dict[str, str], answer: Step, health: Health, said: str
) -> None:
    async with LocalAnthropic() as anthropic:
        anthropic.always(answer)
        there = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": anthropic.url, "LLM_MODEL": "claude-haiku-5-5"}
        hasty = {"LLM_TIMEOUT": "0.2"} if isinstance(answer, Stalls) else {}  # what comes has time on a busy machine
        finding = await found(environ | there | hasty, "model")
        asked = [each.body["max_tokens"] for each in anthropic.requests]

    assert (finding.health, said in finding.said) == (health, True), finding.said
    assert bool(finding.advice) is (health is not Health.FINE)
    assert {*asked} == {200}
    assert len(asked) == 1 or said == "not in the form"


async def test_every_model_of_the_prompts_is_asked_and_one_fault_of_all_is_told_once(environ: dict[str, str]) -> None:
    async with LocalAnthropic() as anthropic:
        there = environ | {"ANTHROPIC_BASE_URL": anthropic.url}
        fine = [
            each.said for each in await examine(there | {"ANTHROPIC_API_KEY": KEY}, PROTOCOLS) if each.about == "model"
        ]
        wrong = [
            each.said for each in await examine(there | {"ANTHROPIC_API_KEY": "no"}, PROTOCOLS) if each.about == "model"
        ]

    assert [each.split()[0] for each in fine] == ["claude-haiku-5-5", "claude-sonnet-5-5"]
    assert wrong == ["Anthropic refuses the key"]


async def test_a_database_that_is_running_one_that_is_none_and_a_thing_that_was_parked(
    environ: dict[str, str], tmp_path: Path
) -> None:
    store = SqliteStore(tmp_path / "towow.db")
    await store.open()
    try:
        assert "is whole: 0 streams" in (await found(environ, "database")).said
    finally:
        await store.close()
    letter = tmp_path / "letter.db"
    write(letter, "Dear all, " * 1_000)
    assert (await found(environ | {"TOWOW_DB": str(letter)}, "database")).health is Health.BROKEN


async def test_a_database_that_was_deleted_while_a_towow_runs_on_it(environ: dict[str, str], tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "towow.db")
    await store.open()
    try:
        assert (await found(environ, "database")).health is Health.FINE
        os.unlink(tmp_path / "towow.db")
        lost = await found(environ, "database")
        assert (lost.health, "deleted or replaced while a ToWow runs" in lost.said) == (Health.BROKEN, True)
        assert "towow restore" in lost.advice
    finally:
        await store.close()

    gone = await found(environ, "database")
    assert (gone.health, "is gone" in gone.said) == (Health.BROKEN, True)


async def test_a_database_that_was_replaced_by_hand(environ: dict[str, str], tmp_path: Path) -> None:
    for name in ("towow.db", "other.db"):
        store = SqliteStore(tmp_path / name)
        await store.open()
        await store.close()
    os.replace(tmp_path / "other.db", tmp_path / "towow.db")

    finding = await found(environ, "database")

    assert (finding.health, "was replaced by hand" in finding.said) == (Health.BROKEN, True)


async def test_what_others_may_read_is_told(environ: dict[str, str], tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "towow.db")
    await store.open()
    await store.close()
    assert [each for each in await examine(environ, PROTOCOLS) if each.about == "access"] == []
    os.chmod(tmp_path / "towow.db", 0o644)
    os.chmod(tmp_path, 0o720)

    [file, folder] = [each for each in await examine(environ, PROTOCOLS) if each.about == "access"]

    assert (file.health, folder.health) == (Health.DOUBTFUL, Health.DOUBTFUL)
    assert "may read towow.db" in file.said
    assert f"may change what is in {tmp_path}" in folder.said
    assert os.stat(tmp_path / "towow.db").st_mode & 0o777 == 0o644


def test_a_missing_encoder_of_sentences_is_told() -> None:
    assert not [*encoder()]
    [finding] = encoder("no_such_encoder")
    assert finding.health is Health.DOUBTFUL
    assert "by their words alone" in finding.said


async def test_a_profile_with_a_fault(environ: dict[str, str], tmp_path: Path) -> None:
    folder = folder_with(tmp_path, bo=VALID.replace("location", "lcoation"))

    finding = await found(environ | {"TOWOW_PROFILES": str(folder)}, "profiles")

    assert finding.health is Health.BROKEN
    assert "bo.yaml" in finding.said


def test_the_command_says_it_and_its_exit_status_whether_anything_is_broken(
    towow: Towow, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"):
        monkeypatch.delenv(name, raising=False)

    done = towow("doctor")

    assert done.code == 1
    assert "✗ settings  SLACK_BOT_TOKEN is not set" in done.out
    assert "→ set it in the environment" in done.out


def write(path: Path, text: str) -> None:
    path.write_text(text)


def roles(path: Path, *entries: Mapping[str, object]) -> str:
    told = {"display_name": "Worker", "type": "worker"}
    path.write_text(json.dumps({"roles": [{**told, **each} for each in entries]}), "utf-8")
    return str(path)


def version_of(code: str) -> dict[str, object]:
    return {"protocol": "envelope", "sandbox": "off", "version_command": [sys.executable, "-c", code]}


async def test_who_may_work_is_asked_for_its_version(environ: dict[str, str], tmp_path: Path) -> None:
    path = roles(
        tmp_path / "roles.json",
        {"role_id": "agent", "cli_command": [sys.executable], "metadata": version_of("print('\\nagent 1.2')")},
        {"role_id": "writer", "metadata": {"protocol": "model"}},
        {"role_id": "gone", "cli_command": ["no-such-agent"]},
        {"role_id": "ill", "cli_command": [sys.executable], "metadata": version_of("raise SystemExit(3)")},
    )
    found_ones = [each for each in await examine(environ | {"TOWOW_ROLES": path}, PROTOCOLS) if each.about == "workers"]

    assert [(each.health, each.said) for each in found_ones] == [
        (Health.FINE, "agent (envelope), agent 1.2"),
        (Health.FINE, "writer (model)"),
        (Health.BROKEN, "gone (acp): there is no program no-such-agent"),
        (Health.BROKEN, f"ill (envelope): {sys.executable} ended with 3 when it was asked for its version"),
    ]
    assert all(each.advice for each in found_ones[2:])


@pytest.mark.parametrize(("kind", "until"), [("worker", "its tickets fail"), ("manager", "it manages nothing")])
async def test_what_a_broken_role_means_is_said(environ: dict[str, str], tmp_path: Path, kind: str, until: str) -> None:
    path = roles(tmp_path / "roles.json", {"role_id": "gone", "type": kind, "cli_command": ["no-such-agent"]})
    [found] = [each for each in await examine(environ | {"TOWOW_ROLES": path}, PROTOCOLS) if each.about == "workers"]

    assert found.health is Health.BROKEN
    assert f"{until} until then" in found.advice


async def test_who_is_asked_for_its_version_sees_no_secret_of_ours(
    environ: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-canary")
    metadata = version_of("import os; print('canary' in str(os.environ))")
    path = roles(tmp_path / "roles.json", {"role_id": "spy", "cli_command": [sys.executable], "metadata": metadata})

    assert (await found(environ | {"TOWOW_ROLES": path}, "workers")).said == "spy (envelope), False"


@pytest.mark.parametrize("metadata", [{"network": "isolated"}, {"sandbox": "required"}])
async def test_who_has_to_be_isolated_and_cannot_be_is_refused_at_the_start(
    environ: dict[str, str], tmp_path: Path, metadata: dict[str, object]
) -> None:
    entry = {"role_id": "careful", "cli_command": [sys.executable, "--version"], "metadata": metadata}
    path = roles(tmp_path / "roles.json", entry)
    settings = await found(environ | {"TOWOW_ROLES": path}, "settings")

    if has_sandbox():
        assert settings.health is Health.FINE
    else:
        assert settings.health is Health.BROKEN
        assert "careful has to be isolated" in settings.said


async def test_a_folder_of_sessions_that_others_may_look_into(environ: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    open_one = await found(environ, "sessions")
    folder.chmod(0o700)

    assert (open_one.health, f"chmod 700 {folder}" in open_one.advice) == (Health.DOUBTFUL, True)
    assert (await found(environ, "sessions")).said == f"{folder} can be written"


async def test_a_folder_of_logs_that_cannot_be_made(environ: dict[str, str], tmp_path: Path) -> None:
    """Root may write anywhere: a file stands in the way of both."""
    (tmp_path / "taken").write_text("", "utf-8")
    logs = await found(environ | {"TOWOW_LOGS": str(tmp_path / "taken" / "logs")}, "logs")
    assert (logs.health, bool(logs.advice)) == (Health.BROKEN, True)


async def test_where_a_proxy_is_set_it_is_named_among_what_may_be_in_the_way(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    there = {"SLACK_API_URL": "http://slack.test/api/", "ANTHROPIC_BASE_URL": "http://model.test", "LLM_MODEL": "some"}
    for about in ("bot token", "model"):
        assert "HTTP_PROXY" in (await found(environ | there, about)).advice


async def test_a_database_that_does_not_answer_is_told_with_what_to_do(environ: dict[str, str]) -> None:
    finding = await found(environ | {"TOWOW_DB": "postgresql://towow@127.0.0.1:1/towow"}, "database")
    assert "whether the server is there" in finding.advice


async def test_faults_of_the_registry_are_told_with_their_lines(environ: dict[str, str], tmp_path: Path) -> None:
    path = roles(tmp_path / "roles.json", {"role_id": "agent"})

    assert "roles.json:1:" in (await found(environ | {"TOWOW_ROLES": path}, "settings")).said


async def test_a_model_on_ones_own_machine_needs_no_key_and_doctor_says_what_its_server_does_not_take(
    environ: dict[str, str],
) -> None:
    async with LocalAnthropic(key="", lacks=["effort", "cache_control"]) as server:
        server.always(Says({"ready": True}))
        there = {"ANTHROPIC_BASE_URL": server.url, "LLM_MODEL": "claude-haiku-5-5"}
        finding = await found(environ | there, "model")

    assert finding.health is Health.FINE
    assert "does not take cache_control, effort" in finding.said or "does not take effort" in finding.said


async def test_a_server_that_wants_a_key_is_told_apart_from_one_that_refuses_it(environ: dict[str, str]) -> None:
    async with LocalAnthropic() as server:
        finding = await found(environ | {"ANTHROPIC_BASE_URL": server.url}, "model")

    assert (finding.health, finding.advice) == (Health.BROKEN, "set ANTHROPIC_API_KEY")


async def test_a_model_that_keeps_to_a_form_once_it_is_told_in_words_is_fine(environ: dict[str, str]) -> None:
    async with LocalAnthropic(key="") as server:
        server.then(Says("Ready!"), Says({"ready": True}))
        finding = await found(environ | {"ANTHROPIC_BASE_URL": server.url, "LLM_MODEL": "claude-haiku-5-5"}, "model")

    assert finding.health is Health.FINE


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "people may give files; for addresses, `towow keys new` makes a key (docs/calendars.md)"),
        ({"TOWOW_TOKEN_KEYS": "YW4gZXhhbXBsZSwgc28gYmV0dGVyIG5vdCB5b3VycyE="}, "people may give an address, or a file"),
        ({"TOWOW_CALENDARS": "no"}, "nobody may give one"),
    ],
)
async def test_which_calendars_people_may_give(environ: dict[str, str], settings: dict[str, str], said: str) -> None:
    environ |= settings
    assert (await found(environ, "calendars")).said == said


@pytest.mark.parametrize(
    ("looked_before", "health", "said"),
    [
        pytest.param(None, Health.DOUBTFUL, "never looked yet", id="never"),
        pytest.param(4 * 86_400, Health.DOUBTFUL, "has not looked", id="long ago"),
        pytest.param(3_600, Health.FINE, "3 streams with 40 events", id="today"),
    ],
)
async def test_whether_what_is_old_is_deleted(
    environ: dict[str, str], looked_before: int | None, health: Health, said: str
) -> None:
    environ["TOWOW_KEEP_DAYS"] = "30"
    assert (await found(environ, "retention")).said == "what has ended is deleted after 30 days"
    store, tenant = SqliteStore(Path(environ["TOWOW_DB"])), Tenant("T_HERE")
    await store.open()
    await store.put_records(tenant, RETAINED, {"plan": encode(Retained(protocol="plan", streams=3, events=40))})
    if looked_before is not None:
        at = round((time.time() - looked_before) * 1_000)
        await store.put_records(tenant, LOOKED, {"": encode(Looked(at=at))})
    await store.close()

    finding = await found(environ, "retention")

    assert finding.health is health
    assert "after 30 days" in finding.said
    assert said in finding.said


CARDS = {
    *(f"negotiation: {each}" for each in ("root", "offers", "twin-offer", "round", "part", "reminder", "outcome")),
    *(
        "negotiation: ending",
        "negotiation: ending-asked",
        "negotiation: missing",
        "deliberation: plan",
        "deliberation: report",
        "delivery: board",
    ),
    *("delivery: report", "delivery: ticket", "negotiation: Home", "deliberation: Home", "delivery: Home"),
}
LEAST_FORMS = 45


async def test_each_form_is_there_to_be_checked_as_it_opens() -> None:
    forms = {each.name: json.loads(each.payload["view"]) for each in await draw(PROTOCOLS) if "form “" in each.name}

    assert len(forms) >= LEAST_FORMS
    assert {each.partition(":")[0] for each in forms} == {"negotiation", "deliberation", "delivery", "Home"}
    assert all(each["type"] == "modal" for each in forms.values())
    named = {each.partition("“")[2].rstrip("”") for each in forms}
    assert {"vote.negotiate", "plan.proceed", "plan.decide", "ticket.finish", "twin.profile"} <= named


async def test_each_kind_of_card_is_there_to_be_checked_with_slacks_newest_blocks() -> None:
    drawn = {each.name: str(each.payload) for each in await draw(PROTOCOLS) if "form “" not in each.name}
    assert {*drawn} == CARDS
    assert all(kind in drawn["negotiation: outcome"] for kind in ("data_table", "container"))
    assert "feedback_buttons" in drawn["negotiation: part"]
    assert "task_card" in drawn["delivery: board"]


async def test_slack_checks_each_kind_of_card_once_and_nothing_is_posted(
    environ: dict[str, str], workspace: LocalWorkspace
) -> None:
    [finding] = [each for each in await examine(environ, PROTOCOLS, live=True) if each.about == "cards"]

    kinds = len(await draw(PROTOCOLS))
    assert (finding.health, finding.said) == (Health.FINE, f"Slack takes all {kinds} kinds")
    calls = await workspace.admin.calls()
    assert calls["blocks.validate"] == kinds
    assert not [each for each in calls if each.startswith(("chat.", "views."))]


async def test_what_slack_refuses_is_told_by_the_name_of_the_card(
    environ: dict[str, str], workspace: LocalWorkspace
) -> None:
    await workspace.admin.surfaces(blocks=False)
    found = [each for each in await examine(environ, PROTOCOLS, live=True) if each.about == "cards"]

    assert {each.health for each in found} == {Health.DOUBTFUL}
    said = [each.said for each in found]
    assert "negotiation: part is refused: unsupported type: context_actions at /blocks" in said
    assert any(each.startswith("delivery: board is refused: unsupported type: plan") for each in said)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        pytest.param({"do": "error", "error": "unknown_method"}, "unknown_method", id="a Slack without it"),
        pytest.param({"do": "status", "status": 503}, "internal_error", id="out of order"),
    ],
)
async def test_what_slack_did_not_check_is_said_to_be_unchecked(
    environ: dict[str, str], workspace: LocalWorkspace, fault: dict[str, Any], said: str
) -> None:
    await workspace.admin.fault("blocks.validate", **fault, times=None)
    [finding] = [each for each in await examine(environ, PROTOCOLS, live=True) if each.about == "cards"]

    assert finding.health is Health.DOUBTFUL
    assert finding.said == f"after 0 faults, Slack did not check negotiation: root: {said}"


async def test_a_database_that_was_there_before_is_not_made_at_the_first_start(environ: dict[str, str]) -> None:
    database = Path(environ["TOWOW_DB"])
    assert "made at the first start" in (await found(environ, "database")).said
    store = SqliteStore(database)
    await store.open()
    await store.close()
    for each in ("", "-identity"):
        database.with_name(database.name + each).unlink()

    gone = await found(environ, "database")

    assert gone.health is Health.BROKEN
    assert "towow.db-lock" in gone.said


async def test_keys_that_do_not_open_what_is_stored_are_found(environ: dict[str, str]) -> None:
    old, new = new_key(), new_key()
    database = InstallationDatabase(Path(environ["TOWOW_DB"]), "1.2")
    many = {
        "SLACK_BOT_TOKEN": "", "SLACK_APP_TOKEN": "", "SLACK_CLIENT_ID": "1.2", "SLACK_CLIENT_SECRET": "secret",
        "SLACK_SIGNING_SECRET": "signing", "TOWOW_PUBLIC_URL": "https://towow.example", "TOWOW_LINK_KEY": "k" * 24,
    }  # fmt: skip
    async with opened(database):
        sealed = SealedStore(database, TokenKeys([base64.urlsafe_b64decode(old)]))
        await sealed.async_save(Installation(app_id="A", team_id="T", bot_token="xoxb-1", bot_id="B", user_id="U"))

    wrong = await examine(environ | many | {"TOWOW_TOKEN_KEYS": new}, PROTOCOLS)
    right = await examine(environ | many | {"TOWOW_TOKEN_KEYS": f"{new},{old}"}, PROTOCOLS)

    assert [each.health for each in wrong if each.about == "token keys"] == [Health.BROKEN]
    assert "does not open what is stored" in str(wrong)
    assert not [each for each in right if each.about == "token keys"]


@asynccontextmanager
async def proxy_that_says(status: str) -> AsyncIterator[str]:
    """A proxy that answers whoever wants to be connected."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize(
    ("status", "said", "advice"),
    [
        ("407 Proxy Authentication Required", "the proxy wants a user and a password", "http://user:password@"),
        ("403 Forbidden", "the proxy does not let this through (403)", "the proxy in HTTPS_PROXY"),
        ("", "nobody answers at the proxy", "the proxy in HTTPS_PROXY"),
    ],
)
async def test_what_a_proxy_does_is_told_and_not_called_the_network(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, status: str, said: str, advice: str
) -> None:
    elsewhere = {
        "SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1", "SLACK_API_URL": "https://slack.test/api/",
        "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "https://model.test", "LLM_MODEL": "m",
        "TOWOW_DB": str(tmp_path / "towow.db"),
    }  # fmt: skip
    async with proxy_that_says(status) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy if status else "http://127.0.0.1:9")
        for about in ("bot token", "app token", "model"):
            finding = await found(elsewhere, about)
            assert f"cannot be reached: {said}" in finding.said
            assert advice in finding.advice


async def test_a_certificate_of_slack_that_nobody_knows_is_told_with_what_to_set(tmp_path: Path) -> None:
    async with unknown_server(tmp_path) as url:
        finding = await found(
            {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1", "SLACK_API_URL": url}, "bot token"
        )
    assert (finding.health, "certificate cannot be verified" in finding.said) == (Health.BROKEN, True)
    assert "SSL_CERT_FILE" in finding.advice
