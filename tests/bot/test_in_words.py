"""What people write is read as everybody sees it: with names and addresses, with what is forwarded, with blocks."""

from typing import Any, Final

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.demo.demo import CHANNEL
from bot.listeners.written import DEEPEST, in_words, shown_text
from bot.local_slack import Channel, Message, UserGroup
from bot.views.kit.export.form import Format
from bot.views.negotiation.demand.demand_form import FROM_MESSAGE, WHAT
from engine.negotiation.state import Status

from .conftest import Begin
from .driver import ALONE, AYA, BO, EVE, YOU, Driver, text_of
from .test_export import exports, files

GROUP: Final = UserGroup(id="S_DESIGN", handle="design", users=[BO])
RAW: Final = ("U_EVE", "S_DESIGN", "subteam", "<!here", "!date")


async def seen(it: Driver) -> str:
    """Return all that anybody sees of ours, notifications too."""
    ours = [each for user in (YOU, AYA, EVE) for each in await it.everything(user) if each.metadata]
    return "\n".join(f"{each.text}\n{text_of(each)}" for each in ours)


async def test_people_groups_calls_and_dates_are_names_and_words_wherever_they_are_shown(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    await it.demo.workspace.admin.put_user_group(GROUP)
    it = await it.asks("Ask @aya, @eve and <!subteam^S_DESIGN|@design>, @here, by <!date^1^{date}|Friday>: a venue")

    assert (await it.state()).raw_input == "Ask @Aya, @Eve and @design, @here, by Friday: a venue"
    await it.stands(Status.FINALIZED)
    assert not [raw for raw in RAW if raw in await seen(it)]
    for wanted in (Format.MARKDOWN, Format.JSON):
        await exports(it, wanted)
    for each in await files(it):
        content = (await it.demo.person(EVE).download(each.id)).decode()
        assert not [raw for raw in RAW if raw in content.replace(f'"{EVE}"', "")]


async def test_a_linked_person_who_is_mentioned_is_called_as_in_their_profile(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    aya = next(each for each in await it.demo.person(YOU).users() if each.id == AYA)
    await it.demo.workspace.admin.put_user(aya.model_copy(update={"display_name": "the one with the venue"}))

    it = await it.asks("Ask @aya for a venue")

    assert (await it.state()).raw_input == "Ask @Aya for a venue"


async def test_where_slack_says_no_name_it_is_somebody(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    await it.demo.workspace.admin.fault("users.info", "error", error="user_not_found", times=None)
    await it.demo.workspace.admin.fault("usergroups.list", "error", error="missing_scope", times=None)
    await it.demo.workspace.admin.put_user_group(GROUP)

    it = await it.asks("Ask @eve or @design for a venue")

    assert (await it.state()).raw_input == "Ask @somebody or @a group for a venue"


async def test_a_channel_is_called_by_its_name_where_everybody_may_know_it(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    for channel in (Channel(id="C_HELP", name="help"), Channel(id="C_SECRET", name="secret", is_private=True)):
        await it.demo.workspace.admin.put_channel(channel)

    it = await it.asks("As in #help, <#C_SECRET>, <#C_NOWHERE|> and <#C_ELSE|else>: a venue")

    assert (await it.state()).raw_input == "As in #help, #a channel, #a channel and #else: a venue"
    for raw in ("C_HELP", "C_SECRET", "secret", "C_NOWHERE"):
        assert raw not in await seen(it)


async def test_mentions_alone_are_no_demand(driver: Begin) -> None:
    it = await driver(policy=ALONE)

    await it.demo.person(YOU).say(CHANNEL, "<@U_TOWOW> @eve @here")
    await it.settles()

    assert await it.begun() == 0


# ── what is forwarded, and what apps post ─────────────────────────────────────────────────────────────────────────


async def test_a_mention_with_a_forwarded_message_is_about_what_is_forwarded(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    theirs = await it.demo.person(BO).say(CHANNEL, "A venue for 50 people by <https://x.example/a|this brief>")

    await it.demo.person(YOU).say(CHANNEL, "<@U_TOWOW> please take care of this", forwards=theirs)
    await it.settles()

    [state] = await it.negotiations()
    brief = "A venue for 50 people by this brief (https://x.example/a)"
    assert state.raw_input == f"please take care of this\n\nBo: {brief}"


async def test_a_forwarded_message_alone_is_enough(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    theirs = await it.demo.person(BO).say(CHANNEL, "A venue for 50 people")

    await it.demo.person(YOU).say(CHANNEL, "<@U_TOWOW>", forwards=theirs)
    await it.settles()

    assert [each.raw_input for each in await it.negotiations()] == ["Bo: A venue for 50 people"]


async def alert(it: Driver, *blocks: dict[str, Any], text: str = "") -> Message:
    """Have an app post blocks."""
    client = AsyncWebClient(it.demo.workspace.bot_token, it.demo.workspace.api_url)
    posted = await client.chat_postMessage(channel=CHANNEL, text=text or None, blocks=[*blocks])
    return next(each for each in await it.demo.person(YOU).messages(CHANNEL) if each.ts == posted["ts"])


async def test_a_demand_is_made_of_what_an_app_shows(driver: Begin) -> None:
    it = await driver()
    posted = await alert(
        it,
        {"type": "header", "text": {"type": "plain_text", "text": "Room 5 & 6"}},
        {"type": "section", "text": {"type": "mrkdwn", "text": "Closed by <https://x.example/a|the landlord>"}},
        text="A notification",
    )

    form = (await it.demo.person(YOU).shortcut(FROM_MESSAGE, posted)).modal

    assert form is not None
    assert form.values[WHAT][WHAT]["value"] == "Room 5 & 6\nClosed by the landlord (https://x.example/a)"


def plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}


def rich(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [*elements]}]}


def item(text: str) -> dict[str, Any]:
    return {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}


BLOCKS: Final = [
    pytest.param(
        [rich({"type": "text", "text": "ask "}, {"type": "user", "user_id": "U1"}, {"type": "emoji", "name": "tada"})],
        "ask @Una:tada:",
        id="rich text",
    ),
    pytest.param(
        [rich({"type": "link", "url": "https://x.example/?a&b", "text": "here"}, {"type": "text", "text": " <b>"})],
        "here (https://x.example/?a&b) <b>",
        id="a link",
    ),
    pytest.param(
        [rich({"type": "broadcast", "range": "here"}, {"type": "usergroup", "usergroup_id": "S1"},
              {"type": "channel", "channel_id": "C1"}, {"type": "date", "timestamp": 1, "fallback": "Friday"})],
        "@here@design#C1Friday",
        id="calls, groups, channels and dates",
    ),
    pytest.param(
        [{"type": "rich_text", "elements": [
            {"type": "rich_text_list", "style": "ordered", "elements": [item("one"), item("two")]},
            {"type": "rich_text_list", "style": "bullet", "indent": 1, "elements": [item("three")]},
            {"type": "rich_text_quote", "elements": [{"type": "text", "text": "said"}]},
            {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "code"}]},
        ]}],
        "1. one\n2. two\n  • three\n> said\ncode",
        id="lists, quotes and code",
    ),
    pytest.param([{"type": "section", "fields": [plain("Who"), plain("Bo")]}], "Who\nBo", id="fields"),
    pytest.param(
        [{"type": "context", "elements": [{"type": "mrkdwn", "text": "by"}, {"type": "image", "alt_text": "x"},
                                          plain("Bo")]}],
        "by Bo",
        id="a context",
    ),
    pytest.param(
        [{"type": "table", "rows": [
            [{"type": "raw_text", "text": "Room"}, {"type": "raw_text", "text": "Seats"}],
            [rich({"type": "text", "text": "A"}), {"type": "raw_text", "text": "50"}],
        ]}],
        "Room | Seats\nA | 50",
        id="a table",
    ),
    pytest.param([{"type": "markdown", "text": "**Host** <b>"}], "**Host** <b>", id="Markdown"),
    pytest.param(
        [{"type": "image", "title": plain("The plan"), "alt_text": "a room"}], "The plan\na room", id="an image"
    ),
    pytest.param(
        [{"type": "container", "title": plain("More"), "child_blocks": [{"type": "section", "text": plain("inside")}]}],
        "More\ninside",
        id="a container",
    ),
    pytest.param(
        [{"type": "plan", "title": "Plan", "tasks": [
            {"type": "task_card", "title": "Do it", "details": rich({"type": "text", "text": "soon"})}
        ]}],
        "Plan\nDo it\nsoon",
        id="a plan",
    ),
    pytest.param([{"type": "of_tomorrow", "title": plain("New")}], "New", id="a kind of tomorrow"),
    pytest.param(
        [{"type": "actions", "elements": [{"type": "button", "text": plain("Go")}]}, {"type": "divider"}],
        "",
        id="buttons and lines",
    ),
    pytest.param([7, None, {"type": 7}, {"type": "section", "text": 7}, {"type": "table", "rows": [7]}], "", id="junk"),
]  # fmt: skip


@pytest.mark.parametrize(("blocks", "shown"), BLOCKS)
def test_what_blocks_show_is_read(blocks: list[Any], shown: str) -> None:
    names = {"U1": "Una", "S1": "design"}
    assert in_words(shown_text({"text": "a notification", "bot_id": "B1", "blocks": blocks} if shown else
                               {"bot_id": "B1", "blocks": blocks}), names).strip() == shown  # fmt: skip


@pytest.mark.parametrize(
    ("attachment", "shown"),
    [
        pytest.param({"pretext": "P", "title": "T", "text": "x", "fields": [{"title": "a", "value": "b"}]},
                     "P\nT\nx\na: b", id="of an app"),
        pytest.param({"fallback": "only this"}, "only this", id="with a fallback alone"),
        pytest.param({"blocks": [{"type": "section", "text": plain("x")}]}, "x", id="with blocks"),
        pytest.param({"is_share": True, "author_name": "Bo", "text": "notice", "message_blocks": [
            {"message": {"blocks": [{"type": "section", "text": plain("shown")}]}}]}, "Bo: shown", id="forwarded"),
        pytest.param({"text": 7, "blocks": 7, "message_blocks": [{"message": 7}, 7], "fields": 7}, "7", id="junk"),
    ],
)  # fmt: skip
def test_what_is_attached_is_read(attachment: dict[str, Any], shown: str) -> None:
    assert in_words(shown_text({"bot_id": "B1", "attachments": [attachment]})) == shown


def test_a_preview_of_a_link_is_no_part_of_what_a_person_says() -> None:
    preview = {"from_url": "https://x.example", "title": "X", "text": "about X"}
    assert shown_text({"text": "see <https://x.example>", "attachments": [preview]}) == "see <https://x.example>"


def test_however_deep_blocks_are_they_are_read_at_once() -> None:
    block: dict[str, Any] = {"type": "section", "text": plain("deep")}
    for _ in range(10 * DEEPEST):
        block = {"type": "container", "child_blocks": [block] * 2}
    assert shown_text({"bot_id": "B1", "blocks": [block]}) == ""
