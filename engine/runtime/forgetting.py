"""Forgets a person, or a stream: finds what holds their words, and erases it, stream by stream.

Each stream is one commit: whoever is forgotten leaves it where it goes on, what holds or may quote them is erased, and
an event says so. Killed in between, it is begun again and finds what is left. No runtime may decide meanwhile, since
it would know the words.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace as with_fields
from typing import Any, NamedTuple, Protocol

from msgspec.structs import replace

from engine.kernel import Ask, Command, Event, Forgetter, Millis, Part, Rulebook, StreamKey, Whose, encode
from engine.kernel.encoding import parted
from engine.runtime.streams import Batch, Loaded, opened
from engine.store.port import Commit, Store, StoredEvent, Stream

Rulebooks = Mapping[str, Rulebook[Any]]
"""By protocol."""


class Streams(Protocol):
    """Those of a tenant."""

    def naming(self, names: Collection[str]) -> Iterable[StreamKey]:
        """Return those that are called so, or of which an event has one of these as a whole string."""

    def load(self, key: StreamKey) -> Stream | None: ...


class Concerned(NamedTuple):
    """A stream that holds words which are to be erased, or that somebody has to leave."""

    key: StreamKey
    protocol: str
    part: Part
    events: int
    """How many of its events hold such words."""
    leaves: tuple[str, ...]
    """The kinds of the commands by which it is left."""
    files: frozenset[str] = frozenset()
    """What workers have left files about that are erased as well, such as tickets; all of them where it is forgotten as
    a whole."""


_Link = tuple[StreamKey, bool, bool]
"""To which stream, whether it is later, and whether models are told there what was said here."""


class _Known(NamedTuple):
    """What is kept of a stream while the others are read."""

    key: StreamKey
    part: Part | None
    links: tuple[_Link, ...]
    quotes: bool


def whose_words(streams: Streams, rulebooks: Rulebooks, name: str) -> Whose:
    """The person whom people mean by the id of a user or of a twin."""
    agent_ids: set[str] = {name}
    for stored, forgetter in _forgetters(_loaded(streams, streams.naming({name})), rulebooks):
        agent_ids |= forgetter.twins_of(_state(stored, rulebooks), name)
    return Whose(user_id=name, agent_ids=frozenset(agent_ids))


def concerned(streams: Streams, rulebooks: Rulebooks, whose: Whose, named: Iterable[StreamKey] = ()) -> list[Concerned]:
    """Find what is to be erased.

    Args:
        named: streams that are forgotten as a whole, whoever spoke there.
    """
    known: dict[StreamKey, _Known] = {}
    sought: set[str] = set()

    def learn(names: Iterable[str]) -> None:
        unsought = {*names} - sought - {""}
        sought.update(unsought)
        found = [key for key in streams.naming(unsought) if key not in known] if unsought else []
        known.update((each.key, each) for each in _known(_loaded(streams, found), rulebooks, whose))

    named = [*named]
    learn((whose.user_id, *whose.agent_ids, *(key.stream for key in named)))
    parts = {key: each.part for key, each in known.items() if each.part} | dict.fromkeys(named, Part.WHOLE)
    waiting = [*parts]
    while waiting:
        # Whatever was begun with the words of one of these names it, and what one of these has begun is called so.
        learn(name for key in waiting for name in (key.stream, *(to.stream for to, _, _ in known[key].links)))
        links = _links(known)
        looked_at, waiting = waiting, []
        for key in looked_at:
            for to, is_later, is_part in links[key]:
                if to not in known:
                    continue
                part = Part.WHOLE if parts[key] is Part.WHOLE and is_later else None
                if part is None and is_part and parts[key] is not Part.WHOLE and known[to].quotes:
                    part = parts.get(to) or Part.QUOTED
                if part is not None and parts.get(to) is not part and parts.get(to) is not Part.WHOLE:
                    parts[to] = part
                    waiting.append(to)
    found = (_concerned(each, rulebooks, parts[each.key], whose) for each in _loaded(streams, parts))
    return [each for each in found if each.events or each.leaves]


def _loaded(streams: Streams, keys: Iterable[StreamKey]) -> Iterator[Stream]:
    return (stored for key in keys if (stored := streams.load(key)) is not None)


async def forget(
    store: Store, epoch: int, rulebooks: Rulebooks, key: StreamKey, part: Part, whose: Whose, at: Millis
) -> None:
    """Erase what there is in one stream. Where there is nothing, nothing happens."""
    stored = await store.load(key)
    if stored is not None and (commit := _commit(stored, rulebooks[stored.protocol], part, whose, at, epoch)):
        await store.commit(commit, urgent=True)


def _commit(stored: Stream, rulebook: Rulebook[Any], part: Part, whose: Whose, at: Millis, epoch: int) -> Commit | None:
    forgetter = rulebook.forgetter
    assert forgetter is not None  # noqa: S101 - it was found by it
    loaded = Loaded.from_store(stored, rulebook)
    history = [opened(each, rulebook.events) for each in stored.events]
    batch, cause = Batch(loaded), f"forget:{stored.version}"
    for command in forgetter.leave(loaded.state, part, whose, command_id=f"{cause}:leave", at=at):
        history += _take(batch, rulebook, command)
    quoting = [number + 1 for number in sorted(forgetter.quoting(history, part, whose))]
    held = [seq for seq in quoting if seq > stored.version or _holds_words(stored.events[seq - 1], rulebook)]
    if not held and len(history) == stored.version:
        return None
    reworded = [(seq, _reworded(stored.events[seq - 1], rulebook)) for seq in held if seq <= stored.version]
    reword = tuple((seq, public) for seq, public in reworded if public is not None)
    former = stored.chain.hex() if reword else ""
    for command in forgetter.erase(batch.after.state, part, whose, command_id=f"{cause}:erase", at=at):
        _take(batch, rulebook, replace(command, former_chain=former))
    commit = batch.commit(epoch)
    assert commit is not None  # noqa: S101 - something was decided
    return with_fields(_without_questions(commit, stored), erase=tuple(held), reword=reword)


def _take(batch: Batch, rulebook: Rulebook[Any], command: Command) -> Sequence[Event]:
    """Add what follows from a command to the batch, and return its events."""
    decision = rulebook.decide(batch.after.state, command)
    batch.take(command, decision)
    return decision.events


def _without_questions(commit: Commit, stored: Stream) -> Commit:
    """Where it has ended, no model is asked any more: what it would be asked about is erased."""
    if commit.is_open:
        return commit
    asked = tuple(each.effect_id for each in stored.outbox if each.kind == Ask.kind)
    return with_fields(
        commit,
        add_effects=tuple(each for each in commit.add_effects if each.kind != Ask.kind),
        drop_effects=tuple(dict.fromkeys((*commit.drop_effects, *asked))),
    )


def _concerned(stored: Stream, rulebooks: Rulebooks, part: Part, whose: Whose) -> Concerned:
    rulebook = rulebooks[stored.protocol]
    forgetter = rulebook.forgetter
    assert forgetter is not None  # noqa: S101 - it was found by it
    history = [opened(each, rulebook.events) for each in stored.events]
    state = rulebook.fold(history)
    quoting = forgetter.quoting(history, part, whose)
    held = sum(_holds_words(stored.events[number], rulebook) for number in quoting)
    leaves = forgetter.leave(state, part, whose, command_id="", at=0)
    return Concerned(
        stored.key,
        stored.protocol,
        part,
        held,
        tuple(type(each).__name__ for each in leaves),
        forgetter.files(history, quoting),
    )


def _known(streams: Iterable[Stream], rulebooks: Rulebooks, whose: Whose) -> Iterator[_Known]:
    for stored, forgetter in _forgetters(streams, rulebooks):
        state, tenant = _state(stored, rulebooks), stored.key.tenant
        links = tuple((StreamKey(tenant, to), later, part) for to, later, part in forgetter.links(state))
        yield _Known(stored.key, forgetter.part_of(state, whose), links, forgetter.quotes(state, whose))


def _links(known: Mapping[StreamKey, _Known]) -> Mapping[StreamKey, Sequence[_Link]]:
    """Return the links of each stream, with those to streams that alone know what they were begun with."""
    links = {key: [*each.links] for key, each in known.items()}
    for key, each in known.items():
        for origin, is_later, _ in each.links:
            if not is_later and origin in links:
                links[origin].append((key, True, True))
    return links


def _forgetters(streams: Iterable[Stream], rulebooks: Rulebooks) -> Iterator[tuple[Stream, Forgetter]]:
    for stored in streams:
        rulebook = rulebooks.get(stored.protocol)
        if rulebook is not None and rulebook.forgetter is not None and stored.version:
            yield stored, rulebook.forgetter


def _state(stored: Stream, rulebooks: Rulebooks) -> Any:
    rulebook = rulebooks[stored.protocol]
    return rulebook.fold([opened(each, rulebook.events) for each in stored.events])


def _holds_words(stored: StoredEvent, rulebook: Rulebook[Any]) -> bool:
    return stored.private is not None or _reworded(stored, rulebook) is not None


def _reworded(stored: StoredEvent, rulebook: Rulebook[Any]) -> str | None:
    """What is public of an event without texts, where an earlier version kept some there; else None."""
    public, private = parted(opened(with_fields(stored, private=None), rulebook.events), is_written=True)
    return encode(public) if private else None
