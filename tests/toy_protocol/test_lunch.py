"""A protocol that nothing in the product knows is added by one row, and runs end to end beside the others."""

from collections.abc import AsyncIterator
from typing import Any, Final

import aiohttp
import pytest

from bot.api.document import document
from bot.api.routes import routes_of
from bot.api.tokens import Scope
from bot.api_config import ApiAccess
from bot.models import needed_prompts, offline_model
from bot.registry import PROTOCOLS
from engine.errors import NothingToHandOver
from engine.llm.port import Question
from engine.negotiation.state import Status as NegotiationStatus
from engine.store.memory import MemoryStore
from tests.api.api_harness import Events, secret, token
from tests.bot.driver import AYA, BO, EVE, YOU

from . import TOY
from .asks import Restaurant
from .driver import WISH, LunchDriver, lunching
from .rules import HOUR, LunchClosed, LunchJoined, Status
from .views import CLOSE

TOKENS: Final = tuple(token(each, Scope.READ, user=each) for each in (YOU, AYA, EVE))


@pytest.fixture
async def it() -> AsyncIterator[LunchDriver]:
    async with lunching(MemoryStore(), api=ApiAccess(TOKENS, port=0)) as it:
        yield it


async def test_a_message_that_begins_with_its_word_is_for_it_and_any_other_is_a_demand(it: LunchDriver) -> None:
    await it.proposes()
    assert (await it.state()).status is Status.OPEN
    assert "<@U_YOU> goes for lunch: lunch on Friday" in await it.shown()
    assert "Noodles &amp; Co" in await it.shown()

    negotiation = await it.it.asks()
    await negotiation.stands(NegotiationStatus.NEGOTIATING, round=1)


async def test_people_join_by_a_form_and_the_card_says_so(it: LunchDriver) -> None:
    await it.proposes()
    assert (await it.joins(AYA, "Ramen & tea")).acked
    assert (await it.joins(BO, "Udon")).acked
    assert (await it.joins(AYA, "Soba")).acked

    assert "<@U_AYA>: Soba" in await it.shown()
    assert "<@U_BO>: Udon" in await it.shown()
    assert [each.by for each in await it.events() if isinstance(each, LunchJoined)] == [AYA, BO, AYA]


async def test_where_no_model_can_be_reached_people_choose(it: LunchDriver) -> None:
    await it.proposes(restaurant=None)
    assert "wherever you like" in await it.shown()


async def test_its_alarm_closes_it(it: LunchDriver) -> None:
    await it.proposes()
    before = it.it.demo.clock.now()
    await it.it.passes()

    assert (await it.events())[-1] == LunchClosed()
    assert it.it.demo.clock.now() == before + HOUR
    assert "Closed" in await it.shown()
    assert not await it.it.demo.skip(), "nothing is due any more"


async def test_what_comes_too_late_is_refused_in_private(it: LunchDriver) -> None:
    await it.proposes()
    card = await it.card()
    await it.it.keeps_old_cards()
    await it.it.clicks(YOU, CLOSE, card=card)
    events = await it.events()

    await it.it.clicks(YOU, CLOSE, card=card)

    assert await it.events() == events
    [told] = await it.it.told(YOU)
    assert told.startswith("That is not possible at this point, so nothing was changed. Look at the newest message")


async def test_it_is_told_over_http_to_those_who_take_part(it: LunchDriver) -> None:
    await it.proposes()
    await it.joins(AYA, "Ramen")
    path = f"/api/v1/lunches/{(await it.key()).stream}"
    async with aiohttp.ClientSession() as session:
        for user in (YOU, AYA):
            assert await _gets(it, session, user, path) == (
                200,
                {"status": "open", "restaurant": "Noodles & Co", "dishes": {AYA: "Ramen"}},
            )
        assert (await _gets(it, session, EVE, path))[0] == 404
        assert (await _gets(it, session, "", path))[0] == 401


async def test_its_events_are_sent_as_they_happen_without_anybodys_own_words(it: LunchDriver) -> None:
    await it.proposes()
    url = f"{_url(it)}/api/v1/events/lunches/{(await it.key()).stream}/stream"
    async with aiohttp.ClientSession() as session, session.get(url, headers=_authorization(YOU)) as response:
        assert response.status == 200
        events = Events(response)
        told = await events.take(2)
        await it.joins(AYA, "Ramen")
        told += await events.take(1)
    assert [each.data["event_type"] for each in told] == ["lunch.proposed", "lunch.suggested", "lunch.joined"]
    assert WISH not in str(told)


async def test_no_route_finds_a_stream_of_another_protocol(it: LunchDriver) -> None:
    await it.proposes()
    lunch = await it.key()
    negotiation = await it.it.asks()
    async with aiohttp.ClientSession() as session:
        assert (await _gets(it, session, YOU, f"/api/v1/demand/{lunch.stream}/status"))[0] == 404
        assert (await _gets(it, session, YOU, f"/api/v1/lunches/{negotiation.key.stream}"))[0] == 404


async def test_the_latest_events_are_those_of_both(it: LunchDriver) -> None:
    await it.proposes()
    await it.it.asks()
    async with aiohttp.ClientSession() as session:
        _, told = await _gets(it, session, YOU, "/api/v1/events/recent")
    kinds = {each["event_type"].partition(".")[0] for each in told["events"]}
    assert kinds == {"lunch", "towow"}


async def test_what_it_came_to_is_handed_over_without_a_word_about_its_protocol(it: LunchDriver) -> None:
    gateway = it.it.demo.towow.services.gateway
    await it.proposes()
    await it.joins(AYA, "Ramen")
    with pytest.raises(NothingToHandOver, match="it has not ended"):
        await gateway.hand_over(await it.key())

    await it.it.clicks(YOU, CLOSE, card=await it.card())

    handed = await gateway.hand_over(await it.key())
    assert (handed.origin, handed.requester_id, handed.title) == ((await it.key()).stream, YOU, "Noodles & Co")
    assert [(each.person_id, each.brings) for each in handed.people] == [(AYA, "Ramen")]
    assert WISH.endswith(handed.goal)


async def test_where_it_comes_to_nothing_nothing_is_handed_over(it: LunchDriver) -> None:
    await it.proposes()
    await it.it.clicks(YOU, CLOSE, card=await it.card())
    with pytest.raises(NothingToHandOver):
        await it.it.demo.towow.services.gateway.hand_over(await it.key())


def test_its_routes_are_in_the_document() -> None:
    paths = document(routes_of((*PROTOCOLS, TOY)))["paths"]
    assert {"/api/v1/lunches/{stream}", "/api/v1/events/lunches/{stream}/stream"} <= paths.keys()


async def test_rules_answer_its_prompt_where_there_is_no_key() -> None:
    rows = (*PROTOCOLS, TOY)
    question = Question(needed_prompts(rows)["lunch/suggest"], {"wish": WISH}, Restaurant)
    assert (await offline_model(rows).answer(question)).value == Restaurant(name="Noodles & Co")


def _url(it: LunchDriver) -> str:
    assert it.it.demo.towow.api is not None
    return it.it.demo.towow.api.url


def _authorization(user: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret(user)}"} if user else {}


async def _gets(it: LunchDriver, session: aiohttp.ClientSession, user: str, path: str) -> tuple[int, Any]:
    async with session.get(_url(it) + path, headers=_authorization(user)) as response:
        return response.status, await response.json()
