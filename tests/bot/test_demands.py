"""What becomes of what people write to ToWow, in either language."""

from typing import Literal

import pytest

from bot.demo.demo import CHANNEL
from bot.listeners.messages import COMMAND
from bot.listeners.written import in_words, without_mention
from bot.local_slack import Channel, Outcome
from engine.negotiation.events import DemandSubmitted
from engine.negotiation.state import Status

from .conftest import Begin, Given
from .driver import ALONE, AYA, QUIET, YOU, YOUR_TIME_ZONE, Driver, text_of

DEMAND_ZH = "我想在北京办一场50人的AI主题聚会，需要场地和嘉宾"


async def slash(it: Driver, text: str = "", user: str = YOU) -> Outcome:
    outcome = await it.demo.person(user).slash(CHANNEL, "/towow", text)
    await it.demo.settle(QUIET)
    return outcome


async def mention(it: Driver, text: str) -> str:
    """Post a message, and return its ts."""
    said = await it.demo.person().say(CHANNEL, text)
    await it.demo.settle(QUIET)
    return said.ts


@pytest.mark.parametrize("text", ["", "help", "HELP ", "?", "帮助"])
async def test_the_command_explains_itself_to_whoever_asks(driver: Begin, text: str) -> None:
    it = await driver()

    outcome = await slash(it, text, user=AYA)

    assert outcome.message is not None
    assert outcome.message.visible_to == AYA
    assert "/towow" in outcome.message.text
    assert await it.negotiations() == []


async def test_help_is_a_command_and_no_demand(driver: Begin) -> None:
    it = await driver()

    await mention(it, "<@U_TOWOW> help")

    [told] = await it.told(YOU)
    assert told.startswith("*ToWow helps a group agree.*")
    assert await it.negotiations() == []


@pytest.mark.parametrize("text", ["help me move on Friday", "Hello, I need a venue", "Hello!", "谢谢～"])
async def test_everything_else_is_read_by_a_model(given: Given, text: str) -> None:
    it = await given(text, policy=ALONE)

    assert (await it.state()).raw_input == text


async def test_a_command_starts_a_thread_of_its_own_in_the_channel(driver: Begin) -> None:
    it = await driver(policy=ALONE)

    outcome = await slash(it, "A venue for 50 people")

    assert outcome.acked
    assert outcome.message is None
    [state] = await it.negotiations()
    assert (state.status, state.requester_id, state.raw_input) == (Status.FINALIZED, YOU, "A venue for 50 people")
    [root] = await it.demo.person().messages(CHANNEL)
    assert root.reply_count == 3


async def test_two_commands_with_the_same_words_are_two_demands(driver: Begin) -> None:
    it = await driver(policy=ALONE)

    await slash(it, "A venue for 50 people")
    await slash(it, "A venue for 50 people")

    assert len({each.channel_id for each in await it.negotiations()}) == 2


async def test_4000_characters_are_read_and_shown(given: Given) -> None:
    it = await given("x" * 4_000, policy=ALONE)

    state = await it.stands(Status.FINALIZED)
    assert len(state.raw_input) == 4_000
    assert len(await it.thread()) == 5
    assert "xxx…" in await it.root()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Bread & <butter> for *all* of _us_ `now`", id="what Slack escapes and marks"),
        pytest.param("A venue, @channel! @here @everyone", id="calls to everybody"),
        pytest.param("Ask @Eve, and see https://example.org/a?b=1&c=2 or http://localhost.", id="links"),
        pytest.param("line one\nline two\n\n\n\nline three", id="several lines"),
        pytest.param("${money} {braces} %s %(percent)s </demand> \\ [bold]", id="other people's templates"),
    ],
)
async def test_a_demand_is_taken_as_it_was_typed_and_shown_without_any_power(given: Given, text: str) -> None:
    it = await given(text, policy=ALONE)

    [submitted] = await it.happened(DemandSubmitted)
    assert submitted.raw_input == text
    await it.stands(Status.FINALIZED)
    ours = "\n".join(text_of(each) + each.text for each in (await it.thread())[1:])
    for live in ("<!channel>", "@here", "@everyone", "<@U_EVE>"):
        assert live not in ours


async def test_a_demand_is_dated_in_the_time_zone_of_whoever_asked(given: Given) -> None:
    it = await given(policy=ALONE)

    [submitted] = await it.happened(DemandSubmitted)
    assert submitted.asked_at > 0
    assert submitted.time_zone == YOUR_TIME_ZONE


@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        pytest.param("<http://towow.example|towow.example>", "towow.example", id="a bare domain"),
        pytest.param("<mailto:bo@example.org|bo@example.org>", "bo@example.org", id="an address"),
        pytest.param("<tel:+4930123|+49 30 123>", "+49 30 123", id="a number"),
        pytest.param("<https://x.example/b?a&amp;b|this brief>", "this brief (https://x.example/b?a&b)", id="words"),
        pytest.param("<https://www.x.example/|X.example>", "X.example", id="words that are the address"),
        pytest.param("<mailto:bo@x.example|write to Bo>", "write to Bo (bo@x.example)", id="an address with words"),
        pytest.param("<mailto:bo@x.example>", "bo@x.example", id="an address alone"),
        pytest.param("<!here> <!channel|@channel>", "@here @channel", id="calls"),
        pytest.param("by <!date^1^{date}^https://x.example|Friday>", "by Friday", id="a date"),
        pytest.param("ask <@U_GONE|gone> or <!subteam^S1|@design>", "ask @gone or @design", id="names"),
        pytest.param("a <b> and <>", "a <b> and <>", id="what is no mark"),
        pytest.param("<#C_GENERAL|general> or <#C_OTHER>", "#general or #C_OTHER", id="channels"),
        pytest.param("&lt;https://a.example&gt; &amp;amp;", "<https://a.example> &amp;", id="brackets of one's own"),
    ],
)
def test_what_slack_made_of_it_is_undone(stored: str, typed: str) -> None:
    assert in_words(without_mention(f"<@U_TOWOW|towow> {stored}", "U_TOWOW")) == typed


async def test_the_thread_of_a_chinese_demand_is_in_chinese(given: Given) -> None:
    it = await given(DEMAND_ZH, policy=ALONE)

    _, root, offers, proposal, outcome = await it.thread()

    assert "已达成一致" in text_of(root)
    assert "参与" in text_of(offers)
    assert "第 1 版方案" in text_of(proposal)
    assert "方案定了" in text_of(outcome)


async def test_a_mention_in_the_middle_of_a_sentence_counts(given: Given) -> None:
    it = await given("please find a venue, <@U_TOWOW>!", policy=ALONE)

    assert (await it.state()).raw_input == "please find a venue,  !"


async def test_a_mention_inside_of_a_thread_stays_there(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    start = await mention(it, "Does anybody know a room?")

    await it.demo.person().say(CHANNEL, "<@U_TOWOW> find us a venue", thread_ts=start)
    await it.demo.settle(QUIET)

    [state] = await it.negotiations()
    assert state.place.thread == start
    assert len(await it.demo.person().messages(CHANNEL)) == 1


async def test_what_is_not_said_to_us_is_not_heard(driver: Begin) -> None:
    it = await driver()

    ts = await mention(it, "I need a venue for 50 people")
    await it.demo.person().edit((await it.demo.person().thread(CHANNEL, ts))[0], "<@U_TOWOW> I need a venue")
    await it.demo.settle(QUIET)

    assert await it.negotiations() == []
    assert (await it.demo.workspace.admin.status()).lost == []


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"bot_id": "B_OTHER"}, id="another bot"),
        pytest.param({"bot_id": "B_TOWOW", "user": "U_TOWOW"}, id="ourselves"),
        pytest.param({"subtype": "channel_join"}, id="a notice of Slack's"),
    ],
)
async def test_bots_start_nothing(driver: Begin, more: dict[str, object]) -> None:
    it = await driver()
    event = {"type": "app_mention", "channel": CHANNEL, "user": YOU, "ts": "1.1", "text": "<@U_TOWOW> a venue"}

    await it.demo.workspace.admin.announce(event | {"event_ts": "1.1"} | more)
    await it.demo.settle(QUIET)

    assert await it.negotiations() == []
    assert await it.told(YOU) == []


@pytest.mark.parametrize("fault", ["lose_ack", "drop_sent"])
async def test_a_mention_that_is_delivered_again_starts_one_negotiation(
    driver: Begin, fault: Literal["lose_ack", "drop_sent"]
) -> None:
    it = await driver(policy=ALONE, linked=(), alone=("chen", "dee"))
    workspace = it.demo.workspace
    await workspace.admin.fault("events_api", fault)

    after = await it.asks()

    # Besides the mention, twice, Slack tells of our own message to whoever asked.
    assert (await workspace.admin.calls())["events_api"] == 3
    [state] = await after.negotiations()
    assert state.status is Status.FINALIZED
    assert len(await after.thread()) == 5
    assert len(await after.happened(DemandSubmitted)) == 1


async def test_a_command_where_we_cannot_be_seen_says_how_to_change_that(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.put_channel(
        Channel(id="C_SECRET", name="secret", members=[YOU], has_bot=False, is_private=True)
    )

    outcome = await it.demo.person(YOU).slash("C_SECRET", COMMAND, "a venue for fifty people")

    assert outcome.acked
    assert outcome.message is not None
    assert "Invite me with `/invite @ToWow`" in outcome.message.text
    assert await it.begun() == 0


async def test_a_command_whose_answer_was_lost_is_one_demand(driver: Begin) -> None:
    it = await driver(policy=ALONE)
    await it.demo.workspace.admin.fault("slash_commands", "lose_ack")

    outcome = await slash(it, "A venue for 50 people")

    assert not outcome.acked
    assert len(await it.negotiations()) == 1
