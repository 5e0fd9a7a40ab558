"""Above the composer of their direct messages, everybody is suggested what they can say, in their language."""

from typing import Any

import pytest
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.conversation import answer_to
from bot.listeners.deliberation.planning import CONVERSATION as PLANNING
from bot.listeners.negotiation.demand import STATUS
from bot.registry import PROTOCOLS
from bot.slack.bolt import bolt_app
from bot.texts import texts_in
from bot.views.deliberation.forms import prompts as about_plans
from bot.views.kit.prompts import LONGEST_TITLE, MOST, Prompt, shown
from bot.views.negotiation.demand.demand_form import prompts as about_demands
from engine.facts.language import Language

from .conftest import Begin, Given
from .driver import AYA, EVE, YOU, Driver

NOBODY_WAITS = ["Find people for an evening", "Argue a plan out", "What can you do?"]


async def suggested(it: Driver, user: str) -> list[dict[str, str]]:
    """Open the direct messages with ToWow, and read what is suggested there."""
    person = it.demo.person(user)
    channel = await person.dm()
    await person.open_home(tab="messages")
    await it.settles()
    await it.demo.towow.services.background.activity.idle()
    return [one for each in await person.prompts() if each.channel == channel.id for one in each.prompts]


def titles(prompts: list[dict[str, str]]) -> list[str]:
    return [each["title"] for each in prompts]


async def test_whoever_has_nothing_is_told_what_they_can_ask_for(driver: Begin) -> None:
    it = await driver()
    prompts = await suggested(it, EVE)
    assert titles(prompts) == NOBODY_WAITS
    [about] = [each.title for each in await it.demo.person(EVE).prompts()]
    assert about == "What do you need?"


async def test_what_waits_for_somebody_comes_first(given: Given) -> None:
    it = await given(alone=("chen",))
    assert titles(await suggested(it, AYA))[0] == "1 vote waits for me"
    assert titles(await suggested(it, YOU))[:2] == ["1 vote waits for me", "How do my demands stand?"]
    assert titles(await suggested(it, EVE)) == NOBODY_WAITS


async def test_it_is_suggested_in_their_language(driver: Begin) -> None:
    it = await driver(locales={EVE: "zh-CN"})
    prompts = await suggested(it, EVE)
    assert prompts[0]["title"] == "为一场活动找人"
    assert prompts[-1] == {"title": "你能做什么？", "message": "帮助"}


async def test_what_is_suggested_can_be_sent_as_it_is(given: Given) -> None:
    it = await given(alone=("chen",))
    [vote, *_] = await suggested(it, YOU)
    person = it.demo.person(YOU)
    said = await person.say((await person.dm()).id, vote["message"])
    await it.settles()
    answers = [each for each in await person.messages(said.channel) if each.ts > said.ts]
    assert any("round 1, open until" in each.text for each in answers)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_suggested_is_understood(language: Language) -> None:
    texts = texts_in(language)
    votes, demands, _ = about_demands(2, has_asked=True, texts=texts)
    assert {votes.message, demands.message} <= STATUS
    [plan] = about_plans(texts)
    assert plan.message.startswith(tuple(PLANNING.first_words))
    *_, help_ = shown((), texts)
    assert answer_to(help_.message, lambda: "how it works") == "how it works"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_slack_takes_them(language: Language) -> None:
    texts = texts_in(language)
    found = shown((*about_plans(texts), *about_demands(1_000, has_asked=True, texts=texts)), texts)
    assert len(found) == MOST
    assert all(len(each.title) <= LONGEST_TITLE for each in found)
    assert [each.waits for each in found] == [True, True, False, False]


def test_there_is_always_room_for_help() -> None:
    many = [Prompt(str(each), str(each)) for each in range(9)]
    assert [each.title for each in shown(many, texts_in("en"))] == ["0", "1", "2", "What can you do?"]


@pytest.mark.parametrize(
    ("tab", "team"),
    [
        pytest.param("home", "", id="who opens the Home"),
        pytest.param("messages", "T_ELSEWHERE", id="who is of another workspace"),
    ],
)
async def test_nothing_is_suggested_to(driver: Begin, tab: str, team: str) -> None:
    it = await driver()
    person, workspace = it.demo.person(AYA), it.demo.workspace
    channel = (await person.dm()).id
    event: dict[str, Any] = {
        "type": "app_home_opened", "user": AYA, "channel": channel, "tab": tab, "event_ts": "1.1"
    }  # fmt: skip
    body = {"type": "event_callback", "event_id": "Ev1", "team_id": team or workspace.team_id, "event": event}
    app = bolt_app(AsyncWebClient(workspace.bot_token, workspace.api_url), it.demo.towow.services, PROTOCOLS)
    assert (await app.async_dispatch(AsyncBoltRequest(body=body, mode="socket_mode"))).status == 200
    await it.settles()
    assert await person.prompts() == []


async def test_where_slack_has_none_nothing_is_missing(driver: Begin, caplog: pytest.LogCaptureFixture) -> None:
    it = await driver()
    await it.demo.workspace.admin.surfaces(agents=False)
    assert await suggested(it, AYA) == []
    assert not [each for each in caplog.records if each.levelname in ("WARNING", "ERROR")]
    await it.demo.workspace.admin.surfaces()
    assert titles(await suggested(it, AYA)) == NOBODY_WAITS
