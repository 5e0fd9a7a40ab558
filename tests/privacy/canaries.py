"""A negotiation in which everything that somebody can write has a word of its own, and where that word is found."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest
from msgspec.structs import replace

from bot.api.tokens import Scope
from bot.api_config import ApiAccess
from bot.commands.export import exported
from bot.demo.demo import CHANNEL
from bot.local_slack import LocalWorkspace, Message
from bot.registry import PROTOCOLS
from bot.story_links import PageAccess
from bot.texts import texts_in
from bot.views.kit.button_values import SHOW_ALL
from bot.views.negotiation.export.file import as_json
from bot.views.negotiation.export.markdown import markdown
from bot.views.negotiation.export.steps import EndedNegotiation
from engine.directory.asks import LimitRead, ProfileRead
from engine.directory.profile import Condition, Leave, Limits, Profile, Profiles, Request, TwinTerms, Words
from engine.facts.data import Place
from engine.kernel import ModelAnswer
from engine.negotiation.answers import (
    Assignment,
    Candidate,
    Covering,
    FeedbackAnswer,
    Need,
    OfferAnswer,
    OfferDecision,
    ProposalDraft,
    Shortlist,
    Understanding,
)
from engine.negotiation.commands import CorrectOffer, OfferHelp
from engine.negotiation.policy import Policy
from engine.negotiation.public.build import Times
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome
from engine.negotiation.voting.kinds import FeedbackType
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.archive import Archive
from tests.api.api_harness import secret, token
from tests.bot.driver import AYA, BO, EVE, EVERYBODY, NEGOTIATE, NOON, YOU, Driver, playing
from tests.bot.script import AGENT, people

HELD: Final = Policy(first_window=600, human_window=3600, override_window=30, fail_below=None, max_rounds=2)
"""Offers may be corrected for a while."""

TOKENS: Final = (
    token("program", Scope.READ),
    token("admin", Scope.ADMIN, Scope.READ, Scope.METRICS),
    *(token(each, Scope.SUBMIT, Scope.READ, Scope.VOTE, user=each) for each in (YOU, AYA, BO, EVE)),
)

CANARIES: Final[Mapping[str, tuple[str, ...]]] = {
    "the demand, as it was written first": ("quokkafirst",),
    "the demand, as it was written then": ("quokkathen",),
    "the demand, as a model understood it": ("quokkasurface", "quokkaneed"),
    "what a model guessed about the demand": ("quokkamotive", "quokkatag"),
    "why somebody was asked": ("quokkareason",),
    "an offer, by hand": ("quokkaoffer",),
    "a condition of an offer": ("quokkacondition",),
    "why somebody declines, by hand": ("quokkadecline",),
    "an offer, by a twin": ("quokkatwin",),
    "why a twin offers it": ("quokkabecause",),
    "a plan": ("quokkaplan", "quokkarole"),
    "why a plan is as it is": ("quokkarationale",),
    "a vote's reason, by a twin": ("quokkavote",),
    "a wish of a vote, by hand": ("quokkawish",),
    "a change that whoever asked wants": ("quokkachange",),
    "an offer of help, unasked": ("quokkahelp",),
    "the name in a profile": ("quokkaname",),
    "every other field of a profile": (
        "quokkasummary", "quokkaplace", "quokkaskill", "quokkaable", "quokkainterest", "quokkafree", "quokkatongue",
        "quokkanever", "quokkasite", "quokkaterm", "quokkaask", "quokkagrounds", "quokkaleave", "quokkasays",
        "quokkadatum",
    ),
}  # fmt: skip
"""What is written, and the words by which it is known again."""

AYAS: Final = frozenset(
    {
        "an offer, by hand",
        "a condition of an offer",
        "a wish of a vote, by hand",
        "the name in a profile",
        "every other field of a profile",
    }
)
"""What Aya has written, and her profile says."""

MADE_OF_HERS: Final = frozenset(
    {"why somebody was asked", "a plan", "why a plan is as it is", "a vote's reason, by a twin"}
)
"""What a model has made since it was told of her words."""


def profiles() -> Profiles:
    """Aya's has a word in each field; the others' are plain."""
    plain = people({"bo": BO}, ("cem",))
    aya = Profile(
        agent_id=f"{AGENT}aya",
        user_name="Quokkaname",
        profile_summary="quokkasummary keeps a venue for meetups and likes to help. " * 5,
        location="quokkaplace",
        tags=("venue", "quokkaskill"),
        capabilities={"venue": "quokkaable, a room for 60 people"},
        interests=("quokkainterest",),
        availability="quokkafree",
        slack_user=AYA,
        languages=("quokkatongue",),
        limits=Limits(never=("quokkanever",), locations=("quokkasite",)),
        preferences=TwinTerms(
            conditions=(Condition(text=Words(en="quokkaterm")),),
            asks=(Request(change=Words(en="quokkaask"), because=Words(en="quokkagrounds")),),
            leaves_if=(Leave(plan_says=("quokkasays",), because=Words(en="quokkaleave")),),
        ),
    )
    return Profiles({**plain, aya.agent_id: aya})


def answers() -> dict[str, ModelAnswer]:
    """What the model says, by prompt."""
    cast = ("aya", "bo", "cem")
    return {
        "understand": Understanding(
            surface_demand="quokkasurface",
            deep_understanding={"motivation": "quokkamotive"},  # type: ignore[arg-type]
            capability_tags=("quokkatag",),
            needs=(Need(need_id="quokkaneed", what="quokkaneed"),),
            confidence="high",
        ),
        "read_profile": ProfileRead(limits=(LimitRead(number=1, data=Place(city="quokkadatum", allowed=False)),)),
        "filter": Shortlist(
            analysis="quokkareason",
            definitely_related=tuple(Candidate(agent_id=AGENT + each, reason="quokkareason") for each in cast),
        ),
        "respond": OfferAnswer(
            decision=OfferDecision.PARTICIPATE,
            contribution="quokkatwin",
            reasoning="quokkabecause",
            covers=(Covering(need_id="need_1"),),
        ),
        "aggregate": ProposalDraft(
            summary="quokkaplan",
            rationale="quokkarationale",
            assignments=tuple(
                Assignment(agent_id=AGENT + each, role="quokkarole", responsibility=f"quokkarole of {each}")
                for each in ("aya", "cem")
            ),
        ),
        "feedback": FeedbackAnswer(feedback_type=FeedbackType.ACCEPT, reasoning="quokkavote"),
    }


@asynccontextmanager
async def told(path: Path, earlier: list[Message] | None = None, keep_days: int | None = None) -> AsyncIterator[Driver]:
    """A negotiation in whose open round everything was written.

    Args:
        earlier: gets the direct messages as they were before people answered in place of their twins.
        keep_days: how long what has ended is kept; None: for ever.
    """
    async with playing(
        SqliteStore(path),
        alone=("cem",),
        said_by=profiles(),
        says=answers(),
        policy=HELD,
        keep_days=keep_days,
        api=ApiAccess(TOKENS, port=0, pages=PageAccess(b"signs the links of this test")),
    ) as it:
        it = await it.asks("quokkafirst: I need a venue")
        await post(it, YOU, "demand.edit", {"raw_input": "quokkathen: I need a venue"})
        await it.settles()
        if earlier is not None:
            earlier += (await messages(it.demo.workspace))[1]
        on_condition = {"decision": OfferDecision.CONDITIONAL, "conditions": ("quokkacondition",)}
        await corrects(it, AYA, "aya", contribution="quokkaoffer", **on_condition)
        await corrects(it, BO, "bo", decision=OfferDecision.DECLINE, reason="quokkadecline")
        await helps(it, EVE)
        while not (await it.state()).rounds:
            await it.passes()
        await it.says(AYA, NEGOTIATE, "quokkawish")
        latest = (await it.state()).rounds[-1]
        await post(it, YOU, "plan.change", {"round": latest.number, "digest": latest.digest, "text": "quokkachange"})
        await it.settles()
        seat = {"agent_id": f"{AGENT}aya", "round": latest.number, "digest": latest.digest}
        await post(it, EVE, "vote.accept", seat, status=403)  # the refusal names Aya, and is remembered
        yield it


async def corrects(it: Driver, by: str, name: str, **said: Any) -> None:
    command = CorrectOffer(
        command_id=f"{by}-corrects",
        at=it.demo.clock.now(),
        by=by,
        agent_id=AGENT + name,
        **said,
    )
    await it.demo.towow.services.gateway.send(it.key, RULEBOOK, command)
    await it.settles()


async def helps(it: Driver, by: str) -> None:
    """Somebody who was not asked; whoever asked has not decided."""
    at = it.demo.clock.now()
    command = OfferHelp(
        command_id=f"{by}-helps", at=at, by=by, agent_id=f"person_{by}", display_name="Eve", text="I can quokkahelp"
    )
    await it.demo.towow.services.gateway.send(it.key, RULEBOOK, command)
    await it.settles()


async def post(it: Driver, user: str, what: str, body: Mapping[str, Any], status: int = 200) -> None:
    to = f"{await url(it)}/actions/{what}"
    async with aiohttp.ClientSession() as session, session.post(to, json=body, headers=of(user)) as answer:
        assert answer.status == status, await answer.text()


async def url(it: Driver) -> str:
    assert it.demo.towow.api is not None
    return f"{it.demo.towow.api.url}/api/v1/demand/{(await it.state()).demand_id}"


def of(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret(name)}"}


# ── where words are found ─────────────────────────────────────────────────────────────────────────────────────────


def found_in(text: str) -> set[str]:
    """What of everything that was written stands there."""
    said = text.casefold()
    return {name for name, words in CANARIES.items() if any(each in said for each in words)}


async def places(
    it: Driver, path: Path, log: pytest.LogCaptureFixture, earlier: Sequence[Message]
) -> dict[str, set[str]]:
    """What is found where, while the round is open, and in direct messages earlier."""
    thread, direct = await messages(it.demo.workspace)
    direct = [*earlier, *direct]
    opened = await whole_of(it.demo.workspace, thread)
    state = await it.state()
    api = it.demo.towow.api
    assert api is not None
    heard = {name: await over_http(it, name) for name in ("program", "admin", YOU, AYA, BO)}
    async with aiohttp.ClientSession() as session, session.get(f"{api.url}/metrics", headers=of("admin")) as answer:
        metrics = await answer.text()
    page = "".join([await page_of(it, each) for each in (YOU, BO)])
    cells = cells_of(path)
    as_failed = replace(state, status=Status.FAILED, outcome=Outcome.LOW_ACCEPTANCE)  # only what has ended is exported
    ended = EndedNegotiation(as_failed, Times(ended_at=NOON), "Dana")
    stored = Archive(path).load(it.key)
    assert stored is not None
    return {
        "private": found_in(cells.pop("events.private")),
        "other": found_in("\n".join(cells.values())),
        "log": found_in("\n".join(each.getMessage() for each in log.records)),
        "metrics": found_in(metrics),
        "thread": found_in(dumped(thread) + opened),
        "page": found_in(page),
        "direct": found_in(dumped(direct)),
        "notified": found_in("\n".join(each.text for each in (*thread, *direct))),
        "file": found_in(as_json(ended) + markdown(ended, texts_in("en"))),
        "`export`": found_in("\n".join(exported(stored, PROTOCOLS))),
        "nobody's token": heard["program"],
        "whoever asked": heard[YOU],
        "herself": heard[AYA],
        "another": heard[BO],
        "an admin": heard["admin"],
    }


async def page_of(it: Driver, user: str) -> str:
    """The page of the story, as this user reads it."""
    links = it.demo.towow.services.links
    assert links is not None
    link = links.link(it.key.tenant, it.key.stream, user, it.demo.clock.now(), "en")
    async with aiohttp.ClientSession() as session, session.get(link) as answer:
        assert answer.status == 200
        return await answer.text()


def dumped(messages: list[Message]) -> str:
    return json.dumps([each.model_dump(mode="json") for each in messages], ensure_ascii=False)


async def messages(workspace: LocalWorkspace) -> tuple[list[Message], list[Message]]:
    """What the bot has posted: in the thread, and in direct messages."""
    thread: dict[str, Message] = {}
    direct: dict[str, Message] = {}
    for user in EVERYBODY:
        person = workspace.person(user)
        for each in await person.messages(CHANNEL):
            thread |= {reply.ts: reply for reply in await person.thread(CHANNEL, each.ts)}
        direct |= {each.ts: each for each in await person.messages((await person.dm()).id)}
    bot = workspace.bot_user_id
    return [each for each in thread.values() if each.user == bot], [*direct.values()]


async def whole_of(workspace: LocalWorkspace, thread: Sequence[Message]) -> str:
    """What anybody is shown who opens the messages of the thread in full."""
    found = []
    for each in thread:
        if SHOW_ALL in str(each.blocks):
            outcome = await workspace.person(EVE).click(each.channel, each.ts, SHOW_ALL)
            assert outcome.modal is not None
            found.append(str(outcome.modal.blocks))
    return "\n".join(found)


async def over_http(it: Driver, name: str) -> set[str]:
    """What a token is told, by everything that can be read."""
    assert it.demo.towow.api is not None
    stored = await it.demo.towow.store.load(it.key)
    assert stored is not None
    base, heard = await url(it), ""
    recent = f"{it.demo.towow.api.url}/api/v1/events/recent?count=500"
    stream = f"{it.demo.towow.api.url}/api/v1/events/negotiations/{it.key.stream}/stream"
    async with aiohttp.ClientSession(headers=of(name)) as session:
        for each in (base, f"{base}/status", f"{base}/why", recent):
            async with session.get(each) as answer:
                assert answer.status == 200
                heard += await answer.text()
        async with session.get(stream) as events:
            read = 0
            while read < stored.version:
                line = (await events.content.readline()).decode()
                read += line.startswith("data:")
                heard += line
    return found_in(heard)


def cells_of(path: Path) -> dict[str, str]:
    """Every column of every table, as one text each."""
    with sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        columns = [
            (table, name) for table in tables for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")
        ]
        found = {
            f"{table}.{name}": "\n".join(
                str(value)
                for (value,) in connection.execute(f'SELECT "{name}" FROM {table}')  # noqa: S608 - ours
            )
            for table, name in columns
        }
    connection.close()
    return found


def bytes_of(path: Path) -> bytes:
    """The database, and what SQLite keeps beside it."""
    files = [path, *(path.with_name(f"{path.name}-{end}") for end in ("wal", "shm", "journal"))]
    return b"".join(each.read_bytes() for each in files if each.exists())
