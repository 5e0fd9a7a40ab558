"""*Export* on a delivery's report: what was done as a file in its thread, in each format."""

from __future__ import annotations

import json
from typing import Any

import pytest
from icalendar import Calendar

from bot.views.delivery.button_values import EXPORT, STOP
from bot.views.kit.export.form import FORMAT, Format

from .conftest import Begin
from .driver import BO, YOU
from .leading import Led, led
from .roles import Role, dispatched
from .test_leading_rights import arrives, submission
from .ticketing import task


async def ended(begin: Begin) -> Led:
    it = await led(begin, task(deadline="2027-02-05"), task("guests", depends_on=("room",)))
    await it.acts(YOU, STOP)
    return it


async def content(it: Led, wanted: Format) -> str:
    sent = await it.fills(BO, await it.opens(BO, EXPORT), **{FORMAT: str(wanted)})
    assert sent.acked
    [file] = [each for each in await it.it.everything(YOU) if each.files]
    assert file.thread_ts == (await it.posts())["report"].thread_ts
    person = it.it.demo.person(YOU)
    [one] = [each for each in await person.files() if not each.name.endswith(".png")]
    return (await person.download(one.id)).decode()


async def test_it_is_there_to_be_read_by_every_colleague(driver: Begin) -> None:
    text = await content(await ended(driver), Format.MARKDOWN)
    assert text.startswith("# An evening about AI\n\n**⏹ Ended before everything was done**\n\nAsked by You\n\n")
    assert "### 🔵 T-1 Do room" in text


async def test_it_is_there_for_programs(driver: Begin) -> None:
    found: dict[str, Any] = json.loads(await content(await ended(driver), Format.JSON))
    assert [each["ticket_id"] for each in found["tickets"]] == ["T-1", "T-2"]
    assert (found["status"], found["reason"]) == ("incomplete", "stopped")


async def test_its_deadlines_are_there_for_calendars(driver: Begin) -> None:
    found = Calendar.from_ical(await content(await ended(driver), Format.CALENDAR))
    assert isinstance(found, Calendar)
    assert [str(each.summary) for each in found.events] == ["Do room"]


@pytest.mark.parametrize("role", [Role("a guest", "U_EVE", home="T_PARTNER")], ids=["somebody of another company"])
async def test_files_are_for_people_of_this_workspace(driver: Begin, role: Role) -> None:
    it = await ended(driver)
    await arrives(it, role)
    view = submission(EXPORT, {FORMAT: {"selected_option": {"value": "json"}}})
    view["view"]["private_metadata"] = json.dumps({"stream": it.key.stream, "thread": ""})

    answer = await dispatched(it.it, role, view)

    assert answer["errors"][FORMAT].startswith("Only people of this workspace")
    assert not [each for each in await it.it.everything(YOU) if each.files]
