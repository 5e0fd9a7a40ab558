"""Whoever is needed has it in their calendar if they like, and it changes there, or falls, with the plan."""

import msgspec
from icalendar import Calendar, Event
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.negotiation.invitations import resume
from bot.texts import texts_in
from bot.views.kit.export.form import FORMAT, Format, not_invited
from engine.facts.circumstances import When
from engine.kernel import Tenant
from engine.negotiation.answers import Assignment, ProposalDraft
from engine.negotiation.state import Status

from .conftest import Begin
from .driver import ALONE, AYA, BO, EVE, YOU, Driver
from .script import AGENT
from .test_export import exports, files
from .test_giving_up import form

EVENING = msgspec.convert(
    {"first": "2027-03-14", "last": "2027-03-14", "exact": "day", "start": "19:00", "end": "22:00", "time_zone": "UTC"},
    When,
)


async def settled(driver: Begin) -> Driver:
    it = await driver(policy=ALONE)
    seats = tuple(Assignment(agent_id=f"{AGENT}{each}", role=f"Role of {each}") for each in ("aya", "bo"))
    it.script.says["aggregate"] = ProposalDraft(summary="An evening", assignments=seats, when=EVENING)
    it = await (await it.asks()).goes_on()
    assert (await it.state()).status is Status.FINALIZED
    return it


async def invitations(it: Driver, user: str) -> list[tuple[str, Event]]:
    """What came to somebody's direct messages, by its method."""
    person = it.demo.person(user)
    names = [name for each in await person.messages((await person.dm()).id) for name in each.files]
    found = [Calendar.from_ical(await person.download(each)) for each in names]
    return [(str(each["METHOD"]), each.events[0]) for each in found]


async def test_an_invitation_comes_to_whoever_wants_it_alone(driver: Begin) -> None:
    it = await settled(driver)

    await exports(it, Format.INVITATION, AYA)

    [(method, event)] = await invitations(it, AYA)
    assert (method, event["SEQUENCE"], f"{event.start:%Y-%m-%d %H:%M}") == ("REQUEST", 0, "2027-03-14 19:00")
    assert await files(it) == []
    assert [await invitations(it, each) for each in (BO, EVE, YOU)] == [[], [], []]


async def test_whoever_has_no_part_is_told_so_beside_the_field(driver: Begin) -> None:
    it = await settled(driver)
    outcome = await exports(it, Format.INVITATION, EVE)
    assert outcome.errors == {
        FORMAT: "You have no part in this plan whose day is known, so there is nothing to invite you to. Choose "
        "another format."
    }


async def test_whoever_gives_their_part_up_has_it_taken_out_and_others_keep_it(driver: Begin) -> None:
    it = await settled(driver)
    for each in (AYA, BO, YOU):
        await exports(it, Format.INVITATION, each)

    await it.demo.person(AYA).submit(await form(it, AYA), {})
    await it.settles()

    (_, first), (method, last) = await invitations(it, AYA)
    assert (method, last["UID"], last["SEQUENCE"]) == ("CANCEL", first["UID"], 1)
    assert [[each for each, _ in await invitations(it, user)] for user in (BO, YOU)] == [["REQUEST"], ["REQUEST"]]


async def test_what_slack_did_not_take_is_sent_after_the_next_start(driver: Begin) -> None:
    it = await settled(driver)
    await exports(it, Format.INVITATION, AYA)
    await it.demo.workspace.admin.fault("files.getUploadURLExternal", "error", times=1)
    await it.demo.person(AYA).submit(await form(it, AYA), {})
    await it.settles()
    assert len(await invitations(it, AYA)) == 1

    workspace = it.demo.workspace
    client = AsyncWebClient(workspace.bot_token, workspace.api_url)

    async def clients(_: Tenant) -> AsyncWebClient:
        return client

    for _ in range(2):
        await resume(it.demo.towow.services, clients)
        await it.settles()

    assert [method for method, _ in await invitations(it, AYA)] == ["REQUEST", "CANCEL"]


async def test_where_it_cannot_be_sent_whoever_wants_it_is_told(driver: Begin) -> None:
    it = await settled(driver)
    await it.demo.workspace.admin.fault("files.getUploadURLExternal", "error", times=None)
    await exports(it, Format.INVITATION, AYA)
    person = it.demo.person(AYA)
    said = [each.text for each in await person.messages((await person.dm()).id)]
    assert not_invited(texts_in("en")) in said
