"""Holds what a siege left behind against what people were told."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from pathlib import Path
from typing import Final

from bot.listeners.negotiation.intake import stream_names
from bot.local_slack import LocalWorkspace, Message, NotPossible, User
from bot.local_slack.workspace import dm_id
from bot.posts.failures import SHUT
from bot.posts.post_records import PostRecords
from bot.posts.slack_calls import EVENT_TYPE
from bot.posts.stream_reconciler import TO_REQUESTER
from bot.views.negotiation.presenter import posts
from engine.kernel import StreamKey, Tenant
from engine.negotiation.events import (
    ForceFinalized,
    NegotiationCancelled,
    NegotiationFailed,
    ProposalFeedback,
    ProposalFinalized,
)
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Source
from engine.projections.audit import acts
from engine.runtime.streams import opened
from engine.store.port import Store

from .crowd import VOTES
from .ledger import Ballot, Ledger
from .model_wire import INTERNAL
from .town import ASKERS, STRANGER

ENDS: Final = (ProposalFinalized, ForceFinalized, NegotiationFailed, NegotiationCancelled)
PAGE: Final = 1_000
MOST_MIB: Final = 700
"""Of resident memory: some 300 at rest, which the offline model's word vectors make up."""
MOST_FILES: Final = 300


class Standing:
    """What stands in the workspace in the end."""

    def __init__(self) -> None:
        self.times: Counter[tuple[str, str, str]] = Counter()
        """By stream, post key and conversation: how often it stands there."""
        self.first: dict[tuple[str, str], str] = {}
        """By stream and conversation: the ts of what was said first there."""
        self.with_votes: set[str] = set()
        """Streams with a button to vote by."""
        self.leaks: set[str] = set()
        """Streams of which something internal stands where another company reads it."""

    def add(self, channel: str, messages: Sequence[Message], *, is_shared: bool = False) -> None:
        for message in messages:
            metadata = message.metadata or {}
            if metadata.get("event_type") == EVENT_TYPE and message.visible_to is None:
                where = metadata["event_payload"]
                self.times[where["stream"], where["key"], channel] += 1
                place = where["stream"], channel
                self.first[place] = min(message.ts, self.first.get(place, message.ts))
                elements = [each for block in message.blocks for each in block.get("elements", ())]
                if any(each.get("action_id") in VOTES for each in elements):
                    self.with_votes.add(where["stream"])
                if is_shared and INTERNAL in json.dumps(message.blocks) + message.text:
                    self.leaks.add(f"{where['key']} of {where['stream']}")


async def standing(workspace: LocalWorkspace, users: Sequence[User], channels: Sequence[str]) -> Standing:
    found, reader = Standing(), workspace.person(ASKERS[0].id)
    shared = {each.id for each in await reader.channels() if each.is_ext_shared or STRANGER.id in each.members}
    for channel in channels:
        for top in await reader.messages(channel):
            found.add(channel, [top], is_shared=channel in shared)
            found.add(channel, (await reader.thread(channel, top.ts))[1:], is_shared=channel in shared)
    for user in (*ASKERS, *users):
        person = workspace.person(user.id)
        with suppress(NotPossible):  # whose account was closed reads nothing any more
            direct = (await person.dm()).id
            found.add(direct, await person.messages(direct))
    return found


class Verdict:
    """What became of the negotiations, and what is wrong with them."""

    def __init__(self, store: Store, tenant: Tenant, ledger: Ledger, there: Standing) -> None:
        self._store = store
        self._tenant = tenant
        self._ledger = ledger
        self._there = there
        self.problems: list[str] = []
        self._states: list[Negotiation] = []
        self.endings: Counter[str] = Counter()
        self.counted = 0
        """Votes of people that count, or did until they changed their mind."""
        self.refused = 0
        """Votes of people that came too late, or were there already."""

    async def reach(self) -> None:
        streams = await self._streams()
        names = {key.stream for key, protocol in streams.items() if protocol == RULEBOOK.protocol}
        for channel, ts in self._ledger.demands:
            if not names & {next(stream_names(self._tenant, channel, ts))}:
                self.problems.append(f"the demand {ts} in {channel} was lost")
        for (stream, post, where), times in self._there.times.items():
            if times > 1:
                self.problems.append(f"{post} of {stream} stands {times} times in {where}")
        for key, protocol in streams.items():
            if not await self._store.verify(key):
                self.problems.append(f"the chain of {key.stream} does not verify")
            if protocol == RULEBOOK.protocol:
                await self._look(key)
        self.problems += [f"{each} is internal, and another company reads it" for each in sorted(self._there.leaks)]
        begun = {(each.requester_id, each.raw_input) for each in self._states}
        self.problems += [f"{text!r} of {by} was lost" for by, text in self._ledger.commands if (by, text) not in begun]
        self.problems += [
            f"{each.channel_id} is of a stranger" for each in self._states if STRANGER.id in each.requester_id
        ]
        lost = {each.stream for each in [*self._ledger.acknowledged]} - names
        self.problems += [f"an acknowledged vote in {each}, which there is not" for each in sorted(lost)]

    async def _streams(self) -> dict[StreamKey, str]:
        found: dict[StreamKey, str] = {}
        after = 0
        while page := await self._store.events(self._tenant, after, PAGE):
            after = page[-1].position
            for key in {each.key for each in page} - found.keys():
                stream = await self._store.load(key)
                assert stream is not None
                found[key] = stream.protocol
        return found

    async def _look(self, key: StreamKey) -> None:
        stream = await self._store.load(key)
        assert stream is not None
        events = [opened(each, RULEBOOK.events) for each in stream.events]
        state: Negotiation = RULEBOOK.fold(events)
        ends = [each.event_type.rpartition(".")[2] for each in events if isinstance(each, ENDS)]
        self.endings[ends[0] if len(ends) == 1 else "not ended"] += 1
        if len(ends) != 1:
            self.problems.append(f"{key.stream} has the endings {ends}, and is {state.status}")
        votes = [each for each in events if isinstance(each, ProposalFeedback) and each.source is Source.HUMAN]
        await self._look_at_votes(
            key, Counter(Ballot(key.stream, each.round, each.by or "") for each in votes if not each.carried)
        )
        self._states.append(state)
        records = await PostRecords(self._store, key).read()
        self.problems += [
            f"{name} of {key.stream} is given up though nothing but the token was refused: {each.why}"
            for name, each in records.items()
            if each.state == "given_up" and each.why in SHUT
        ]
        self.problems += _told_too_soon(key.stream, state.requester_id, self._there)
        kept_out = {name for name, each in records.items() if each.state == "given_up" and not each.is_direct}
        self.problems += _shown_wrongly(key.stream, state, self._there, kept_out)

    async def _look_at_votes(self, key: StreamKey, counted: Counter[Ballot]) -> None:
        """Each acknowledged vote is on record once, counted or refused; none is counted that nobody gave."""
        recorded, changed = Counter[Ballot](), Counter[Ballot]()
        for act in await acts(self._store, self._tenant, key.stream):
            if act.act == "vote":
                ballot = Ballot(key.stream, act.round, act.by)
                recorded[ballot] += 1
                changed[ballot] += act.changed
        self.counted += counted.total()
        self.refused += recorded.total() - counted.total()
        for ballot in {*recorded, *counted, *(each for each in self._ledger.acknowledged if each.stream == key.stream)}:
            sure, unsure = self._ledger.acknowledged[ballot], self._ledger.unsure[ballot]
            if not sure <= recorded[ballot] <= sure + unsure:
                self.problems.append(f"{recorded[ballot]} votes on record of {sure} to {sure + unsure}: {ballot}")
            if counted[ballot] != changed[ballot]:
                self.problems.append(f"{counted[ballot]} votes counted of {changed[ballot]} that were taken: {ballot}")


def _told_too_soon(stream: str, requester: str, there: Standing) -> Iterator[str]:
    """Yield who was told of a negotiation before its thread stood, besides whoever asked."""
    said = {where: ts for (name, where), ts in there.first.items() if name == stream}
    begun = min((ts for where, ts in said.items() if not where.startswith("D")), default="")
    for where, ts in said.items():
        if where.startswith("D") and where != dm_id(requester) and not (begun and begun < ts):
            yield f"{stream} is told in {where} before its thread stands"


def _shown_wrongly(stream: str, state: Negotiation, there: Standing, kept_out: Set[str] = frozenset()) -> Iterator[str]:
    """Yield what is missing, and where one can still vote though it is over.

    Args:
        kept_out: what Slack has refused in the thread. Whoever asked has it by direct message, but for what people are
            asked there.
    """
    shown = {key.removesuffix(TO_REQUESTER) for name, key, _ in there.times if name == stream}
    thread = [each for each in posts(state) if not each.to and not each.is_late]
    stands = any(name == stream and "/" not in key for name, key, _ in there.times)
    spared = {each.key for each in thread if each.is_for_participants and (not stands or each.key in kept_out)}
    wanted = {each.key for each in thread} - spared
    yield from (f"{key} of {stream} is missing" for key in sorted(wanted - shown))
    if not state.is_open and stream in there.with_votes:
        yield f"one can still vote in {stream}, which is over"


def wrong_in_log(log: Path, secrets: Sequence[str], after: int = 0) -> Iterator[str]:
    """Yield what a log must not have, from a byte on."""
    with log.open("rb") as file:
        file.seek(after)
        text = file.read().decode(errors="replace")
    for line in text.splitlines():
        if line.startswith("Traceback"):
            yield "a traceback in the log"
    yield from (f"a secret in the log: {each[:8]}…" for each in secrets if each in text)
