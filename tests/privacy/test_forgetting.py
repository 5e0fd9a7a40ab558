"""What is forgotten is nowhere in the database any more, and what stays is as it was and can be verified."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from bot.commands.forget import carry_out, plans, rulebooks_of
from bot.registry import PROTOCOLS
from engine.directory.held import Notifications, QuietHours
from engine.directory.messages import ChooseNotifications, LoadProfiles
from engine.directory.rules import RULEBOOK as DIRECTORY
from engine.kernel import Event, StreamKey, Tenant, encode
from engine.kernel.encoding import parted
from engine.negotiation.events import WordsErased
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from engine.runtime.streams import opened, sealed
from engine.shortlist import KIND as VECTORS
from engine.store.port import Commit, NewEvent
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.archive import Archive
from tests.bot.script import people
from tests.negotiation.record_histories import OUTCOMES
from tests.negotiation.scenario import NOON, REQUESTER, voting

HERE: Final = Tenant("T_HERE")
LINKED: Final = {"ann": "U_ANN", "bo": "U_BO"}
HISTORIES: Final = {name: [*play().history] for name, play in OUTCOMES.items()}


def new(event: Event) -> NewEvent:
    return sealed(event, NOON)


def earlier(event: Event) -> NewEvent:
    """As an earlier version wrote it, which kept most texts among what is public."""
    return NewEvent(event.event_type, NOON, encode(event))


async def write(path: Path, history: Sequence[Event], form: Any = new, *, number: int = 1) -> StreamKey:
    key = StreamKey(HERE, f"collab-{number:08}")
    store = SqliteStore(path)
    await store.open()
    refused = (("click-1", "NotAllowed: Only Ann the canary can vote for this seat."), ("click-2", None))
    await store.commit(
        Commit(key, "negotiation", 0, refused, tuple(form(replace(each, channel_id=key.stream)) for each in history))
    )
    await store.close()
    return key


async def forget(path: Path, **whose: str) -> None:
    store = SqliteStore(path)
    await store.open()
    try:
        epoch = await store.lease()
        for plan in plans(Archive(path), PROTOCOLS, **whose):
            await carry_out(store, epoch, plan, PROTOCOLS, NOON + 1)
    finally:
        await store.close()


def state_of(archive: Archive, key: StreamKey) -> Negotiation:
    stored = archive.load(key)
    assert stored is not None
    state: Negotiation = RULEBOOK.fold([opened(each, RULEBOOK.events) for each in stored.events])
    return state


def texts_in(value: Any) -> set[str]:
    """Every text in a private part that is long enough to be told from others."""
    match value:
        case str():
            return {value} if len(value) > 6 else set()
        case dict():
            return set().union(*map(texts_in, value.values())) if value else set()
        case list() | tuple():
            return set().union(*map(texts_in, value)) if value else set()
        case _:
            return texts_in([getattr(value, each) for each in getattr(value, "__struct_fields__", ())])


def bytes_of(path: Path) -> bytes:
    return b"".join(each.read_bytes() for each in path.parent.iterdir() if each.name.startswith(path.name))


@pytest.mark.parametrize("form", [new, earlier], ids=["as it is written", "as an earlier version wrote it"])
@pytest.mark.parametrize("name", HISTORIES)
async def test_a_negotiation_is_forgotten_as_a_whole(tmp_path: Path, name: str, form: Any) -> None:
    path = tmp_path / "towow.db"
    key = await write(path, HISTORIES[name], form)
    before = state_of(Archive(path), key)
    words = set().union(*(texts_in(parted(each)[1]) for each in HISTORIES[name])) | {"Ann the canary"}
    assert len(words) > 2
    assert all(each.encode() in bytes_of(path) for each in words if each.isascii() and '"' not in each)

    await forget(path, negotiation=key.stream)

    archive = Archive(path)
    assert archive.verify(key)
    assert [each for each in words if each.encode() in bytes_of(path)] == []
    after = state_of(archive, key)
    assert (after.round, after.raw_input) == (before.round, "")
    assert after.outcome is (before.outcome if not before.is_open else after.outcome)
    assert not after.is_open
    assert [each for plan in plans(archive, PROTOCOLS, negotiation=key.stream) for each in plan.streams] == []


async def test_a_chain_that_is_linked_anew_says_what_it_was(tmp_path: Path) -> None:
    path = tmp_path / "towow.db"
    key = await write(path, HISTORIES["consensus"], earlier)
    before = Archive(path).load(key)

    await forget(path, negotiation=key.stream)

    after = Archive(path).load(key)
    assert before is not None
    assert after is not None
    [erased] = [each for each in after.events if each.event_type == WordsErased.event_type]
    said = opened(erased, RULEBOOK.events)
    assert isinstance(said, WordsErased)
    assert (said.by, said.former_chain) == ("operator", before.chain.hex())


async def test_a_history_that_somebody_has_changed_is_not_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "towow.db"
    key = await write(path, HISTORIES["consensus"], earlier)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE events SET public = replace(public, '\"agent\"', '\"human\"')")
    connection.close()

    with pytest.raises(ValueError, match="not those that were written"):
        await forget(path, negotiation=key.stream)

    assert not Archive(path).verify(key)


def story() -> Any:
    """Ann and Bo have voted in person, in words of their own, Cy's twin has, and Dee's has not answered yet."""
    told = voting("ann", "bo", "cy", "dee", linked=LINKED)
    told.twin("ann", "accept").twin("bo", "accept").twin("cy", "accept", "what the twin of Cy says")
    return told.clicks("U_ANN", "ann", "negotiate", "words of Ann").clicks("U_BO", "bo", "negotiate", "words of Bo")


async def test_who_takes_part_leaves_and_others_keep_what_they_have_said_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "towow.db"
    history = [*story().history]
    key = await write(path, history)

    await forget(path, user="U_ANN")

    after = state_of(Archive(path), key)
    assert Archive(path).verify(key)
    assert after.raw_input
    assert (after.status, after.cancelled_by) == (Status.CANCELLED, "operator")
    votes = {agent_id: seat.vote.reasoning for agent_id, seat in after.rounds[0].seats.items() if seat.vote}
    assert votes == {"ann": "", "bo": "words of Bo", "cy": ""}
    names = {agent_id: each.display_name for agent_id, each in after.invited.items()}
    assert names == {"ann": "", "bo": "Bo", "cy": "Cy", "dee": "Dee"}
    assert b"words of Ann" not in bytes_of(path)
    assert after.proposals[0].summary == ""


async def test_before_there_is_a_plan_who_takes_part_only_declines(tmp_path: Path) -> None:
    path = tmp_path / "towow.db"
    told = voting("ann", "bo", "cy", linked=LINKED)
    history = [*told.history]
    begun = history[: next(n for n, each in enumerate(history) if each.event_type == "towow.aggregation.started")]
    key = await write(path, begun)

    await forget(path, user="U_ANN")

    after = state_of(Archive(path), key)
    assert after.is_open
    assert {agent_id: str(each.decision) for agent_id, each in after.offers.items()} == {
        "ann": "decline", "bo": "participate", "cy": "participate",
    }  # fmt: skip
    assert after.offers["bo"].contribution
    assert after.raw_input


async def test_what_somebody_asked_for_is_stopped_and_forgotten_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "towow.db"
    key = await write(path, [*story().history])

    await forget(path, user=REQUESTER)

    after = state_of(Archive(path), key)
    assert after.status is Status.CANCELLED
    assert after.raw_input == ""
    for words in (b"words of Ann", b"words of Bo", b"what the twin of Cy says"):
        assert words not in bytes_of(path)


@pytest.mark.parametrize("form", [new, earlier], ids=["as it is written", "as an earlier version wrote it"])
async def test_a_profile_is_forgotten_and_its_file_is_not_loaded_again(tmp_path: Path, form: Any) -> None:
    path, key = tmp_path / "towow.db", StreamKey(HERE, "directory")
    profiles = tuple(people({"ada": "U_ADA", "bo": "U_BO"}).values())
    load = LoadProfiles(command_id="load", at=NOON, profiles=profiles)
    loaded = DIRECTORY.decide(DIRECTORY.initial, load).events
    store = SqliteStore(path)
    await store.open()
    await store.commit(Commit(key, "directory", 0, (), tuple(map(form, loaded))))
    await store.put_records(HERE, VECTORS, {each.agent_id: f'"what {each.agent_id} means"' for each in profiles})
    await store.close()
    [ada] = [each for each in profiles if each.slack_user == "U_ADA"]

    await forget(path, user="U_ADA")

    stored = Archive(path).load(key)
    assert stored is not None
    assert Archive(path).verify(key)
    state = DIRECTORY.fold([opened(each, DIRECTORY.events) for each in stored.events])
    assert [*state.people] == [each.agent_id for each in profiles if each.slack_user == "U_BO"]
    assert ada.profile_summary.encode() not in bytes_of(path)
    assert f"what {ada.agent_id} means".encode() not in bytes_of(path)
    assert not DIRECTORY.decide(state, load).events, "the file is still there"
    assert [each for plan in plans(Archive(path), PROTOCOLS, user="U_ADA") for each in plan.streams] == []


async def test_how_somebody_chose_to_be_told_is_forgotten_also_where_they_have_no_twin(tmp_path: Path) -> None:
    path, key = tmp_path / "towow.db", StreamKey(HERE, "directory")
    history: list[Event] = []
    for user, hour in (("U_ADA", "21:47"), ("U_BO", "22:13")):
        chosen = Notifications(when="digest", quiet=QuietHours(start=hour, end="06:31"))
        command = ChooseNotifications(command_id=user, at=NOON, by=user, chosen=chosen)
        history += DIRECTORY.decide(DIRECTORY.fold(history), command).events
    store = SqliteStore(path)
    await store.open()
    await store.commit(Commit(key, "directory", 0, (), tuple(map(new, history))))
    await store.close()
    assert b"21:47" in bytes_of(path)

    await forget(path, user="U_ADA")

    stored = Archive(path).load(key)
    assert stored is not None
    assert Archive(path).verify(key)
    after = DIRECTORY.fold([opened(each, DIRECTORY.events) for each in stored.events])
    assert [*after.chosen] == ["U_BO"]
    assert b"21:47" not in bytes_of(path)
    assert [each for plan in plans(Archive(path), PROTOCOLS, user="U_ADA") for each in plan.streams] == []


async def test_killed_in_between_it_is_begun_again_and_finds_what_is_left(tmp_path: Path) -> None:
    """A plan that was found before is carried out in part; then everything is found anew."""
    path = tmp_path / "towow.db"
    keys = [await write(path, [*story().history], number=number) for number in (1, 2, 3)]
    for done in range(len(keys) + 1):
        store = SqliteStore(path)
        await store.open()
        [plan] = plans(Archive(path), PROTOCOLS, user="U_ANN")
        assert [each.key for each in plan.streams] == keys[done:]
        await carry_out(store, await store.lease(), plan._replace(streams=plan.streams[:1]), PROTOCOLS, NOON + done)
        await store.close()

    assert all(Archive(path).verify(key) for key in keys)
    assert b"words of Ann" not in bytes_of(path)
    assert [state_of(Archive(path), key).status for key in keys] == [Status.CANCELLED] * 3


async def test_a_stranger_is_nobody_s_words(tmp_path: Path) -> None:
    path = tmp_path / "towow.db"
    await write(path, [*story().history])

    assert [each for plan in plans(Archive(path), PROTOCOLS, user="U_NOBODY") for each in plan.streams] == []


def test_every_protocol_says_how_its_words_are_forgotten() -> None:
    for name, rulebook in rulebooks_of(PROTOCOLS).items():
        assert rulebook.forgetter is not None, name
