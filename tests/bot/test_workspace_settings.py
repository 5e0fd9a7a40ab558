"""Admins belong to their workspace."""

from bot.workspace_settings import Directories, WorkspaceSettings, directory_key
from engine.directory.messages import ChangeSettings, Settings
from engine.directory.profile import Profiles
from engine.directory.rules import RULEBOOK
from engine.kernel import Tenant
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.store.memory import MemoryStore

from .driver import NOON

OURS, THEIRS = Tenant("T_OURS"), Tenant("T_THEIRS")


async def test_an_admin_of_one_workspace_is_none_in_another() -> None:
    clock = JumpingClock(NOON)
    store = MemoryStore()
    await store.open()
    runtime = in_process(store, clock, [RULEBOOK], {}, [])
    await runtime.start()
    directories = Directories(runtime, clock, Profiles({}))
    known: list[Tenant] = []
    settings = WorkspaceSettings(directories, {}, {}, frozenset({"U_STARTED"}), lambda: known[0] if known else None)
    change = ChangeSettings(
        command_id="c", at=NOON, by="U_SET", as_admin=True, settings=Settings(admins=("U_SET",)), revision=0
    )
    await runtime.handle(directory_key(THEIRS), RULEBOOK.protocol, change)

    assert not await settings.is_admin(OURS, "U_STARTED"), "Slack has not said whose workspace it is"
    known.append(OURS)

    assert await settings.is_admin(OURS, "U_STARTED")
    assert not await settings.is_admin(THEIRS, "U_STARTED")
    assert not await settings.is_admin(OURS, "U_SET")
    assert await settings.is_admin(THEIRS, "U_SET")
    await runtime.close()
