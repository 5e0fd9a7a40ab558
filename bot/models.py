"""Makes what answers the questions of the protocols: Claude, or rules that need no key."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

from bot.claude_config import ClaudeAccess
from bot.protocol_row import Protocol
from bot.texts import texts_in
from bot.tracing.models import TracedLedger
from engine.directory.profile import Profiles
from engine.facts.language import Language
from engine.files.prompts import load_prompts
from engine.kernel import ModelAnswer, StreamKey, Tenant
from engine.llm.asker import Asks, AsksOf
from engine.llm.breaker import CircuitBreaker
from engine.llm.budget import Budget
from engine.llm.ledger import StoreLedger
from engine.llm.ledger_days import SummedLedger
from engine.llm.pacing import Pace
from engine.llm.port import Model, Prompt
from engine.llm.sharing import SharedPace, SharedPurses
from engine.llm.threads import left_behind
from engine.llm.warming import Warming
from engine.offline import OfflineModel
from engine.offline.reading.script import language_of_tag
from engine.runtime.clock import Clock
from engine.runtime.membership import Membership
from engine.runtime.tracing import Tracing
from engine.shortlist.people import SearchedProfiles
from engine.store.port import Store, Stream


def needed_prompts(protocols: Sequence[Protocol]) -> Mapping[str, Prompt]:
    """Read the prompts of all protocols, once in a process."""
    return _prompts(tuple((each.prompts, each.name, tuple(each.returns.items())) for each in protocols))


@cache
def _prompts(
    needed: tuple[tuple[Path | None, str, tuple[tuple[str, type[ModelAnswer]], ...]], ...],
) -> Mapping[str, Prompt]:
    """
    Args:
        needed: folder, protocol, and what its prompts return.
    """
    folders = {folder for folder, _, _ in needed}
    loaded = [
        load_prompts({name: dict(returns) for at, name, returns in needed if at == folder}, folder)
        for folder in folders
    ]
    return {name: prompt for prompts in loaded for name, prompt in prompts.items()}


def spoken(text: str) -> Language:
    """Return the language that rules take a text for, so that cases can tell whether a model kept to its own."""
    return language_of_tag("", text)


def offline_model(protocols: Sequence[Protocol]) -> OfflineModel:
    return OfflineModel({each.name: each.answerers for each in protocols})


def name_of(model: Model | ClaudeAccess) -> str:
    """Return who answers for the twins, as admins are told; empty for the rules that need no key."""
    if isinstance(model, ClaudeAccess):
        return model.model if model.base_url and model.model else "Claude"
    return "" if isinstance(model, OfflineModel) else type(model).__name__


async def load_ahead(model: Model | ClaudeAccess, protocols: Sequence[Protocol], people: Profiles) -> None:
    """Load beside the event loop what the first demand would wait for: what answers it, and where people are searched
    for, the encoder that they are searched by.
    """
    if isinstance(people, SearchedProfiles):
        await left_behind(partial(people.index.orders, [["."]]))
    if isinstance(model, OfflineModel):
        for each in protocols:
            if each.rehearse is not None:
                await left_behind(partial(each.rehearse, each.answerers, [*people.values()], _rehearsed()))


def _rehearsed() -> list[str]:
    """Return a demand in each language that rules read, with a day, an hour, a number, a place and a sum."""
    return [
        texts.say(
            "We need a photographer and catering for 30 people in Berlin next Friday at 18:00, for 500 euros at most."
        )
        for texts in map(texts_in, ("en", "zh"))
    ]


def asks_by_protocol(
    protocols: Sequence[Protocol], prompts: Mapping[str, Prompt], people: Callable[[Tenant], Awaitable[Profiles]]
) -> Mapping[str, AsksOf]:
    """
    Args:
        people: a tenant's twins, looked up for each question: whose they are may change at any time.
    """
    return {each.name: _asks_of(each.asks, prompts, people) for each in protocols if each.asks is not None}


def _asks_of(
    asks: Callable[[Mapping[str, Prompt], Profiles], Asks],
    prompts: Mapping[str, Prompt],
    people: Callable[[Tenant], Awaitable[Profiles]],
) -> AsksOf:
    async def of(tenant: Tenant) -> Asks:
        return asks(prompts, await people(tenant))

    return of


def requester_in(stored: Stream | None) -> str:
    """Return who has asked for a stream; empty where its first event does not say it."""
    first: dict[str, Any] = json.loads(stored.events[0].public) if stored and stored.events else {}
    return str(first.get("requester_id") or "")


@asynccontextmanager
async def claude(
    access: ClaudeAccess,
    prompts: Mapping[str, Prompt],
    store: Store,
    clock: Clock,
    tracing: Tracing | None = None,
    membership: Membership | None = None,
    *,
    window: float | None = None,
) -> AsyncIterator[Model]:
    """
    Args:
        tracing: tells of each call, where traces are collected.
        window: seconds for a question whose step has no end of its own; what is usual, when left out.
        membership: of this process, where several share the store, and its budgets.

    Raises:
        StoreError: what was spent cannot be read.
    """
    # Imported only where there is a key: Anthropic's SDK would be half of every start.
    from engine.llm.claude import WINDOW, ClaudeModel
    from engine.llm.messages_api import certificates
    from engine.llm.schema import check_answer_schemas

    async def requester_of(key: StreamKey) -> str:
        stored = await store.load(key)
        return requester_in(stored)

    # What is kept of these two takes a second to make, in which nobody else would be heard.
    await left_behind(partial(check_answer_schemas, prompts.values()))
    await left_behind(certificates)
    ledger = SummedLedger(StoreLedger(store), store, access.ledger_days)
    budget = Budget(clock, access.caps, SharedPurses(membership, clock) if membership else None)
    await budget.restore(store, requester_of)
    try:
        model = ClaudeModel(
            access.api_key,
            prompts.values(),
            TracedLedger(ledger, tracing) if tracing else ledger,
            clock,
            base_url=access.base_url,
            model_override=access.model,
            timeout=access.timeout,
            window=window or WINDOW,
            breaker=CircuitBreaker(clock, access.failure_threshold, access.recovery_timeout),
            warming=Warming(clock, access.warm_first),
            pace=Pace(clock, shared=SharedPace(membership.sharing, clock) if membership else None),
            budget=budget,
        )
        try:
            yield model
        finally:
            await model.close()
    finally:
        await ledger.close()
