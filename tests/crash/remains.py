"""What a run leaves behind, without what the clock, the mention's ts and the order of parallel answers decide."""

import difflib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from bot.listeners.negotiation.intake import stream_names
from bot.local_slack import LocalWorkspace, Message, Person
from engine.kernel import StreamKey, Tenant, payload, plain
from engine.negotiation.events import (
    FeedbackDue,
    ForceFinalized,
    NegotiationCancelled,
    NegotiationFailed,
    PersonReached,
    PersonUnreachable,
    ProposalFeedback,
    ProposalFinalized,
)
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.runtime.streams import opened
from engine.store.port import Store

from .databases import RunsDatabase, opened_store
from .people import post_key
from .story import AGENTS, ASKER, LOBBY, Story

UNCOMPARED: Final = frozenset({"offer_id", "block_id", "paused"})
"""Offers are numbered as they arrive; the workspace gives a block without an id one of its own; how long it was stopped
the clock decides."""

A_TIME: Final = 10**12
"""Any integer from here on is one, in milliseconds."""

REACHES: Final = (PersonReached, PersonUnreachable)

UNCOMPARED_EVENTS: Final = (FeedbackDue, *REACHES)
"""Deadlines are set while twins answer, and the wire reports when it may whom it has reached: between whatever else
happens then. What is known of whom in the end is compared."""

ENDS: Final = (ProposalFinalized, ForceFinalized, NegotiationFailed, NegotiationCancelled)
DATE: Final = re.compile(r"<!date\^[^>]*>|\d{4}-\d\d-\d\dT[\d:.]+Z")


@dataclass(frozen=True, slots=True)
class Remains:
    """JSON values, comparable between runs."""

    health: dict[str, Any]
    votes: Counter[tuple[str, int, str, str | None, str]]
    posts: list[Any]
    direct: dict[str, list[Any]]
    """By user: what stands in their direct messages with the bot."""
    state: Any
    events: list[Any]
    reach: list[str]

    def differences(self, other: "Remains") -> str:
        """A unified diff of what is unequal; empty when nothing is."""
        unequal = [name for name in self.__slots__ if getattr(self, name) != getattr(other, name)]
        return "\n".join(line for name in unequal for line in _diff(name, getattr(self, name), getattr(other, name)))


async def remains(workspace: LocalWorkspace, database: RunsDatabase, demand: Message, story: Story) -> Remains:
    async with opened_store(database) as store:
        return await _collected(workspace, database, store, demand, story)


async def _collected(
    workspace: LocalWorkspace, database: RunsDatabase, store: Store, demand: Message, story: Story
) -> Remains:
    tenant = Tenant(workspace.team_id, workspace.enterprise_id or "")
    key = StreamKey(tenant, next(stream_names(tenant, LOBBY, demand.ts)))
    stream = await store.load(key)
    assert stream is not None, "the demand was lost"
    events = [opened(each, RULEBOOK.events) for each in stream.events]
    state: Negotiation = RULEBOOK.fold(events)
    asker = workspace.person(ASKER.id)
    thread = _lasting(await asker.thread(LOBBY, demand.ts))
    direct = {user: _lasting(await _direct(workspace.person(user))) for user in AGENTS if user not in story.gone}
    linked = {_in_a_link(each.ts): f"POST {post_key(each)}" for each in thread}
    names = {key.stream: "STREAM", state.demand_id: "DEMAND", demand.ts: "THREAD", _in_a_link(demand.ts): "THREAD"}
    clean = _Cleaner(names | linked | {workspace.url.rstrip("/"): "WORKSPACE"})
    status = await workspace.admin.status()
    return Remains(
        health={
            "verified": await store.verify(key),
            "counts": {name: n for name, n in (await store.counts()).items() if name != "events"},
            "jobs": await database.jobs_left(),
            "lagging": len(await store.lagging(10)),
            "ends": [each.event_type for each in events if isinstance(each, ENDS)],
            "unacknowledged": status.pending,
            "lost": status.lost,
            "in the channel": len(_lasting(await asker.messages(LOBBY))),
            "post keys": [post_key(each) for each in thread],
            "direct keys": {user: [post_key(each) for each in messages] for user, messages in direct.items()},
        },
        votes=Counter(
            (each.agent_id, each.round, each.source.value, each.by, each.feedback_type.value)
            for each in events
            if isinstance(each, ProposalFeedback)
        ),
        posts=[clean(_shown(each)) for each in thread],
        direct={user: [clean(_shown(each)) for each in messages] for user, messages in direct.items()},
        state=clean(plain(state)),
        events=list(
            _parallel_sorted(
                [clean({each.event_type: payload(each)}) for each in events if not isinstance(each, UNCOMPARED_EVENTS)]
            )
        ),
        reach=sorted(f"{each.event_type} {each.agent_id} {each.round}" for each in events if isinstance(each, REACHES)),
    )


def _lasting(messages: Sequence[Message]) -> list[Message]:
    """Without what was said to one person in passing."""
    return [each for each in messages if each.visible_to is None]


async def _direct(person: Person) -> list[Message]:
    return await person.messages((await person.dm()).id)


def _in_a_link(ts: str) -> str:
    return f"p{ts.replace('.', '')}"


def _shown(message: Message) -> dict[str, Any]:
    return {"key": post_key(message), "text": message.text, "blocks": message.blocks, "metadata": message.metadata}


class _Cleaner:
    """Leaves out what the clock decides, and gives names to ids that are made from the mention's ts."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def __call__(self, value: Any) -> Any:
        match value:
            case dict():
                return {name: self(each) for name, each in value.items() if name not in UNCOMPARED}
            case list():
                return [self(each) for each in value]
            case str():
                return self._text(value)
            case int() if value >= A_TIME:
                return "TIME"
            case _:
                return value

    def _text(self, text: str) -> str:
        for name, stands_for in self._names.items():
            text = text.replace(name, stands_for)
        return DATE.sub("TIME", text)


def _parallel_sorted(events: Sequence[dict[str, Any]]) -> Iterator[Any]:
    """Neighbours of one kind were answered at the same time, in no particular order."""
    for _, neighbours in groupby(events, key=lambda each: next(iter(each))):
        yield from sorted(neighbours, key=json.dumps)


def _diff(name: str, expected: Any, found: Any) -> Iterator[str]:
    return difflib.unified_diff(_lines(expected), _lines(found), f"uninterrupted {name}", name, lineterm="")


def _lines(value: Any) -> list[str]:
    if isinstance(value, Counter):
        return sorted(f"{each} x {n}" for each, n in value.items())
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False, default=sorted).splitlines()
