"""Attempts of commands that speak our envelopes: what they claim counts only as far as it is there."""

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.kernel import Command, RegisterOutputs, RunWorker, StreamKey, Tenant
from engine.runtime.clock import WallClock
from engine.runtime.ports import EffectRun
from engine.workers.outputs import erase
from engine.workers.port import (
    FileRefused,
    GivenOutput,
    Limits,
    RegisterOrder,
    WantedOutput,
    WorkOrder,
    WorkOutcome,
)
from engine.workers.registry import FOLDERS, WorkersAccess
from engine.workers.sandbox import available
from engine.workers.workers import Workers

from ..equipment import SANDBOX
from .scripts import script

ROOT = Path(__file__).parents[2]
KEY = StreamKey(Tenant("T_ONE"), "deliver-1")
LIMITS = Limits(total=60, silence=60, permission_wait=0, output_bytes=100_000, artifact_bytes=10_000)


class Answered(Command):
    outcome: WorkOutcome


class Port:
    """Orders one piece of work, and keeps what came of it."""

    def __init__(self, order: WorkOrder | None = None, claim: RegisterOrder | None = None) -> None:
        self._order, self._claim = order, claim

    def order(self, state: Any, effect: RunWorker, *, at: int) -> WorkOrder:
        assert self._order is not None
        return self._order

    def claim(self, state: Any, effect: RegisterOutputs) -> RegisterOrder:
        assert self._claim is not None
        return self._claim

    def outcome(self, state: Any, effect: Any, outcome: WorkOutcome, *, command_id: str, at: int) -> Command:
        return Answered(command_id=command_id, at=at, outcome=outcome)


def order(**fields: Any) -> WorkOrder:
    told: dict[str, Any] = {
        "session": "deliver-1", "ticket": "T-1", "attempt": 1, "role_id": "script", "purpose": "work",
        "text": "Do it.", "envelope": {"session_id": "deliver-1"}, "limits": LIMITS,
        "outputs": (WantedOutput(label="The plan", path="plan.md"),),
    }  # fmt: skip
    return WorkOrder(**told | fields)


def registry(folder: Path, command: tuple[str, ...], **more: Any) -> Path:
    role = {
        "role_id": "script", "display_name": "Script", "type": "worker", "cli_command": command,
        "metadata": {"protocol": "envelope", "sandbox": "off"},
    }  # fmt: skip
    role |= more.pop("role", {})
    path = folder / "roles.json"
    path.write_text(json.dumps({"roles": [role], **more}), "utf-8")
    return path


async def attempt(folder: Path, body: str, *, wanted: WorkOrder | None = None, **more: Any) -> WorkOutcome:
    access = WorkersAccess(folder / "sessions", registry(folder, script(folder, body), **more))
    return await carried_out(access, wanted or order())


async def carried_out(access: WorkersAccess, wanted: WorkOrder) -> WorkOutcome:
    workers = Workers(access, {"toy": Port(wanted)}, WallClock())
    effect = RunWorker(name="work-T-1-1", scope="s", about="T-1")
    answered = await workers.runners[RunWorker.kind](EffectRun(KEY, "toy", effect, "c1", None))
    assert isinstance(answered, Answered)
    return answered.outcome


async def test_without_its_key_nothing_is_started_and_the_key_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VENDOR_KEY", raising=False)
    role = {"metadata": {"protocol": "envelope", "sandbox": "off", "auth_profile": "vendor"}}
    outcome = await attempt(tmp_path, WRITES, role=role, auth_profiles={"vendor": ["VENDOR_KEY"]})
    assert outcome.failure == "misconfigured"
    assert outcome.detail == "VENDOR_KEY of auth_profile vendor is not set where ToWow runs."


WRITES = "open('plan.md', 'w').write('# A plan')\n"


async def test_what_it_made_is_registered(tmp_path: Path) -> None:
    outcome = await attempt(tmp_path, WRITES + "completed(next_actions=['print it'])")
    assert outcome.failure is None
    (found,) = outcome.registered
    assert (found.label, found.size_bytes) == ("The plan", 8)
    assert (outcome.summary, outcome.next_actions) == ("It is done.", ("print it",))


async def test_sessions_may_lie_where_it_was_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_a_sandbox = {"metadata": {"protocol": "envelope", "sandbox": "preferred"}}
    roles = registry(tmp_path, script(tmp_path, WRITES + "completed()"), role=in_a_sandbox)
    monkeypatch.chdir(tmp_path)
    outcome = await carried_out(WorkersAccess(Path("sessions"), roles), order())
    assert outcome.failure is None
    assert [each.label for each in outcome.registered] == ["The plan"]


LIES = {
    "claims success without a file": ("completed()", "evidence_missing"),
    "ends without a report": (WRITES, "protocol"),
    "speaks garbage": (WRITES + "print('all good!')", "protocol"),
    "dies in the middle of a line": (WRITES + "os.write(1, b'{\"session_id\"'); os._exit(0)", "protocol"),
    "ends with an error": (WRITES + "completed(); sys.exit(2)", "exit"),
    "reports an error": ("say('error', code='x', message='no')", "exit"),
    "hangs before its result": ("time.sleep(600)", "stalled"),
    "floods": ("while True: print('x' * 1000)", "flood"),
    "leaves a link": ("os.symlink('/etc/passwd', 'plan.md'); completed()", "artifact_refused"),
    "leaves too much": ("open('plan.md', 'w').write('x' * 20_000); completed()", "artifact_refused"),
    "announces another digest": (
        WRITES + "say('artifact_ref', label='p', uri='plan.md', digest='sha256:' + '0' * 64); completed()",
        "artifact_refused",
    ),
    "reports for another session": (WRITES + "order['session_id'] = 'other'; completed()", "protocol"),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
async def test_a_claim_without_proof_is_none(tmp_path: Path, lie: str) -> None:
    body, failure = LIES[lie]
    limits = replace(LIMITS, silence=1) if failure == "stalled" else LIMITS
    outcome = await attempt(tmp_path, body, wanted=order(limits=limits))
    assert outcome.failure == failure
    assert outcome.detail
    assert not outcome.registered


async def test_what_goes_on_after_its_report_is_ended_and_its_report_counts(tmp_path: Path) -> None:
    body = WRITES + "open('pid', 'w').write(str(os.getpid())); completed(); signal.pause()"
    outcome = await attempt(tmp_path, body)
    assert (outcome.failure, len(outcome.registered)) == (None, 1)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "sessions/deliver-1/work/T-1/pid").read_text()), 0)


async def test_lines_that_are_no_envelope_are_named_and_move_nothing(tmp_path: Path) -> None:
    bad = "say('report', status='great')\nsay('plan', tasks=[])\nprint('hello secret')\n"
    outcome = await attempt(tmp_path, WRITES + bad + "completed()")
    assert outcome.failure is None
    assert [each.payload_type for each in outcome.faults] == ["report", "", ""]
    assert "secret" not in str(outcome.faults)


async def test_all_that_is_left_of_a_ticket_can_be_erased(tmp_path: Path) -> None:
    """Of whoever is forgotten nothing stays, wherever an attempt or a check has left it."""
    checks = {"lint": ["sh", "-c", "echo what it said >&2"]}
    loud = WRITES + "print('oh', file=sys.stderr); completed()"
    assert (await attempt(tmp_path, loud, wanted=order(check="lint"), checks=checks)).failure is None
    given = GivenOutput(label="a", path="T-1/a.md", text="booked")
    assert (await shown(tmp_path, given, roles=tmp_path / "roles.json", check="lint")).failure is None
    session = tmp_path / "sessions" / "deliver-1"
    assert {each.name for each in session.iterdir()} == set(FOLDERS)
    erase(WorkersAccess(tmp_path / "sessions"), "deliver-1", {"T-1"})
    assert [each for each in session.rglob("*") if each.name not in FOLDERS] == []


async def test_it_says_what_it_lacks(tmp_path: Path) -> None:
    outcome = await attempt(tmp_path, "say('report', status='blocked', issues=['Which room?'])")
    assert (outcome.failure, outcome.issues, outcome.registered) == (None, ("Which room?",), ())


async def test_it_answers_a_proposal(tmp_path: Path) -> None:
    body = "say('report', status='proposal', outputs=['Yes, in steps.'], issues=['No backup'])"
    outcome = await attempt(tmp_path, body, wanted=order(purpose="discuss"))
    assert (outcome.agrees, outcome.answers, outcome.issues) == (False, ("Yes, in steps.",), ("No backup",))


@pytest.mark.parametrize(("check", "has_passed"), [("grep -q plan plan.md", True), ("false", False)])
async def test_a_check_has_to_pass(tmp_path: Path, check: str, has_passed: bool) -> None:
    outcome = await attempt(
        tmp_path, WRITES + "completed()", wanted=order(check="lint"), checks={"lint": ["sh", "-c", check]}
    )
    assert [each.has_passed for each in outcome.checks] == [has_passed]
    assert outcome.failure == (None if has_passed else "check_failed")


async def test_only_what_the_registry_has_is_run(tmp_path: Path) -> None:
    body = WRITES + "completed()"
    assert (await attempt(tmp_path, body, wanted=order(role_id="rm"))).failure == "role_missing"
    assert (await attempt(tmp_path, body, wanted=order(check="rm -rf"))).failure == "check_failed"
    assert (await carried_out(WorkersAccess(tmp_path / "s"), order())).failure == "workers_off"
    gone = registry(tmp_path, ("no-such-program",))
    assert (await carried_out(WorkersAccess(tmp_path / "s", gone), order())).failure == "not_started"


async def test_the_text_reaches_no_argument_and_none_of_our_secrets_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SLACK_BOT_TOKEN", "ANTHROPIC_API_KEY", "TOWOW_API_TOKENS", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "canary-1234")
    monkeypatch.setenv("VENDOR_KEY", "for this role")
    body = "json.dump([sys.argv, dict(os.environ), os.getcwd()], open('plan.md', 'w')); completed()"
    evil = "$(touch /tmp/x); `id` --dangerous"
    role = {"metadata": {
        "protocol": "envelope", "sandbox": "off", "auth_profile": "vendor", "settings": {"MODEL": "small"}
    }}  # fmt: skip
    outcome = await attempt(
        tmp_path, body, wanted=order(text=evil, envelope={"session_id": "deliver-1", "payload": {"summary": evil}}),
        role=role, auth_profiles={"vendor": ["VENDOR_KEY"]},
    )  # fmt: skip
    said = (tmp_path / "sessions" / "deliver-1" / outcome.registered[0].uri).read_text("utf-8")
    arguments, environment, directory = json.loads(said)
    assert "canary" not in said
    assert evil not in str(arguments)
    assert (environment["VENDOR_KEY"], environment["MODEL"]) == ("for this role", "small")
    assert environment["HOME"].startswith(directory)
    assert directory.endswith("sessions/deliver-1/work/T-1")


async def test_cancelled_nothing_of_it_goes_on(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    os.mkfifo(told)
    task = asyncio.create_task(attempt(tmp_path, f"open({str(told)!r}, 'w').write(str(os.getpid()))\nsignal.pause()"))
    pid = int(await asyncio.to_thread(told.read_text))
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


# ── the sandbox ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_in_a_sandbox_it_writes_nowhere_else_and_reaches_no_network(tmp_path: Path) -> None:
    SANDBOX.needed()
    outside, hidden = ROOT / "outside.txt", tmp_path / "outside.txt"
    (tmp_path / "sessions" / "deliver-2").mkdir(parents=True)
    (tmp_path / "sessions" / "deliver-2" / "secret.txt").write_text("of others", "utf-8")
    body = f"""
found = []
for attempt in (
    lambda: open({str(outside)!r}, "w").write("x"),
    lambda: open({str(tmp_path / "sessions" / "deliver-2" / "secret.txt")!r}).read(),
    lambda: __import__("socket").create_connection(("127.0.0.1", {_listening()}), timeout=2),
):
    try:
        attempt()
        found.append("worked")
    except OSError:
        found.append("refused")
open({str(hidden)!r}, "w").write("in a /tmp of its own")
open("plan.md", "w").write(" ".join(found))
completed()
"""
    role = {"metadata": {"protocol": "envelope", "sandbox": "required", "network": "isolated"}}
    outcome = await attempt(tmp_path, body, role=role)
    if available() is None:  # Bubblewrap is here, and this container does not let it work
        assert outcome.failure == "not_isolated"
        return
    said = (tmp_path / "sessions" / "deliver-1" / outcome.registered[0].uri).read_text("utf-8")
    # Where this checkout is below /tmp, the folder that is written to is the sandbox's own.
    writes = "worked" if ROOT.is_relative_to("/tmp") else "refused"  # noqa: S108 - nothing is written there
    assert said == f"{writes} refused refused"
    assert not outside.exists()
    assert not hidden.exists()


def _listening() -> int:
    """A port on which somebody listens, for as long as the process lives."""
    import socket

    server = socket.create_server(("127.0.0.1", 0))
    _SERVERS.append(server)
    port: int = server.getsockname()[1]
    return port


_SERVERS: list[Any] = []


@pytest.fixture(autouse=True)
def nobody_listens_any_more() -> Any:
    yield
    while _SERVERS:
        _SERVERS.pop().close()


@pytest.fixture
def no_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PATH", str(tmp_path))
    available.cache_clear()
    yield
    available.cache_clear()


@pytest.mark.usefixtures("no_bubblewrap")
async def test_without_a_sandbox_a_role_that_has_to_be_isolated_does_not_run(tmp_path: Path) -> None:
    role = {"metadata": {"protocol": "envelope", "network": "isolated"}}
    assert (await attempt(tmp_path, WRITES + "completed()", role=role)).failure == "not_isolated"


# ── what people show ──────────────────────────────────────────────────────────────────────────────────────────────


async def shown(
    folder: Path, *given: GivenOutput, files: Any = None, roles: Path | None = None, **fields: Any
) -> WorkOutcome:
    claim = RegisterOrder(session="deliver-1", ticket="T-1", attempt=1, outputs=given, limits=LIMITS, **fields)
    workers = Workers(WorkersAccess(folder / "sessions", roles), {"toy": Port(claim=claim)}, WallClock(), files)
    effect = RegisterOutputs(name="register-T-1-1", scope="s", about="T-1")
    answered = await workers.runners[RegisterOutputs.kind](EffectRun(KEY, "toy", effect, "c1", None))
    assert isinstance(answered, Answered)
    for each in answered.outcome.registered:
        if not each.is_link:
            assert await workers.artifact("deliver-1", each.uri, each.digest)
    return answered.outcome


async def test_texts_links_and_files_are_registered(tmp_path: Path) -> None:
    async def fetch(key: StreamKey, file_id: str, *, most_bytes: int) -> bytes:
        return b"%PDF-1.7 " + file_id.encode()

    outcome = await shown(
        tmp_path,
        GivenOutput(label="a", path="T-1/a.md", text="booked"),
        GivenOutput(label="b", path="T-1/b.md", link="https://example.org"),
        GivenOutput(label="c", path="T-1/c.md", file_id="F1", file_name="Scan 3.PDF"),
        files=fetch,
    )
    assert [(each.label, each.content_type) for each in outcome.registered] == [
        ("a", "text/markdown"), ("b", "text/uri-list"), ("c", "application/pdf")
    ]  # fmt: skip


@pytest.mark.parametrize(("check", "has_passed"), [("grep -q booked a.md && echo x > a.md", True), ("false", False)])
async def test_what_people_show_is_checked_in_a_copy(tmp_path: Path, check: str, has_passed: bool) -> None:
    path = registry(tmp_path, ("true",), checks={"lint": ["sh", "-c", check]})
    given = GivenOutput(label="a", path="T-1/a.md", text="booked")
    outcome = await shown(tmp_path, given, roles=path, check="lint")
    assert [each.has_passed for each in outcome.checks] == [has_passed]
    assert outcome.failure == (None if has_passed else "check_failed")


async def test_a_file_that_cannot_be_taken_is_refused_in_words(tmp_path: Path) -> None:
    async def refuses(key: StreamKey, file_id: str, *, most_bytes: int) -> bytes:
        raise FileRefused("The file is gone.")

    outcome = await shown(tmp_path, GivenOutput(label="c", path="T-1/c.md", file_id="F1"), files=refuses)
    assert (outcome.failure, outcome.detail) == ("artifact_refused", "The file is gone.")


async def test_a_full_disk_is_an_outcome(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("in the way", "utf-8")
    outcome = await shown(tmp_path, GivenOutput(label="a", path="T-1/a.md", text="booked"))
    assert outcome.failure == "artifact_refused"
    access = WorkersAccess(tmp_path / "sessions", registry(tmp_path, ("true",)))
    assert (await carried_out(access, order())).failure == "not_started"


async def test_registering_twice_comes_to_the_same(tmp_path: Path) -> None:
    given = GivenOutput(label="a", path="T-1/a.md", text="booked")
    assert await shown(tmp_path, given) == await shown(tmp_path, given)
