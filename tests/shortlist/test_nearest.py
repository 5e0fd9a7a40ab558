"""Who is nearest to what is looked for."""

import pytest

from engine.directory.profile import Profile
from engine.llm.encoder import NotKnownYet, only_known
from engine.shortlist.nearest import nearest
from engine.store.memory import MemoryStore
from tests.shortlist.test_keeper import ACME, WordsEmbedder, crowd, profile, shortlists

WELDER, SINGER = profile(901, "welding"), profile(902, "singing")


def people() -> list[Profile]:
    return [*(profile(each) for each in range(8)), WELDER, SINGER]


def test_the_best_comes_first_and_so_many_as_are_asked_for() -> None:
    found = nearest(["somebody for welding", "I weld steel"], people(), 3)
    assert found[0].profile is WELDER
    assert len(found) == 3
    assert found[0].score > found[1].score
    assert found[0].nearness > found[2].nearness
    assert found[0].words > 0 == found[2].words


def test_everybody_is_ranked_where_few_are_there() -> None:
    assert {each.profile.agent_id for each in nearest(["nothing of the kind"], people(), 99)} == {
        each.agent_id for each in people()
    }


def test_a_phrase_of_who_would_fit_finds_whom_the_need_does_not() -> None:
    without = nearest(["the gate fell off"], people(), 10)
    with_phrases = nearest(["the gate fell off", "welding for everybody", "I do welding"], people(), 10)
    assert with_phrases[0].profile is WELDER
    assert without[0].score < with_phrases[0].score


def test_profiles_may_come_as_a_mapping() -> None:
    assert nearest(["singing"], {each.agent_id: each for each in people()}, 1)[0].profile is SINGER


@pytest.mark.parametrize("texts", [[], ["", "  "]])
def test_nothing_is_near_to_nothing(texts: list[str]) -> None:
    assert nearest(texts, people(), 3) == []


def test_nobody_is_near_where_nobody_is() -> None:
    assert nearest(["welding"], [], 3) == []


def test_who_has_changed_is_found_by_what_they_say_now() -> None:
    assert nearest(["welding"], people(), 1)[0].profile is WELDER
    now = [profile(901, "sailing"), *people()[:8], profile(903, "welding")]
    assert nearest(["welding"], now, 1)[0].profile.agent_id == "user_agent_903"


def test_who_serves_others_meanwhile_does_not_wait_for_the_encoder() -> None:
    with pytest.raises(NotKnownYet):
        only_known(lambda: nearest(["never said before, of anybody"], [profile(77, "glass blowing")], 1))


async def test_of_many_the_index_that_is_kept_is_searched() -> None:
    store = MemoryStore()
    await store.open()
    async with shortlists(store, embedder := WordsEmbedder()) as keeper:
        many = await keeper.of(ACME, crowd(WELDER))
        embedder.encoded.clear()
        assert nearest(["welding"], many, 2)[0].profile == WELDER
        assert embedder.encoded == ["welding"]
