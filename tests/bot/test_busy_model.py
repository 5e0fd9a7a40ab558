"""A model that is busy: people are told on the card, in the thread and in Home, and it goes on when the model does."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.demo.demo import CHANNEL, Posted
from bot.listeners.negotiation.intake import stream_names
from engine.kernel import StreamKey, Tenant
from engine.llm.claude import ClaudeModel
from engine.llm.ledger import MemoryLedger
from engine.negotiation.state import Status as Stands
from engine.runtime.clock import Clock
from engine.store.memory import MemoryStore
from tests.anthropic_server import KEY, LocalAnthropic, Received, Says, Status, Step
from tests.negotiation.prompts import PROMPTS

from . import home
from .driver import ADMIN, ALONE, DEMAND, EVE, Driver, playing
from .script import AGENT
from .test_claude import sensible

LOOKS = 2_000


def agreeable(request: Received) -> Step:
    """Answer for Aya and Bo, who agree to everything."""
    fields, both = set(request.schema["properties"]), [{"agent_id": f"{AGENT}{each}"} for each in ("aya", "bo")]
    if "definitely_related" in fields:
        return Says({"definitely_related": both})
    if "assignments" in fields:
        seats = [{**each, "role": "helper", "responsibility": "helps"} for each in both]
        return Says({"summary": "An evening", "assignments": seats})
    return sensible(request)


async def begun(it: Driver) -> Driver:
    """Post the demand, and do not wait for what becomes of it."""
    workspace = it.demo.workspace
    message = await it.demo.person().say(CHANNEL, f"<@{workspace.bot_user_id}> {DEMAND}")
    await it.settles()
    tenant = Tenant(workspace.team_id, workspace.enterprise_id or "")
    key = StreamKey(tenant, next(stream_names(tenant, CHANNEL, message.ts)))
    return replace(it, posted=Posted(message, key))


async def comes(it: Driver, is_so: Callable[[str], bool]) -> str:
    """Return the demand's card once something is so."""
    card = ""
    for _ in range(LOOKS):
        await it.settles()
        if len(await it.thread()) > 1 and is_so(card := await it.root()):
            return card
    pytest.fail(f"it still says: {card}")


async def test_a_busy_model_is_told_of_until_it_goes_on() -> None:
    made: list[ClaudeModel] = []

    async with LocalAnthropic() as server:

        def claude(clock: Clock) -> ClaudeModel:
            made.append(ClaudeModel(KEY, PROMPTS.values(), MemoryLedger(), clock, base_url=server.url))
            return made[0]

        server.always(Status(429, retry_after="30"))
        async with playing(MemoryStore(), held=["nothing"], policy=ALONE, model=claude) as it:
            it = await begun(it)
            card = await comes(it, lambda card: "The model is busy; going on at about <!date" in card)
            assert "Reading the demand…" in card

            page = home.says(await home.opens(it, ADMIN))
            assert "• The model is busy; 1 question waits, and is asked by about <!date" in page
            assert "The model" not in home.says(await home.opens(it, EVE))

            [said, *_] = await it.thread()
            await it.demo.person(EVE).say(CHANNEL, "<@U_TOWOW> how does it stand?", thread_ts=said.ts)
            await it.settles()
            [told] = await it.told(EVE)
            assert "The model is busy; going on at about <!date" in told
            assert (await it.state()).degraded == ()

            server.always(agreeable)
            it.demo.clock.jump(it.demo.clock.now() + 31_000)
            card = await comes(it, lambda card: "The model" not in card and "Agreed" in card)
            assert (await it.stands(Stands.FINALIZED)).degraded == ()
            assert "No question waits for the model" in home.says(await home.shown(it, ADMIN))
        await made[0].close()
