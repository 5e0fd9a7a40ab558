"""*Export*: what was negotiated, as a file in its thread, for everybody who reads there."""

import json
from typing import Any, Final

import pytest
from icalendar import Calendar

from bot.demo.demo import CHANNEL
from bot.local_slack import Channel, File, Message, Outcome, User, View
from bot.views.kit.button_values import StreamButton
from bot.views.kit.export.form import FILES, FORMAT, Format
from bot.views.negotiation.button_values import EXPORT
from engine.kernel import iso
from engine.negotiation.answers import Assignment, Milestone, ProposalDraft, Timeline
from engine.negotiation.state import Status

from .conftest import Begin, Given
from .driver import (
    ADMIN,
    ALONE,
    AYA,
    BO,
    DEMAND,
    EVE,
    EVERYBODY,
    NOON,
    WITHDRAW,
    YOU,
    Driver,
    nothing_changed,
    shows,
    text_of,
)
from .roles import NOT_FOUND, Role, clicks, dispatched, everybody, forms
from .script import AGENT
from .tame import is_tame, seen
from .test_clicks import posted_button

DATED: Final = ProposalDraft(
    summary="A long evening",
    assignments=tuple(Assignment(agent_id=f"{AGENT}{each}", role="Host") for each in ("aya", "bo")),
    timeline=Timeline(
        milestones=(
            Milestone(name="Room booked", date="4 weeks before", day="2027-02-14"),
            Milestone(name="Walk-through <!channel>", date="in good time"),
            Milestone(name="Doors open", date="2027-03-14 18:00", deliverable="food"),
        )
    ),
)
NO_GUESTS: Final = "Only people of this workspace can export what was negotiated here. Ask one of them for the file."
NOTHING: Final = "There is nothing to export here"


async def settled(driver: Begin, *, refuses: str = "", **circumstances: Any) -> Driver:
    """Begin a demand, and go on to a plan that everybody agreed to.

    Args:
        refuses: a method that Slack answers to nobody.
    """
    it = await driver(**{"policy": ALONE} | circumstances)
    if refuses:
        await it.demo.workspace.admin.fault(refuses, "status", times=None)
    it.script.says["aggregate"] = DATED
    it = await (await it.asks()).goes_on()
    assert (await it.state()).status is Status.FINALIZED
    return it


async def failed(given: Given) -> Driver:
    it = await given(alone=("chen",), twins={("chen", 1): "reject"})
    await it.says(AYA, WITHDRAW, "I am away")
    await it.says(BO, WITHDRAW, "I am away, too")
    await it.goes_on()
    await it.stands(Status.FAILED)
    return it


async def outcome_card(it: Driver) -> Message:
    return next(each for each in await it.thread() if shows(each, EXPORT))


async def opens(it: Driver, user: str = YOU) -> View:
    outcome = await it.clicks(user, EXPORT, card=await outcome_card(it))
    assert outcome.modal is not None, outcome
    return outcome.modal


async def sends(it: Driver, form: View, wanted: Format, user: str = YOU) -> Outcome:
    outcome = await it.demo.person(user).submit(form, {FORMAT: {FORMAT: str(wanted)}})
    await it.settles()
    return outcome


async def exports(it: Driver, wanted: Format, user: str = YOU) -> Outcome:
    return await sends(it, await opens(it, user), wanted, user)


async def files(it: Driver, user: str = EVE) -> list[File]:
    """Return the files in the thread that this person can see, without the pictures that come with some."""
    return [each for each in await everything_in_it(it, user) if not each.name.endswith(".png")]


async def everything_in_it(it: Driver, user: str = EVE) -> list[File]:
    names = [name for each in await it.thread(user) for name in each.files]
    found = {each.id: each for each in await it.demo.person(user).files()}
    return [found[each] for each in names]


async def content(it: Driver, user: str = EVE) -> str:
    [one] = await files(it, user)
    return (await it.demo.person(user).download(one.id)).decode()


# ── what there is to export ───────────────────────────────────────────────────────────────────────────────────────────


async def test_the_schedule_comes_as_a_picture_with_what_is_to_be_read_once_and_in_one_message(driver: Begin) -> None:
    it = await settled(driver)
    await exports(it, Format.MARKDOWN)
    await exports(it, Format.JSON)

    [text, picture, data] = await everything_in_it(it)
    assert [each.name.rpartition(".")[2] for each in (text, picture, data)] == ["md", "png", "json"]
    assert (await it.demo.person(EVE).download(picture.id)).startswith(b"\x89PNG")
    assert [len(each.files) for each in await it.thread(EVE) if each.files] == [2, 1]


async def test_a_plan_without_days_has_no_picture(driver: Begin) -> None:
    it = await (await (await driver(policy=ALONE)).asks()).goes_on()
    await exports(it, Format.MARKDOWN)

    assert [each.name.rpartition(".")[2] for each in await everything_in_it(it)] == ["md"]


async def test_a_plan_is_there_to_be_read_by_everybody_in_the_thread(driver: Begin) -> None:
    it = await settled(driver)

    assert (await exports(it, Format.MARKDOWN, AYA)).acked

    text = await content(it, BO)
    assert text.startswith(f"# {DEMAND}\n\n**✅ We have a plan**\n\nAsked by You · Ended on Friday, January 15, 2027\n")
    assert "- **Aya** · Host" in text
    assert "| 4 weeks before | Room booked | – |\n" in text
    assert "\\<!channel\\>" in text
    [one] = await files(it)
    assert (one.name, one.title) == (f"{(await it.state()).demand_id}.md", DEMAND)
    assert text_of((await it.thread())[-1]) == f"Exported by <@{AYA}>"
    assert await forms(it) == []
    for each in await seen(it):
        is_tame(each)


async def test_a_plans_days_are_there_for_calendars_and_what_has_no_day_is_named(driver: Begin) -> None:
    it = await settled(driver)

    await exports(it, Format.CALENDAR)

    found = Calendar.from_ical(await content(it))
    assert isinstance(found, Calendar)
    assert [str(each.summary) for each in found.events] == ["Room booked", "Doors open"]
    assert {iso(int(each.DTSTAMP.timestamp()) * 1000) for each in found.events} == {iso(NOON)}
    message = text_of((await it.thread())[-1])
    assert "*Not in it, for want of a date that a calendar can read*\n• Walk-through &lt;!channel&gt;: in" in message
    for each in await seen(it):
        is_tame(each)


async def test_a_plan_is_there_for_programs(driver: Begin) -> None:
    it = await settled(driver)

    await exports(it, Format.JSON)

    found = json.loads(await content(it))
    state = await it.state()
    assert (found["schema_version"], found["demand_id"], found["outcome"]) == (2, state.demand_id, "consensus")
    assert (found["requester_id"], found["requester_name"]) == (YOU, "You")
    assert found["confirmed_participants"] == [f"{AGENT}aya", f"{AGENT}bo"]


async def test_what_failed_is_there_without_a_calendar(given: Given) -> None:
    it = await failed(given)
    form = await opens(it)
    [field] = [each for each in form.blocks if each["type"] == "input"]
    assert [each["value"] for each in field["element"]["options"]] == ["markdown", "json"]

    await sends(it, form, Format.MARKDOWN)

    text = await content(it)
    assert "## Why there is no plan" in text
    assert "- Aya: I am away\n" in text
    assert "## The last proposal" in text


async def test_it_is_in_the_language_of_the_demand(driver: Begin) -> None:
    it = await (await driver(policy=ALONE)).asks("我需要一个能坐五十人的场地")
    await it.goes_on()

    await exports(it, Format.MARKDOWN)

    assert "**✅ 方案定了**" in await content(it)
    assert text_of((await it.thread())[-1]) == f"由 <@{YOU}> 导出"


async def test_an_export_changes_nothing_but_the_thread(driver: Begin) -> None:
    it = await settled(driver)
    before, thread = await it.events(), await it.thread()

    await exports(it, Format.JSON)

    assert await it.events() == before
    assert (await it.thread())[1:-1] == thread[1:]
    assert not any((await it.whispers()).values())


async def test_nothing_can_be_exported_before_the_end_or_of_what_was_stopped(given: Given) -> None:
    it = await given()
    assert not any(shows(each, EXPORT) for each in await it.thread())
    card = await posted_button(it, EXPORT, StreamButton(stream=it.key.stream).value())

    async with nothing_changed(it, by=AYA, told=NOTHING):
        assert (await it.clicks(AYA, EXPORT, card=card)).acked
    await it.stops(YOU)
    assert not any(shows(each, EXPORT) for each in await it.thread())
    async with nothing_changed(it, by=AYA, told=NOTHING):
        await it.clicks(AYA, EXPORT, card=card)
    assert await forms(it) == []


async def test_where_no_step_has_a_day_the_form_says_so_and_another_format_can_be_chosen(driver: Begin) -> None:
    it = await (await driver(policy=ALONE)).asks()
    await it.goes_on()
    form = await opens(it)

    refused = await sends(it, form, Format.CALENDAR)

    assert "No step of this plan has a date that a calendar could read" in refused.errors[FORMAT]
    assert await files(it) == []
    assert (await sends(it, form, Format.JSON)).errors == {}
    assert len(await files(it)) == 1


# ── once ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_form_that_is_sent_again_because_its_answer_was_lost_is_one_file(driver: Begin) -> None:
    it = await settled(driver)
    form = await opens(it)
    await it.demo.workspace.admin.fault("interactive", "lose_ack")

    assert not (await sends(it, form, Format.MARKDOWN)).acked
    await it.demo.workspace.admin.connected()
    assert (await sends(it, form, Format.MARKDOWN)).acked

    assert len(await files(it)) == 1


async def test_a_form_for_each_is_a_file_for_each(driver: Begin) -> None:
    it = await settled(driver)

    for each in FILES:
        await exports(it, each)

    assert [one.name.rpartition(".")[2] for one in await files(it)] == ["md", "ics", "json"]


# ── who may ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@everybody
async def test_whoever_is_of_this_workspace_opens_the_form(driver: Begin, role: Role) -> None:
    it = await settled(driver)
    await arrives(it, role)
    card = await outcome_card(it)

    if role.home or role.tenant:
        async with nothing_changed(it, by=role.user, told=NOT_FOUND if role.tenant else NO_GUESTS):
            await clicks(it, role, card, EXPORT)
        assert await forms(it) == []
    else:
        await clicks(it, role, card, EXPORT)
        [form] = await forms(it)
        assert form.user == role.user
        assert await it.told(role.user) == []


@everybody
async def test_whoever_is_of_this_workspace_gets_the_file(driver: Begin, role: Role) -> None:
    it = await settled(driver)
    form = await opens(it, ADMIN)
    await arrives(it, role)
    before, thread = await it.events(), await it.thread()

    answer = await submitted(it, role, form, "markdown")

    if role.home or role.tenant:
        assert answer["response_action"] == "errors"
        assert (NOT_FOUND if role.tenant else NO_GUESTS) in answer["errors"][FORMAT]
        assert await it.thread() == thread
    else:
        assert answer == {}
        assert text_of((await it.thread())[-1]) == f"Exported by <@{role.user}>"
    assert await it.events() == before


@pytest.mark.parametrize("wanted", ["calendar", "pdf", ""])
async def test_a_format_that_is_not_offered_is_refused(given: Given, wanted: str) -> None:
    it = await failed(given)
    form = await opens(it)

    answer = await submitted(it, Role("the requester", YOU), form, wanted)

    assert answer["response_action"] == "errors"
    assert await files(it) == []


async def test_a_file_stays_where_the_negotiation_is_wherever_the_button_stood(driver: Begin) -> None:
    it = await settled(driver)
    card = await posted_button(it, EXPORT, StreamButton(stream=it.key.stream).value())
    form = (await it.clicks(EVE, EXPORT, card=card)).modal
    assert form is not None

    await sends(it, form, Format.MARKDOWN, EVE)

    assert len(await files(it)) == 1


async def test_a_negotiation_without_a_message_of_its_own_has_its_files_below_its_card(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    await it.demo.person(YOU).slash(CHANNEL, "/towow", DEMAND)
    await it.settles()
    cards = await it.everything(EVE)

    outcome = await it.clicks(EVE, EXPORT, card=next(each for each in cards if shows(each, EXPORT)))
    assert outcome.modal is not None
    await sends(it, outcome.modal, Format.MARKDOWN, EVE)

    last = (await it.everything(EVE))[-1]
    assert (len(last.files), last.thread_ts) == (1, cards[0].ts)


async def test_where_others_read_along_no_thought_is_in_any_file(driver: Begin) -> None:
    it = await driver(policy=ALONE, alone=("chen",), twins={("chen", 1): "negotiate"})
    shared = Channel(
        id=CHANNEL, name="general", members=[*EVERYBODY, it.demo.workspace.bot_user_id], is_ext_shared=True
    )
    await it.demo.workspace.admin.put_channel(shared)
    it = await it.asks()
    await it.goes_on()
    assert (await it.state()).place.shared

    await exports(it, Format.MARKDOWN)
    await exports(it, Format.JSON)

    for one in await files(it):
        text = (await it.demo.person(EVE).download(one.id)).decode()
        assert "aya says accept" not in text
        assert "chen wants it shorter" in text


# ── what goes wrong ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("method", ["files.getUploadURLExternal", "files.completeUploadExternal"])
@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        pytest.param({"do": "error", "error": "file_not_found"}, "The file could not be put into the thread.", id="no"),
        pytest.param({"do": "status", "status": 429, "retry_after": 3}, "Please try again in a moment.", id="too many"),
        pytest.param({"do": "status", "status": 500}, "I cannot tell whether the file arrived.", id="unsure"),
        pytest.param({"do": "drop_before"}, "I cannot tell whether the file arrived.", id="no answer"),
        pytest.param({"do": "error", "error": "missing_scope"}, "the permission `files:write` is new", id="no scope"),
    ],
)
async def test_an_upload_that_fails_is_told_to_whoever_wanted_it_and_not_tried_again(
    driver: Begin, method: str, fault: dict[str, Any], sentence: str
) -> None:
    it = await settled(driver)
    form = await opens(it, BO)
    await it.demo.workspace.admin.fault(method, **fault)

    async with nothing_changed(it, by=BO, told=sentence):
        await sends(it, form, Format.MARKDOWN, BO)

    assert (await it.demo.workspace.admin.calls())[method] == 1
    assert await files(it) == []
    await exports(it, Format.MARKDOWN, BO)
    assert len(await files(it)) == 1


async def test_an_answer_that_is_lost_after_the_upload_is_told_as_not_known(driver: Begin) -> None:
    it = await settled(driver)
    form = await opens(it, BO)
    await it.demo.workspace.admin.fault("files.completeUploadExternal", "drop_after")

    await sends(it, form, Format.MARKDOWN, BO)

    assert len(await files(it)) == 1
    [told] = await it.told(BO)
    assert "I cannot tell whether the file arrived. Look at the end of the thread" in told


async def test_where_slack_does_not_say_who_asked_nobody_is_named(driver: Begin) -> None:
    it = await settled(driver, refuses="users.info")
    form = await opens(it)

    await sends(it, form, Format.MARKDOWN)

    assert "Asked by" not in await content(it)


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        pytest.param(
            "archived",
            ("The channel is archived, so no file can be put into the thread. Have it unarchived, then export again."),
            id="archived",
        ),
        pytest.param("left", "I am not in the channel, so I cannot put a file into the thread.", id="without us"),
    ],
)
async def test_where_a_channel_is_closed_to_us_it_is_said_in_direct_messages(
    driver: Begin, how: str, sentence: str
) -> None:
    it = await settled(driver)
    form = await opens(it, EVE)
    workspace = it.demo.workspace
    if how == "left":
        await workspace.admin.leave(CHANNEL, workspace.bot_user_id)
    else:
        members = [*EVERYBODY, workspace.bot_user_id]
        await workspace.admin.put_channel(Channel(id=CHANNEL, name="general", members=members, is_archived=True))

    assert (await sends(it, form, Format.MARKDOWN, EVE)).errors == {}

    eve = it.demo.person(EVE)
    [told] = await eve.messages((await eve.dm()).id)
    assert told.text.startswith(f"“{DEMAND}”: {sentence}")
    assert await files(it) == []


async def arrives(it: Driver, role: Role) -> None:
    """Return the workspace that a role comes from."""
    if role.home:
        guest = User(id=role.user, name="guest", real_name="A Guest", team_id=role.home)
        await it.demo.workspace.admin.put_user(guest)


async def submitted(it: Driver, role: Role, form: View, wanted: str) -> dict[str, Any]:
    """Send the form signed by this person, as no client would; return what it is answered."""
    values = {FORMAT: {FORMAT: {"type": "radio_buttons", "selected_option": {"value": wanted}}}}
    shape = form.model_dump(mode="json") | {"state": {"values": values}}
    return await dispatched(it, role, {"type": "view_submission", "view": shape, "response_urls": []})
