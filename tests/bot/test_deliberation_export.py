"""*Export* on a report: the plan as a file in its thread, in each format, for everybody of this workspace."""

import json
from typing import Any, Final

import pytest
from icalendar import Calendar

from bot.listeners.export_notes import KIND
from bot.local_slack import User
from bot.views.deliberation.values import EXPORT
from bot.views.kit.export.form import FORMAT, Format
from bot.views.kit.handover import PLAN_IT
from engine.store.memory import MemoryStore

from .conftest import Given
from .driver import BO, DEMAND, EVERYBODY, QUIET, YOU, playing, text_of
from .planning import Planned, final_card, key_of, planned
from .roles import LINKED, Role, everybody
from .tame import is_tame, seen
from .test_export import content, files, sends, submitted
from .test_export_told import UNSURE, direct

NO_GUESTS: Final = "Only people of this workspace can export"
GONE: Final = "We cannot find this plan any more. If it still matters, have it planned anew."


async def exports(plan: Planned, wanted: Format, user: str = YOU) -> None:
    assert (await sends(plan.it, await plan.form(user, EXPORT), wanted, user)).acked


async def test_a_plan_is_there_to_be_read_with_how_it_came_about(given: Given) -> None:
    plan = await planned(given)

    await exports(plan, Format.MARKDOWN, BO)

    text = await content(plan.it, BO)
    assert text.startswith(f"# {DEMAND}\n\n**✅ The plan**\n\nAsked by You\n\n")
    assert "- [ ] **Role of aya**: Aya · " in text
    assert "## How it came about" in text
    assert "\\#" not in text, "the report tells the plan once more"
    assert "user\\_agent" not in text
    assert "user_agent" not in text
    [one] = await files(plan.it)
    assert one.name == f"{plan.key.stream}.md"
    assert text_of((await plan.it.thread())[-1]) == f"Exported by <@{BO}>"
    for each in await seen(plan.it):
        is_tame(each)


async def test_its_deadlines_are_there_for_calendars(given: Given) -> None:
    plan = await planned(given)

    await exports(plan, Format.CALENDAR)

    found = Calendar.from_ical(await content(plan.it))
    assert isinstance(found, Calendar)
    assert {str(each.summary) for each in found.events} == {"Role of aya", "Role of bo"}


async def test_it_is_there_for_programs(given: Given) -> None:
    plan = await planned(given)

    await exports(plan, Format.JSON)

    found = json.loads(await content(plan.it))
    assert (found["session"]["session_id"], found["asked_by"]) == (plan.key.stream, YOU)


async def test_an_export_changes_nothing_but_the_thread(given: Given) -> None:
    plan = await planned(given)
    before, thread = await plan.events(), await plan.it.thread()

    await exports(plan, Format.JSON)

    assert await plan.events() == before
    assert (await plan.it.thread())[1:-1] == thread[1:]
    assert await plan.told() == [[]] * len(EVERYBODY)


@everybody
async def test_whoever_is_of_this_workspace_gets_the_file(given: Given, role: Role) -> None:
    plan = await planned(given)
    form = await plan.form(BO, EXPORT)
    if role.home:
        guest = User(id=role.user, name="guest", real_name="A Guest", team_id=role.home)
        await plan.it.demo.workspace.admin.put_user(guest)
    before, thread = await plan.events(), await plan.it.thread()

    answer = await submitted(plan.it, role, form, "markdown")

    if role.home or role.tenant:
        assert (GONE if role.tenant else NO_GUESTS) in answer["errors"][FORMAT]
        assert await plan.it.thread() == thread
    else:
        assert answer == {}
        assert text_of((await plan.it.thread())[-1]) == f"Exported by <@{role.user}>"
    assert await plan.events() == before


@pytest.mark.parametrize("fault", [{"do": "status", "status": 500}, {"do": "error", "error": "missing_scope"}])
async def test_an_upload_that_fails_is_told_to_whoever_wanted_it(given: Given, fault: dict[str, Any]) -> None:
    plan = await planned(given)
    form = await plan.form(BO, EXPORT)
    await plan.it.demo.workspace.admin.fault("files.completeUploadExternal", **fault)

    await sends(plan.it, form, Format.MARKDOWN, BO)

    assert await files(plan.it) == []
    assert len(await plan.it.told(BO)) == 1
    await exports(plan, Format.MARKDOWN, BO)
    assert len(await files(plan.it)) == 1


async def test_after_a_stop_in_the_middle_it_is_said_at_the_next_start() -> None:
    store = MemoryStore()
    async with playing(store, linked=LINKED) as begun:
        it = await (await begun.asks()).goes_on()
        await it.goes(YOU, PLAN_IT, card=await final_card(it))
        form = await Planned(it, key_of(it)).form(BO, EXPORT)
        await it.demo.workspace.admin.fault("files.completeUploadExternal", "hold")
        await it.demo.person(BO).submit(form, {FORMAT: {FORMAT: str(Format.MARKDOWN)}})

    async with playing(store, linked=LINKED) as it:
        await it.demo.settle(QUIET)

        said = [*await direct(it), *await it.told(BO)]
        assert len([each for each in said if UNSURE in each]) == 1
        assert await it.demo.towow.store.records(it.demo.tenant, KIND) == {}
