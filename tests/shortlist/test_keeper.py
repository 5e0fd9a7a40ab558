"""The index of a tenant's profiles, kept up to date, with its vectors in the store."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest

from engine.directory.profile import Profile, Profiles
from engine.errors import StoreUnavailable
from engine.kernel import Tenant
from engine.llm.encoder import Meaning
from engine.shortlist import KIND
from engine.shortlist.described import DIMENSION
from engine.shortlist.index import BATCH
from engine.shortlist.keeper import Shortlists
from engine.shortlist.people import SearchedProfiles, candidates
from engine.store.memory import MemoryStore
from engine.store.port import Store
from engine.store.sqlite import SqliteStore

ACME, BETA = Tenant("T_ACME", ""), Tenant("T_BETA", "")


class WordsEmbedder:
    """Makes a vector of the words of a text, and counts the texts."""

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> Sequence[Any]:
        self.encoded += texts
        return [self._vector(each) for each in texts]

    def _vector(self, text: str) -> Any:
        vector = np.zeros(DIMENSION)
        for word in text.split():
            vector[sum(map(ord, word)) % DIMENSION] += 1
        return vector / (np.linalg.norm(vector) or 1)


def profile(number: int, tag: str = "gardening") -> Profile:
    return Profile(
        agent_id=f"user_agent_{number:03}",
        user_name=f"Person {number}",
        profile_summary=f"I am number {number} of many who do {tag}. " * 8,
        location="Bonn",
        tags=(tag,),
        capabilities={tag: f"{tag} for everybody"},
        availability="always",
        languages=("English",),
    )


def crowd(*others: Profile, size: int = 45) -> Profiles:
    everybody = [*(profile(each) for each in range(size)), *others]
    return Profiles({each.agent_id: each for each in everybody})


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Any) -> AsyncIterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "towow.db")
    await made.open()
    yield made
    await made.close()


@asynccontextmanager
async def shortlists(store: Store, embedder: WordsEmbedder | None) -> AsyncIterator[Shortlists]:
    keeper = Shortlists(store, encoder=Meaning(lambda: embedder))
    try:
        yield keeper
    finally:
        await keeper.close()


def found(profiles: Profiles, demand: str) -> list[str]:
    return [each.agent_id for each in candidates(profiles, demand, (), lambda _: True)]


async def test_few_people_are_not_searched(store: Store) -> None:
    embedder, few = WordsEmbedder(), crowd(size=40)
    async with shortlists(store, embedder) as keeper:
        assert await keeper.of(ACME, few) is few
    assert not embedder.encoded
    assert not await store.records(ACME, KIND)


async def test_one_of_many_is_found_among_forty(store: Store) -> None:
    async with shortlists(store, WordsEmbedder()) as keeper:
        many = await keeper.of(ACME, crowd(profile(900, "welding")))
        names = found(many, "welding")
    assert names[0] == "user_agent_900"
    assert len(names) == 40


async def test_only_whoever_has_changed_is_encoded_again(store: Store) -> None:
    embedder, people = WordsEmbedder(), crowd()
    async with shortlists(store, embedder) as keeper:
        await keeper.of(ACME, people)
        embedder.encoded.clear()
        await keeper.of(ACME, Profiles({**people, "user_agent_003": profile(3, "welding")}))
    assert len(embedder.encoded) == 2
    assert all("welding" in each for each in embedder.encoded)


async def test_after_a_start_nobody_is_encoded_again(store: Store) -> None:
    async with shortlists(store, WordsEmbedder()) as keeper:
        assert found(await keeper.of(ACME, crowd(profile(900, "welding"))), "a welding job")[0] == "user_agent_900"
    again = WordsEmbedder()
    async with shortlists(store, again) as keeper:
        many = await keeper.of(ACME, crowd(profile(900, "welding")))
        assert not again.encoded
        assert found(many, "a welding job")[0] == "user_agent_900"


async def test_the_vectors_of_whoever_is_gone_are_deleted(store: Store) -> None:
    async with shortlists(store, WordsEmbedder()) as keeper:
        await keeper.of(ACME, crowd(profile(900)))
        await keeper.of(ACME, crowd())
        assert "user_agent_900" not in await store.records(ACME, KIND)
        assert len(await store.records(ACME, KIND)) == 45


async def test_tenants_do_not_find_each_others_people(store: Store) -> None:
    async with shortlists(store, WordsEmbedder()) as keeper:
        await keeper.of(ACME, crowd(profile(900, "welding")))
        other = await keeper.of(BETA, crowd())
        assert "user_agent_900" not in found(other, "welding")
        assert "user_agent_900" not in await store.records(BETA, KIND)


async def test_without_an_encoder_words_find_people(store: Store) -> None:
    async with shortlists(store, None) as keeper:
        many = await keeper.of(ACME, crowd(profile(900, "welding")))
        assert isinstance(many, SearchedProfiles)
        assert found(many, "welding")[0] == "user_agent_900"


async def test_a_stored_vector_that_cannot_be_read_is_made_anew(store: Store) -> None:
    await store.put_records(ACME, KIND, {"user_agent_001": "{}", "user_agent_002": '{"digest":"x","vectors":"!"}'})
    embedder = WordsEmbedder()
    async with shortlists(store, embedder) as keeper:
        await keeper.of(ACME, crowd())
    assert len(embedder.encoded) == 90


class FullStore(MemoryStore):
    """Has no room for what was encoded."""

    async def put_records(
        self, tenant: Tenant, kind: str, records: Mapping[str, str | None], *, member: str = ""
    ) -> None:
        raise StoreUnavailable("The store found no room on its disk.")


async def test_what_cannot_be_kept_is_known_all_the_same_and_nobody_else_is_left_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    embedder = WordsEmbedder()
    store = FullStore()
    await store.open()
    async with shortlists(store, embedder) as keeper:
        await keeper.of(ACME, crowd(size=2 * BATCH))
    assert len(embedder.encoded) == 4 * BATCH
    assert {each.levelname for each in caplog.records} == {"WARNING"}
    assert not any(each.exc_info for each in caplog.records)
