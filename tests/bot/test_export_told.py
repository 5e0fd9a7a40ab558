"""Whoever asked for a file has it, or is told that they may not have: whatever else fails, and after a restart."""

from collections.abc import Mapping

from bot.demo.demo import CHANNEL
from bot.listeners.export_notes import KIND, PAUSES
from bot.posts.holds import beside
from bot.views.kit.export.form import FORMAT, Format
from engine.store.memory import MemoryStore
from engine.store.memory_sharing import MemorySharing

from .conftest import Begin
from .driver import ALONE, BO, DEMAND, QUIET, YOU, Driver, playing
from .test_export import exports, files, opens, sends, settled

UNSURE = "I cannot tell whether the file arrived. Look at the end of the thread"


async def notes(it: Driver) -> Mapping[str, str]:
    return await it.demo.towow.store.records(it.demo.tenant, KIND)


async def direct(it: Driver, user: str = BO) -> list[str]:
    person = it.demo.person(user)
    return [each.text for each in await person.messages((await person.dm()).id)]


async def test_a_file_that_is_there_leaves_no_note(driver: Begin) -> None:
    it = await settled(driver)

    await exports(it, Format.MARKDOWN, BO)

    assert len(await files(it)) == 1
    assert await notes(it) == {}


async def test_where_posting_is_restricted_the_file_comes_by_direct_message(driver: Begin) -> None:
    it = await settled(driver)
    await it.demo.workspace.admin.restrict(CHANNEL)

    await exports(it, Format.MARKDOWN, BO)

    person = it.demo.person(BO)
    assert len([each for each in await person.messages((await person.dm()).id) if each.files]) == 1
    assert await it.told(BO) == []
    assert not [each for each in await it.everything(YOU) if each.files]
    assert await notes(it) == {}


async def test_where_the_private_sentence_fails_too_a_direct_message_says_it(driver: Begin) -> None:
    it = await settled(driver)
    form = await opens(it, BO)
    await it.demo.workspace.admin.fault("files.completeUploadExternal", "status")
    await it.demo.workspace.admin.fault("chat.postEphemeral", "status")

    await sends(it, form, Format.MARKDOWN, BO)

    assert [each for each in await direct(it) if each.startswith(f"“{DEMAND}”: {UNSURE}")]
    assert await notes(it) == {}


async def test_where_everything_fails_it_is_said_as_soon_as_anything_works(driver: Begin) -> None:
    it = await settled(driver)
    form = await opens(it, BO)
    admin = it.demo.workspace.admin
    await admin.fault("files.completeUploadExternal", "drop_before")
    for method in ("chat.postEphemeral", "conversations.open"):
        await admin.fault(method, "status", times=3)

    await sends(it, form, Format.MARKDOWN, BO)
    assert len(await notes(it)) == 1
    for pause in PAUSES[:3]:
        it.demo.clock.jump(it.demo.clock.now() + pause)
        await it.demo.settle(QUIET)

    assert [each for each in await it.told(BO) if UNSURE in each]
    assert await notes(it) == {}
    assert await files(it) == []


async def test_after_a_stop_in_the_middle_it_is_said_at_the_next_start() -> None:
    store = MemoryStore()
    async with playing(store, policy=ALONE) as begun:
        it = await (await begun.asks()).goes_on()
        form = await opens(it, BO)
        await it.demo.workspace.admin.fault("files.completeUploadExternal", "hold")
        await it.demo.person(BO).submit(form, {FORMAT: {FORMAT: str(Format.MARKDOWN)}})
        assert len(await notes(it)) == 1

    async with playing(store, policy=ALONE) as it:
        await it.demo.settle(QUIET)

        said = [*await direct(it), *await it.told(BO)]
        assert len([each for each in said if UNSURE in each]) == 1
        assert await notes(it) == {}


async def test_nobody_is_told_of_a_file_that_another_process_is_about_to_share() -> None:
    sharing = MemorySharing()
    store = MemoryStore(sharing)
    async with playing(store, policy=ALONE) as begun:
        it = await (await begun.asks()).goes_on()
        form = await opens(it, BO)
        await it.demo.workspace.admin.fault("files.completeUploadExternal", "hold")
        await it.demo.person(BO).submit(form, {FORMAT: {FORMAT: str(Format.MARKDOWN)}})
        [form_id] = await notes(it)
    other = await sharing.join(3_600_000)
    await sharing.hold(beside(it.demo.tenant, f"export/{form_id}"), other)

    async with playing(store, policy=ALONE) as it:
        await it.demo.settle(QUIET)
        assert not [each for each in await direct(it) if UNSURE in each]
        assert len(await notes(it)) == 1

    await sharing.heartbeat(other, 0)
    async with playing(store, policy=ALONE) as it:
        await it.demo.settle(QUIET)
        said = [*await direct(it), *await it.told(BO)]
        assert len([each for each in said if UNSURE in each]) == 1
        assert await notes(it) == {}
