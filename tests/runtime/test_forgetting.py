"""What is forgotten in a stream is forgotten in those that were begun with its words, though it knows none of them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final

import pytest
from msgspec import Struct

from engine.kernel import PRIVATE, Command, Decision, Event, Forgetter, Link, Millis, Part, Rulebook, StreamKey, Whose
from engine.kernel.message import Tenant
from engine.runtime.forgetting import concerned
from engine.runtime.streams import sealed
from engine.store.memory import MemoryStore
from engine.store.port import Commit, Stream

TENANT: Final = Tenant("T_HERE")
ANN, BO = Whose(user_id="U_ANN"), Whose(user_id="U_BO")


class Noted(Event):
    """Somebody's words begin a note, which may have been made of another one."""

    event_type: ClassVar[str] = "note.noted"
    by: str
    heard: str
    text: Annotated[str, PRIVATE]
    made_of: str = ""


class Note(Struct, frozen=True):
    by: str = ""
    heard: str = ""
    made_of: str = ""


def evolve(state: Note, event: Event) -> Note:
    assert isinstance(event, Noted)
    return Note(event.by, event.heard, event.made_of)


def part_of(state: Note, whose: Whose) -> Part | None:
    return Part.WHOLE if whose.user_id == state.by else Part.OWN if whose.user_id == state.heard else None


def no_commands(state: Any, part: Part, whose: Whose, *, command_id: str, at: Millis) -> Sequence[Command]:
    return ()


NOTES: Final = Rulebook(
    protocol="notes",
    initial=Note(),
    decide=lambda state, command: Decision(),
    evolve=evolve,
    events={Noted.event_type: Noted},
    is_open=lambda state: False,
    forgetter=Forgetter(
        twins_of=lambda state, user_id: frozenset(),
        part_of=part_of,
        links=lambda state: (Link(state.made_of, is_later=False, is_part=False),) if state.made_of else (),
        quotes=lambda state, whose: True,
        leave=no_commands,
        quoting=lambda history, part, whose: frozenset(range(len(history))),
        erase=no_commands,
    ),
)


class Stored(dict[StreamKey, Stream]):
    """Streams, and which of them were read."""

    def __init__(self, streams: Mapping[StreamKey, Stream]) -> None:
        super().__init__(streams)
        self.read: list[str] = []

    def naming(self, names: Collection[str]) -> list[StreamKey]:
        said = {
            key: " ".join((key.stream, *(f"{event.public}{event.private}" for event in each.events)))
            for key, each in self.items()
        }
        return [key for key, words in said.items() if any(name in words for name in names)]

    def load(self, key: StreamKey) -> Stream | None:
        self.read.append(key.stream)
        return self.get(key)


async def stored() -> Stored:
    """Return three notes, the third made of the second, and that of the first; and one that has to do with none."""
    store = MemoryStore()
    await store.open()
    notes = {
        "first": Noted(by="U_ANN", heard="U_BO", text="a secret"),
        "second": Noted(by="U_CY", heard="U_DEE", text="it is said that ...", made_of="first"),
        "third": Noted(by="U_EVE", heard="U_FAY", text="they say that ...", made_of="second"),
        "apart": Noted(by="U_GIL", heard="U_HU", text="it rains"),
    }
    for name, note in notes.items():
        await store.commit(Commit(StreamKey(TENANT, name), "notes", 0, (), (sealed(note, 1),)))
    streams = [await store.load(StreamKey(TENANT, name)) for name in notes]
    return Stored({each.key: each for each in streams if each is not None})


async def found(whose: Whose, *named: str) -> dict[str, Part]:
    keys = [StreamKey(TENANT, each) for each in named]
    return {each.key.stream: each.part for each in concerned(await stored(), {"notes": NOTES}, whose, keys)}


async def test_what_has_nothing_to_do_with_it_is_not_even_read() -> None:
    streams = await stored()

    concerned(streams, {"notes": NOTES}, ANN)

    assert {*streams.read} == {"first", "second", "third"}


@pytest.mark.parametrize(
    ("whose", "named"), [pytest.param(Whose(), ("first",), id="named"), pytest.param(ANN, (), id="theirs")]
)
async def test_what_was_made_of_something_is_forgotten_with_it(whose: Whose, named: Sequence[str]) -> None:
    assert await found(whose, *named) == {"first": Part.WHOLE, "second": Part.WHOLE, "third": Part.WHOLE}


async def test_who_took_part_in_something_may_be_quoted_in_what_was_made_of_it() -> None:
    assert await found(BO) == {"first": Part.OWN, "second": Part.QUOTED, "third": Part.QUOTED}


async def test_what_something_was_made_of_stays_where_that_is_forgotten() -> None:
    assert await found(Whose(), "third") == {"third": Part.WHOLE}
    assert await found(Whose(user_id="U_DEE")) == {"second": Part.OWN, "third": Part.QUOTED}
