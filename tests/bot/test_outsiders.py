"""People of other companies, who read along in a shared channel: they ask for nothing, and read no twin's thoughts."""

import json

import pytest

from bot.demo.demo import CHANNEL
from bot.local_slack import Channel, User
from bot.views.deliberation.values import ASK, EXPORT, POINT
from bot.views.kit.button_values import SHOW_ALL
from bot.views.kit.export.form import Format
from engine.errors import ModelUnavailable
from tests.api.test_slack import SECRET, both, delivers, mention

from .conftest import Begin, Given
from .driver import ALONE, AYA, BO, EVE, EVERYBODY, QUIET, YOU, Driver, presses, shows, text_of, texts_of
from .planning import planned
from .test_export import files, sends

PARTNER = User(id=EVE, name="guest", real_name="A Guest", team_id="T_PARTNER")
SHARED = Channel(id=CHANNEL, name="general", members=[*EVERYBODY], is_ext_shared=True)


async def test_whoever_is_of_another_company_cannot_ask_here_and_is_told_why(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.put_channel(SHARED)
    await it.demo.workspace.admin.put_user(PARTNER)

    await it.demo.person(EVE).say(CHANNEL, "<@U_TOWOW> a venue for 50")
    await it.demo.settle(QUIET)

    assert await it.negotiations() == []
    [told] = await it.told(EVE)
    assert "I only take demands from people of this workspace" in told


@pytest.mark.parametrize("how", ["mention", "command"])
async def test_in_a_shared_channel_twins_keep_their_reasons_to_themselves(driver: Begin, how: str) -> None:
    it = await driver(twins={("bo", 1): "negotiate"}, alone=("chen",))
    await it.demo.workspace.admin.put_channel(SHARED)
    if how == "mention":
        await it.demo.person(YOU).say(CHANNEL, "<@U_TOWOW> a venue for 50")
    else:
        await it.demo.person(YOU).slash(CHANNEL, "/towow", "a venue for 50")
    await it.demo.settle(QUIET)
    [state] = await it.negotiations()
    assert state.place.shared

    shown = "\n".join(text_of(each) for each in await it.everything(EVE))

    assert "aya says accept" not in shown
    assert "bo says negotiate" not in shown
    assert "bo wants it shorter" in shown  # a wish is part of the plan
    assert "Asked because" not in shown


async def test_where_slack_does_not_say_who_reads_along_it_is_taken_for_shared(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.fault("conversations.info", "status")

    await it.demo.person(YOU).slash(CHANNEL, "/towow", "a venue for 50")
    await it.demo.settle(QUIET)

    [state] = await it.negotiations()
    assert state.place.shared


async def test_among_ourselves_the_reasons_are_shown(driver: Begin) -> None:
    it = await driver(fails={"feedback/bo": ModelUnavailable("down")})
    await it.demo.person(YOU).slash(CHANNEL, "/towow", "a venue for 50")
    await it.demo.settle(QUIET)

    [state] = await it.negotiations()
    shown = "\n".join(text_of(each) for each in await it.everything(AYA))

    assert not state.place.shared
    assert "aya says accept" in shown


async def shares(it: Driver, partner: bool = True) -> None:
    """Share the channel with another company, of which somebody is there."""
    await it.demo.workspace.admin.put_channel(SHARED)
    if partner:
        await it.demo.workspace.admin.put_user(PARTNER)


async def mentions_with_a_file(it: Driver, user: str, text: str, thread: str | None = None) -> None:
    """Say something with a file: Slack does not say whose company its author is of."""
    person = it.demo.person(user)
    file = await person.upload("brief.txt", b"brief")
    await person.say(CHANNEL, f"<@U_TOWOW> {text}", thread, files=[file])
    await it.settles()


@pytest.mark.parametrize("text", ["a venue for 50", "plan: a venue for 50", "deliver: a venue for 50", "status"])
async def test_with_a_file_whoever_is_of_another_company_begins_nothing_either(driver: Begin, text: str) -> None:
    it = await driver(policy=ALONE)
    await shares(it)
    start = await it.demo.person(YOU).say(CHANNEL, "Who knows a venue?")
    await it.demo.person(AYA).say(CHANNEL, "I may", start.ts)

    await mentions_with_a_file(it, EVE, text, start.ts)

    assert await it.begun() == 0
    [told] = await it.told(EVE)
    assert "I only take demands from people of this workspace" in told


async def test_an_edit_that_adds_the_mention_sends_nobody_of_another_company_round_in_circles(driver: Begin) -> None:
    """A new message of theirs would begin nothing either."""
    it = await driver(policy=ALONE)
    await shares(it)
    partner = it.demo.person(EVE)
    message = await partner.say(CHANNEL, "A venue for 50 people")

    await partner.edit(message, "<@U_TOWOW> A venue for 50 people")
    await it.settles()

    [told] = await it.told(EVE)
    assert "I only take demands from people of this workspace" in told


async def test_with_a_file_nobody_of_another_company_is_asked_for_help(given: Given) -> None:
    it = await given()
    await shares(it)

    await mentions_with_a_file(it, EVE, "can I help?", (await it.thread())[0].ts)

    said = [each for each in await it.demo.person(EVE).thread(CHANNEL, (await it.thread())[0].ts) if each.visible_to]
    assert said
    assert not any("Offer help" in text_of(each) for each in said)


async def test_with_a_file_one_of_us_asks_as_ever(driver: Begin) -> None:
    it = await driver(policy=ALONE, linked=(), alone=("chen",))  # nobody whose status in Slack is looked at
    await shares(it)

    await mentions_with_a_file(it, YOU, "a venue for 50")
    asked = (await it.demo.workspace.admin.calls())["users.info"]
    await mentions_with_a_file(it, YOU, "a venue for 60")

    assert await it.begun() == 2
    assert (await it.demo.workspace.admin.calls())["users.info"] == asked, "Slack was asked again"


async def test_until_slack_says_whose_company_they_are_of_nobody_begins_anything(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    await shares(it)
    start = await it.demo.person(YOU).say(CHANNEL, "Who knows a venue?")
    await it.demo.person(AYA).say(CHANNEL, "I may", start.ts)
    await it.demo.workspace.admin.fault("users.info", "error", error="user_not_found", times=None)

    await mentions_with_a_file(it, AYA, "a venue for 50", start.ts)

    assert await it.begun() == 0
    [told] = await it.told(AYA)
    assert "Slack does not say just now which company you belong to" in told

    await it.demo.workspace.admin.clear_faults()
    await mentions_with_a_file(it, AYA, "a venue for 50", start.ts)
    assert await it.begun() == 1


@pytest.mark.parametrize("action", [POINT, ASK])
async def test_nobody_of_another_company_says_anything_to_a_plan_of_nobody_here(driver: Begin, action: str) -> None:
    it = await driver(policy=ALONE)
    await shares(it)
    await it.demo.person(YOU).say(CHANNEL, "<@U_TOWOW> plan: a workshop in Berlin")
    await it.settles()
    card = next(each for each in await it.everything(EVE) if shows(each, action))

    assert (await presses(it.demo.person(EVE), card, action)).modal is None
    await it.settles()

    [told] = await it.told(EVE)
    assert "That is for somebody else, so nothing was changed." in told
    assert (await presses(it.demo.person(BO), card, action)).modal is not None


async def test_what_a_card_had_no_room_for_has_no_reasons_either_for_another_company(given: Given) -> None:
    """The event that the channel is shared never came, and nothing was posted since."""
    it = await given()
    await it.goes_on()
    await shares(it)
    card = next(each for each in await it.thread() if shows(each, SHOW_ALL) and "round 1" in text_of(each))
    seen = {}
    for user in (YOU, EVE):
        opened = (await it.demo.person(user).click(CHANNEL, card.ts, SHOW_ALL)).modal
        assert opened is not None
        seen[user] = "\n".join(texts_of(opened.blocks))

    assert "aya says accept" in seen[YOU]
    assert "aya says accept" not in seen[EVE]
    assert "Aya" in seen[EVE]


@pytest.mark.parametrize("wanted", [Format.MARKDOWN, Format.JSON])
async def test_what_was_argued_is_exported_to_whoever_wants_it_alone(given: Given, wanted: Format) -> None:
    plan = await planned(given)
    await shares(plan.it)
    await plan.it.demo.workspace.admin.share(CHANNEL)
    await plan.it.settles()
    assert (await plan.state()).place.shared

    assert (await sends(plan.it, await plan.form(YOU, EXPORT), wanted, YOU)).acked
    await plan.it.settles()

    assert await files(plan.it) == []
    person = plan.it.demo.person(YOU)
    [had] = [each for each in await person.messages((await person.dm()).id) if each.files]
    assert f"Exported by <@{YOU}>" in text_of(had)


@pytest.mark.parametrize(("user", "begun"), [(EVE, 0), (YOU, 1)], ids=["of another company", "one of us"])
async def test_over_http_slack_is_asked_too(user: str, begun: int) -> None:
    async with both(signing_secret=SECRET, policy=ALONE) as (it, session):
        await shares(it)
        body = json.loads(mention(it))
        said = {name: value for name, value in body["event"].items() if name != "team"}
        body |= {"event": said | {"user": user, "subtype": "file_share", "files": []}, "is_ext_shared_channel": True}

        assert (await delivers(it, session, json.dumps(body).encode()))[0] == 200

        assert await it.begun() == begun
