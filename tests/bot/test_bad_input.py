"""What nobody should send and somebody will: one clear sentence to whoever sent it; nothing is lost, begun or shown."""

from collections.abc import Awaitable, Callable
from typing import Final

import pytest

from bot.demo.demo import CHANNEL
from engine.negotiation.state import Status

from .conftest import Begin
from .driver import ALONE, EVERYBODY, QUIET, YOU, Driver
from .tame import is_tame, seen

SAY_MORE: Final = (
    "Tell me what you need in a sentence or two (up to 4000 characters): what, for how many, when and where."
)
SHORTEN: Final = "Your message has {} characters, and I read 4000 at most. Shorten it to what you need"
MOST: Final = 40_000
"""Characters, after which Slack cuts a message."""
Way = Callable[[Driver, str], Awaitable[list[str]]]


async def by_mention(it: Driver, text: str) -> list[str]:
    """Mention us, and return what the author alone was told."""
    await it.demo.person().say(CHANNEL, f"<@U_TOWOW> {text}"[:MOST])
    await it.demo.settle(QUIET)
    return await it.told(YOU)


async def by_command(it: Driver, text: str) -> list[str]:
    outcome = await it.demo.person().slash(CHANNEL, "/towow", text[:MOST])
    await it.demo.settle(QUIET)
    return [outcome.message.text] if outcome.message else []


ways = pytest.mark.parametrize("way", [by_mention, by_command], ids=["by mention", "by command"])


@ways
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param("🎉🎉 👍", SAY_MORE, id="emoji"),
        pytest.param(":tada: :+1::skin-tone-2:\n:会議:", SAY_MORE, id="emoji as Slack writes them"),
        pytest.param("1️⃣ ℹ️ 🇩🇪", SAY_MORE, id="emoji with letters and numbers in them"),
        pytest.param("<@U_EVE>  <@U_BO>", SAY_MORE, id="mentions of others"),
        pytest.param("<@U_TOWOW>", SAY_MORE, id="nothing but us"),
        pytest.param("<!channel> <!here> <!subteam^S1>", SAY_MORE, id="calls to everybody"),
        pytest.param("?!…", SAY_MORE, id="punctuation"),
        pytest.param("50", SAY_MORE, id="a number"),
        pytest.param("\u200b\u2060\ufeff\u00ad", SAY_MORE, id="zero width"),
        pytest.param("\u3164\u115f\uffa0", SAY_MORE, id="letters that nobody can see"),
        pytest.param("\u202e\u2066\x07", SAY_MORE, id="control characters"),
        pytest.param("x" * 4_001, SHORTEN.format(4001), id="4,001 characters"),
        pytest.param("需" * 4_001, SHORTEN.format(4001), id="4,001 characters in Chinese"),
        pytest.param("a venue " * MOST, SHORTEN.format("{}"), id="40,000 characters"),
        pytest.param("a" + "\n" * 39_000 + "venue", SHORTEN.format(39006), id="39,000 newlines in it"),
    ],
)
async def test_a_demand_that_cannot_be_read_is_answered_to_its_author_alone(
    driver: Begin, way: Way, text: str, sentence: str
) -> None:
    it = await driver()

    [told] = await way(it, text)

    assert told.startswith(sentence.partition("{}")[0])
    assert await it.negotiations() == []
    everything = [each for reader in EVERYBODY for each in await it.everything(reader)]
    assert {each.user for each in everything if each.visible_to is None} <= {YOU}
    assert {each.visible_to for each in everything if each.user != YOU} == {YOU}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param("", SAY_MORE, id="nothing"),
        pytest.param("  \n ", SAY_MORE, id="blanks"),
    ],
)
async def test_a_mention_that_says_nothing_is_asked_what_it_wants(driver: Begin, text: str, sentence: str) -> None:
    it = await driver()

    assert await by_mention(it, text) == [sentence]
    assert await it.negotiations() == []


READ: Final = [
    pytest.param("x" * 4_000, id="4,000 characters"),
    pytest.param("אני צריך מקום ל-50 איש בברלין, ואולי גם قاعة كبيرة", id="right to left"),
    pytest.param("a \u202evenue\u2066 for\u200f 50\u061c pe\u206aople", id="marks that turn the direction"),
    pytest.param("a ven\u200bue\ufeff for \x00fifty\x07\x1b[31m people\u2060", id="zero width and control"),
    pytest.param("a venue <!channel> <!here|here> <!subteam^S1|@all> @channel @Everyone", id="calls to everybody"),
    pytest.param("ask <@U_EVE> <@U_GONE|gone> in <#C_GENERAL|general> and <#C_ELSE>", id="mentions"),
    pytest.param("see <https://evil.example/?a=1&b=2|here> or <mailto:a@evil.example> <b>", id="links"),
    pytest.param("<!date^1392734382^{date}^https://evil.example|x> a date", id="a date"),
    pytest.param("&lt;!channel&gt; &amp;lt;!here&amp;gt; a venue", id="what is escaped already"),
    pytest.param("```\ncode that swallows `all` *b _i_ ~s~\n> quote\n1. list", id="markup"),
    pytest.param("a venue" + "\n" * 39_000, id="newlines without end"),
    pytest.param("a" + "\n" * 3_000 + "venue", id="newlines in between"),
    pytest.param("z" + "\u0300" * 3_000 + " venue", id="a letter with 3,000 accents"),
    pytest.param("👩‍👩‍👧‍👦🏳️‍🌈" * 300 + "a venue", id="emoji of many parts"),
]


@ways
@pytest.mark.parametrize("text", READ)
async def test_what_can_be_read_is_answered_without_anything_live_in_it(driver: Begin, way: Way, text: str) -> None:
    it = await driver(policy=ALONE)

    told = await way(it, text)

    assert all("subteam" in text and each.startswith("Slack does not say who is in @all") for each in told), told
    [state] = await it.negotiations()
    assert state.status is Status.FINALIZED
    for each in await seen(it):
        is_tame(each)
