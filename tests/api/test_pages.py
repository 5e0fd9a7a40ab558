"""The page of one story: for whoever has a link of theirs, for as long as it works, with what they may see."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qsl, urlencode, urlsplit

import aiohttp
import pytest

from bot.story_links import DAY, DAYS, PageAccess, StoryLinks
from engine.kernel import StreamKey, Tenant
from engine.negotiation.ids import channel_id
from tests.bot.script import AGENT

from .api_harness import ALONE, AYA, BO, EVE, HERE, LINKS, PATIENT, YOU, ApiHarness
from .conftest import Begin

ELSEWHERE = Tenant("T_ELSEWHERE")
OTHER_KEY = StoryLinks(PageAccess(b"another key of twenty-four"))


def address(it: ApiHarness, demand_id: str, user: str, links: StoryLinks = LINKS, tenant: Tenant = HERE) -> str:
    return it.server.url + links.link(tenant, channel_id(demand_id), user, it.clock.now(), "en")


async def opened(it: ApiHarness, url: str) -> tuple[int, str]:
    async with it.session.get(url) as response:
        assert response.content_type == "text/html"
        return response.status, await response.text()


def changed(url: str, **said: str) -> str:
    parts = urlsplit(url)
    return parts._replace(query=urlencode(dict(parse_qsl(parts.query)) | said)).geturl()


async def test_somebody_with_a_part_reads_the_story(begin: Begin) -> None:
    it = await begin(policy=ALONE)
    demand_id = await it.asks()
    await it.ends(demand_id)

    status, page = await opened(it, address(it, demand_id, YOU))

    assert status == 200
    assert "I need a venue for 50 people in Berlin" in page
    assert "A first plan" in page
    assert "aya says accept" in page


async def test_the_page_takes_nothing_from_elsewhere_and_tells_nobody_its_address(begin: Begin) -> None:
    it = await begin()
    demand_id = await it.asks()

    async with it.session.get(address(it, demand_id, YOU)) as response:
        page, headers = await response.text(), response.headers

    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert "Set-Cookie" not in headers
    assert re.findall(r"<script(?! src=)|<style|style=|\bon[a-z]+=", page) == []
    for name in re.findall(r'(?:src|href)="(/n/assets/[^"]+)"', page):
        async with it.session.get(it.server.url + name) as file:
            assert file.status == 200
            assert "immutable" in file.headers["Cache-Control"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"for": AYA}, "another reader"),
        ({"until": "99999999999"}, "a later end"),
        ({"signature": "A" * 43}, "another signature"),
        ({"signature": "é"}, "no signature"),
        ({"signature": ""}, "none"),
        ({"until": "soon"}, "no time"),
        ({"until": "9" * 400}, "too long a time"),
        ({"until": "²"}, "no digits"),
        ({"for": ""}, "nobody"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
async def test_a_changed_link_opens_nothing(begin: Begin, said: dict[str, str], why: str) -> None:
    it = await begin()
    demand_id = await it.asks()
    url = changed(address(it, demand_id, YOU), **said)

    assert (await opened(it, url))[0] == 404
    assert (await opened(it, url.replace("?", "/events?")))[0] == 404


async def test_a_link_opens_its_own_story_alone_and_only_here(begin: Begin) -> None:
    it = await begin()
    one, other = await it.asks(), await it.asks("I need another venue")
    mine = address(it, one, YOU)

    statuses = [
        (await opened(it, mine.replace(channel_id(one), channel_id(other))))[0],
        (await opened(it, address(it, one, YOU, tenant=ELSEWHERE)))[0],
        (await opened(it, address(it, one, YOU, OTHER_KEY)))[0],
        (await opened(it, address(it, "d-nothing1", YOU)))[0],
    ]

    assert statuses == [404, 404, 404, 404]


async def test_whoever_has_no_part_gets_no_page_of_what_has_no_thread_even_with_a_link(begin: Begin) -> None:
    it = await begin()
    demand_id = await it.asks()

    status, page = await opened(it, address(it, demand_id, EVE))

    assert status == 404
    assert "venue" not in page


async def test_a_link_ends(begin: Begin) -> None:
    it = await begin()
    demand_id = await it.asks()
    url = address(it, demand_id, YOU)
    it.clock.jump(it.clock.now() + DAYS * DAY - 1_000)
    assert (await opened(it, url))[0] == 200

    it.clock.jump(it.clock.now() + 1_000)
    status, page = await opened(it, url)

    assert status == 410
    assert "has come to its end" in page
    assert (await opened(it, url.replace("?", "/events?")))[0] == 410


async def test_without_a_thread_what_others_have_said_is_for_whoever_asked(begin: Begin) -> None:
    it = await begin(policy=ALONE)
    it.script.votes[("bo", 1)] = "negotiate"
    demand_id = await it.asks()
    await it.ends(demand_id)

    [asker, aya, bo] = [(await opened(it, address(it, demand_id, each)))[1] for each in (YOU, AYA, BO)]

    assert "bo wants it shorter" in asker
    assert "bo wants it shorter" in bo
    assert "aya says accept" in aya
    for word in ("bo wants it shorter", "bo says"):
        assert word not in aya


async def test_a_blind_vote_is_for_nobody_but_whoever_gave_it(begin: Begin) -> None:
    it = await begin(policy=PATIENT.model_copy(update={"blind_votes": True}))
    it.script.votes |= {("aya", 1): "reject", ("bo", 1): "accept"}
    demand_id = await it.asks()

    pages = {each: (await opened(it, address(it, demand_id, each)))[1] for each in (YOU, AYA, BO)}

    assert {each: "says no" in page for each, page in pages.items()} == {YOU: False, AYA: True, BO: False}
    assert {each: "aya says reject" in page for each, page in pages.items()} == {YOU: False, AYA: True, BO: False}


async def test_the_page_is_in_the_language_of_its_address(begin: Begin) -> None:
    it = await begin()
    demand_id = await it.asks()

    _, page = await opened(it, changed(address(it, demand_id, YOU), lang="zh"))

    assert '<html lang="zh-Hans">' in page
    assert "目前的方案" in page
    assert '<h1 lang="en" dir="auto">I need a venue for 50 people in Berlin</h1>' in page


# ── live ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def followed(it: ApiHarness, url: str, last: str = "") -> AsyncIterator[aiohttp.ClientResponse]:
    headers = {"Last-Event-ID": last} if last else {}
    async with it.session.get(url.replace("?", "/events?"), headers=headers) as response:
        assert response.status == 200
        yield response


async def told(response: aiohttp.ClientResponse) -> str:
    """Return the id of the next event."""
    async for line in response.content:
        if line.startswith(b"id: "):
            return line.decode().removeprefix("id: ").strip()
        if line.startswith(b"event: "):
            return line.decode().strip()
    return ""


async def votes(it: ApiHarness, demand_id: str) -> None:
    path = f"/api/v1/demand/{demand_id}"
    digest = (await it.as_(YOU).get(path)).body["proposal"]["digest"]
    said = {"agent_id": f"{AGENT}aya", "round": 1, "digest": digest, "text": "because"}
    assert (await it.as_(AYA).post(f"{path}/actions/vote.accept", said)).status == 200


async def test_whoever_reads_is_told_of_changes_and_of_nothing_else(begin: Begin) -> None:
    it = await begin()
    demand_id = await it.asks()
    url = address(it, demand_id, YOU)

    async with followed(it, url) as response:
        first = await told(response)
        assert f'data-version="{first}"' in (await opened(it, url))[1]
        await votes(it, demand_id)
        second = await told(response)

    assert first != second
    assert f'data-version="{second}"' in (await opened(it, url))[1]


async def test_whoever_was_cut_off_is_told_only_of_what_they_missed(begin: Begin) -> None:
    it = await begin()
    demand_id = await it.asks()
    url = address(it, demand_id, YOU)
    async with followed(it, url) as response:
        known = await told(response)

    async with followed(it, url, known) as response:
        await votes(it, demand_id)
        missed = await told(response)
    async with followed(it, url, known) as response:
        again = await told(response)

    assert missed == again != known


async def test_following_ends_with_the_link(begin: Begin) -> None:
    it = await begin()
    demand_id = await it.asks()
    url = address(it, demand_id, YOU)
    async with followed(it, url) as response:
        await told(response)
        it.clock.jump(it.clock.now() + DAYS * DAY)
        it.server.context.notice(StreamKey(HERE, channel_id(demand_id)))

        assert await told(response) == "event: over"
        assert await told(response) == ""
