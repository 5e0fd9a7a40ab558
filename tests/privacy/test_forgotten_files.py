"""Who is forgotten is forgotten in the files that workers have left as well."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.commands.forget import carry_out, plans, told
from bot.registry import PROTOCOLS
from engine.delivery import commands as asked
from engine.delivery.answers import InstructAnswer
from engine.delivery.rules import RULEBOOK
from engine.delivery.terms import Evidence, Owner, WorkerKind
from engine.kernel import Command, Event, StreamKey, Tenant
from engine.runtime.retention import end, over
from engine.runtime.streams import sealed
from engine.store.port import Commit
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.archive import Archive
from engine.workers.outputs import erase
from engine.workers.registry import WorkersAccess
from tests.delivery.scenario import ANN, BO, BRIEF, FOR_ANN, NOON, REQUESTER, artifact, task

FOR_BO = Owner(kind=WorkerKind.PERSON, user_id=BO, person_id="bo", name="Bo")
KEY = StreamKey(Tenant("T_HERE"), "deliver-00000001")


def history() -> Iterator[Event]:
    """Ann's ticket T-1 is shown as done, and so is Bo's T-2."""
    state = RULEBOOK.initial
    for command in _commands():
        for event in RULEBOOK.decide(state, command).events:
            state = RULEBOOK.evolve(state, event)
            yield event


def _commands() -> Iterator[Command]:
    told: dict[str, Any] = {"command_id": "c", "at": NOON}
    tasks = (task("room", FOR_ANN), task("talk", FOR_BO))
    yield asked.OpenDelivery(session_id=KEY.stream, by=REQUESTER, brief=BRIEF, tasks=tasks, **told)
    for ticket, by in (("T-2", BO), ("T-1", ANN)):
        yield asked.RecordInstruction(ticket_id=ticket, number=1, answer=InstructAnswer(summary="Do it"), **told)
        shown = (Evidence(label="Result", text="It is there."),)
        yield asked.FinishTicket(ticket_id=ticket, by=by, evidence=shown, **told)
        yield asked.RecordWork(ticket_id=ticket, attempt=1, artifacts=(artifact(),), **told)


@pytest.fixture
async def database(tmp_path: Path) -> Path:
    path = tmp_path / "towow.db"
    store = SqliteStore(path)
    await store.open()
    await store.commit(Commit(KEY, RULEBOOK.protocol, 0, (), tuple(sealed(each, NOON) for each in history())))
    await store.close()
    return path


@pytest.fixture
def access(tmp_path: Path) -> WorkersAccess:
    access = WorkersAccess(tmp_path / "sessions", logs=tmp_path / "logs")
    for session in (KEY.stream, "deliver-00000002"):
        for ticket in ("T-1", "T-2"):
            for name in ("artifacts", "work"):
                folder = access.sessions / session / name / ticket
                folder.mkdir(parents=True)
                (folder / "result.md").write_text("It is there.", "utf-8")
        (tmp_path / "logs" / session).mkdir(parents=True)
        (tmp_path / "logs" / session / "events.log").write_text("It is there.", "utf-8")
    return access


def there(access: WorkersAccess) -> set[str]:
    """The files of both sessions."""
    root = access.sessions.parent
    return {
        each.relative_to(root).as_posix()
        for folder in (access.sessions, root / "logs")
        for each in folder.rglob("*")
        if each.is_file()
    }


async def forget(path: Path, access: WorkersAccess, **whose: str) -> str:
    store = SqliteStore(path)
    await store.open()
    try:
        said = [line for plan in plans(Archive(path), PROTOCOLS, **whose) for line in told(plan, PROTOCOLS, access)]
        for plan in plans(Archive(path), PROTOCOLS, **whose):
            await carry_out(store, await store.lease(), plan, PROTOCOLS, NOON + 1, access)
        return "\n".join(said)
    finally:
        await store.close()


async def test_what_is_old_goes_with_all_files(database: Path, access: WorkersAccess) -> None:
    store = SqliteStore(database)
    await store.open()
    try:
        stored = await store.load(KEY)
        assert stored is not None
        await store.commit(Commit(KEY, RULEBOOK.protocol, stored.version, is_open=False))
        await store.mark_shown(KEY, stored.version)
        rulebooks = {RULEBOOK.protocol: RULEBOOK}

        async def delete(key: StreamKey) -> None:
            erase(access, key.stream, None)

        for before in (NOON, NOON + 1):
            gone = await over(store, rulebooks, KEY.tenant, before)
            assert [key async for some in end(store, KEY.tenant, gone, delete) for key in some] == [KEY][: len(gone)]
            assert {each.split("/")[1] for each in there(access)} == {KEY.stream, "deliver-00000002"} - {
                each.stream for each in gone
            }
        assert [each.stream for each in gone] == [KEY.stream]
        assert await store.load(KEY) is None
    finally:
        await store.close()


async def test_whoever_asked_is_forgotten_with_all_files(database: Path, access: WorkersAccess) -> None:
    said = await forget(database, access, user=REQUESTER)

    assert {each.split("/")[1] for each in there(access)} == {"deliver-00000002"}
    assert access.logs is not None
    assert f"files are deleted: {access.logs / KEY.stream}, {access.sessions / KEY.stream}" in said


async def test_a_delivery_that_is_named_is_forgotten_with_all_files(database: Path, access: WorkersAccess) -> None:
    await forget(database, access, negotiation=KEY.stream)

    assert {each.split("/")[1] for each in there(access)} == {"deliver-00000002"}


async def test_an_owner_is_forgotten_with_the_files_of_their_ticket(database: Path, access: WorkersAccess) -> None:
    store = there(access)

    await forget(database, access, user=ANN)

    left = there(access)
    assert {each for each in store - left if "deliver-00000002" in each} == set()
    assert {f"sessions/{KEY.stream}/{folder}/T-1/result.md" for folder in ("artifacts", "work")} & left == set()
    assert f"logs/{KEY.stream}/events.log" not in left


async def test_somebody_else_is_forgotten_without_them(database: Path, access: WorkersAccess) -> None:
    before = there(access)

    assert await forget(database, access, user="U_NOBODY") == ""

    assert there(access) == before


async def test_what_a_link_leads_to_stays(access: WorkersAccess, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept.md").write_text("kept", "utf-8")
    (access.sessions / "deliver-linked").symlink_to(outside)
    (access.sessions / KEY.stream / "artifacts" / "T-3").symlink_to(outside)

    erase(access, "deliver-linked", None)
    erase(access, KEY.stream, {"T-3"})

    assert (outside / "kept.md").is_file()
    assert not (access.sessions / "deliver-linked").is_symlink()
    assert not (access.sessions / KEY.stream / "artifacts" / "T-3").is_symlink()


@pytest.mark.parametrize("name", ["", ".", "..", "../sessions", "a/b", "a\\b"])
def test_no_name_leads_out_of_the_folder(access: WorkersAccess, name: str) -> None:
    before = there(access)

    erase(access, name, None)
    erase(access, KEY.stream, {name})

    assert before - there(access) <= {f"logs/{KEY.stream}/events.log"}
