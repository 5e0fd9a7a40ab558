"""Directories on disk: filled from the files before anybody looks, each tenant's its own, and on record."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.workspace_settings import Directories, directory_key
from engine.directory.held import Notifications, QuietHours
from engine.directory.messages import (
    ChooseNotifications,
    PauseTwin,
    ProfileLoaded,
    ReadProfiles,
    RecordReading,
    SaveProfile,
)
from engine.directory.profile import Profile, Profiles
from engine.directory.rules import RULEBOOK
from engine.errors import NotAllowed
from engine.facts.data import Days
from engine.kernel import Ask, Command, Tenant
from engine.projections.audit import acts, acts_by
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRun, EffectRunner
from engine.runtime.runtime import Runtime
from engine.store.port import Commit, Store
from tests.profiles.people import person
from tests.store.conftest import STORES

NOON = 1_800_000_000_000
ONE, OTHER = Tenant("T_ONE"), Tenant("T_OTHER")
AYA, EVE = "U_AYA", "U_EVE"
AYAS = "user_agent_aya"


def aya(**fields: Any) -> Profile:
    return person("aya", **{"slack_user": AYA, **fields})


def files(*people: Profile) -> Profiles:
    return Profiles({each.agent_id: each for each in people})


@pytest.fixture(params=STORES)
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    """Opens the same store every time."""
    made: Callable[[Path], Store] = STORES[request.param]
    kept: list[Store] = []

    def new() -> Store:
        if request.param == "memory":
            kept[:] = kept or [made(tmp_path)]
            return kept[0]
        return made(tmp_path)

    return new


@asynccontextmanager
async def filled(
    store: Store, *people: Profile, ask: EffectRunner | None = None
) -> AsyncIterator[tuple[Directories, Runtime]]:
    async with AsyncExitStack() as stack:
        await store.open()
        stack.push_async_callback(store.close)
        clock = JumpingClock(NOON)
        runtime = in_process(store, clock, [RULEBOOK], {"ask": ask} if ask else {}, [Ask] if ask else [])
        stack.push_async_callback(runtime.close)
        await runtime.start()
        yield Directories(runtime, clock, files(*people)), runtime


async def does(runtime: Runtime, command: Command, tenant: Tenant = ONE) -> None:
    await runtime.handle(directory_key(tenant), RULEBOOK.protocol, command)


async def events(store: Store, tenant: Tenant = ONE) -> list[str]:
    return [each.event_type for each in await store.events(tenant, 0, 100)]


async def test_the_same_files_are_loaded_once_and_others_whenever_they_differ(new_store: Callable[[], Store]) -> None:
    for location, loads in (("Berlin", 1), ("Berlin", 1), ("Paris", 2), ("Berlin", 3)):
        store = new_store()
        async with filled(store, aya(location=location)) as (directories, _):
            assert (await directories.asked(ONE))[AYAS].location == location
            assert await events(store) == [ProfileLoaded.event_type] * loads


async def test_whoever_comes_first_fills_it_once(new_store: Callable[[], Store]) -> None:
    store = new_store()
    async with filled(store, aya()) as (directories, _):
        found = await asyncio.gather(*(directories.asked(ONE) for _ in range(20)))

        assert all([*each] == [AYAS] for each in found)
        assert await events(store) == [ProfileLoaded.event_type]


async def test_what_a_person_wrote_is_there_after_a_restart(new_store: Callable[[], Store]) -> None:
    about: dict[str, Any] = {"by": AYA, "agent_id": AYAS, "at": NOON}
    async with filled(new_store(), aya()) as (directories, runtime):
        revision = (await directories.of(ONE)).entry(AYAS).revision
        profile = aya(location="Rome")
        await does(runtime, SaveProfile(command_id="form", profile=profile, revision=revision, **about))
        await does(runtime, PauseTwin(command_id="click", paused=True, **about))

    async with filled(new_store(), aya(location="Oslo")) as (directories, _):
        entry = (await directories.of(ONE)).entry(AYAS)
        assert entry.profile == profile
        assert entry.is_paused
        assert not await directories.asked(ONE)


async def test_tenants_are_apart(new_store: Callable[[], Store]) -> None:
    async with filled(new_store(), aya()) as (directories, runtime):
        await directories.of(ONE)
        await directories.of(OTHER)
        await does(runtime, PauseTwin(command_id="click", by=AYA, at=NOON, agent_id=AYAS, paused=True), OTHER)

        assert [*await directories.asked(ONE)] == [AYAS]
        assert not await directories.asked(OTHER)


async def test_what_people_did_is_on_record_also_what_was_refused_and_never_in_which_words(
    new_store: Callable[[], Store],
) -> None:
    store = new_store()
    async with filled(store, aya()) as (directories, runtime):
        await directories.of(ONE)
        with pytest.raises(NotAllowed):
            await does(runtime, PauseTwin(command_id="1", by=EVE, at=NOON, agent_id=AYAS, paused=True))
        await does(runtime, PauseTwin(command_id="2", by=AYA, at=NOON, agent_id=AYAS, paused=True))
        await does(
            runtime,
            SaveProfile(command_id="3", by=AYA, at=NOON, agent_id=AYAS, profile=aya(location="Rome"), revision=1),
        )

        digest = Notifications(when="digest", quiet=QuietHours(start="22:00", end="07:00"))
        await does(runtime, ChooseNotifications(command_id="4", by=EVE, at=NOON, chosen=digest))

        here = await acts(store, ONE, directory_key(ONE).stream)
        assert [(each.by, each.act, each.agent_id, each.refused, each.changed) for each in here] == [
            (EVE, "pause_twin", AYAS, "NotAllowed", False),
            (AYA, "pause_twin", AYAS, "", True),
            (AYA, "save_profile", AYAS, "", True),
            (EVE, "choose_notifications", "", "", True),
        ]
        assert await acts_by(store, ONE, EVE) == [here[0], here[3]]
        assert "Rome" not in str(here)
        assert "22:00" not in str(here)


async def test_a_person_whose_words_were_erased_is_not_there_any_more(new_store: Callable[[], Store]) -> None:
    store = new_store()
    key = directory_key(ONE)
    async with filled(store, aya()) as (directories, _):
        await directories.of(ONE)
        erased = Commit(key=key, protocol=RULEBOOK.protocol, expected_version=1, erase=(1,))
        await store.commit(erased)

    store = new_store()
    async with filled(store) as (directories, _):
        assert not (await directories.of(ONE)).people
        assert await store.verify(key)


async def test_what_was_being_read_as_the_process_ended_is_read_after_the_next_start_and_kept_once(
    new_store: Callable[[], Store],
) -> None:
    told = aya(from_now_on=("周一不行",))
    key, asked, is_asked = directory_key(ONE), list[str](), asyncio.Event()

    async def hangs(run: EffectRun) -> Command:
        asked.append("hangs")
        is_asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def reads(run: EffectRun) -> Command:
        asked.append("reads")
        [line] = run.state.entry(AYAS).being_read
        read = line.model_copy(update={"data": Days(weekdays=("mon",), allowed=False)})
        return RecordReading(command_id=run.command_id, at=NOON, agent_id=AYAS, limits=(read,), model="claude")

    async with filled(new_store(), told, ask=hangs) as (directories, runtime):
        await directories.of(ONE)
        wanted = ReadProfiles(command_id="r1", at=NOON, agent_ids=(AYAS,), with_model=True)
        await does(runtime, wanted)
        await does(runtime, wanted)
        await is_asked.wait()
    async with filled(store := new_store(), told, ask=reads) as (directories, runtime):
        await runtime.activity.idle()
        await does(runtime, ReadProfiles(command_id="r2", at=NOON, agent_ids=(AYAS,), with_model=True))
        await runtime.activity.idle()
        profile = (await directories.asked(ONE))[AYAS]
        assert [(each.data, each.state) for each in profile.limit_data] == [
            (Days(weekdays=("mon",), allowed=False), "read")
        ]
        assert (await events(store)).count("towow.profile.read") == 1
        assert await store.load(key) is not None
    assert asked == ["hangs", "reads"]
