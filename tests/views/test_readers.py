"""A negotiation in two languages: direct messages are in their reader's, the thread is in the demand's."""

import re
from collections.abc import Mapping

import pytest
from hypothesis import given

from bot.views.kit.post import Post
from bot.views.kit.presenter import KnownLanguage
from bot.views.negotiation.presenter import posts
from engine.facts.language import Language
from engine.negotiation.state import Negotiation
from tests.negotiation.scenario import REQUESTER
from tests.views.corpus import negotiations
from tests.views.message_contents import shown
from tests.views.stories import Story, voting
from tests.views.test_any_negotiation import any_negotiation

LINKED = {"aya": "U_AYA", "bo": "U_BO", "chen": "U_CHEN"}
CHINESE = re.compile("[一-鿿]")


def reading(languages: Mapping[str, Language]) -> KnownLanguage:
    return lambda user, _key: languages.get(user)


def by_key(state: Negotiation, languages: Mapping[str, Language]) -> Mapping[str, Post]:
    return {each.key: each for each in posts(state, reading(languages))}


def written(post: Post) -> str:
    return f"{post.text}\n{shown(post)}"


@pytest.fixture
def story() -> Story:
    """Everybody has every kind of message."""
    story = voting("aya", "bo", "chen", linked=LINKED).twin("aya", "accept").twin("bo", "accept")
    opened = story.state.rounds[-1]
    story.now = opened.window.people_until - 1_800_000
    return story.rings(f"remind/{opened.number}").twin("chen", "accept").time_is_up()


def test_everybody_s_own_messages_are_in_their_language_and_the_thread_in_the_demand_s(story: Story) -> None:
    found = by_key(story.state, {"U_AYA": "zh", "U_BO": "en"})

    of_aya = [each for each in found.values() if each.to == "U_AYA"]
    assert {each.key for each in of_aya} == {"part-1/aya", "reminder-1/aya", "ending/aya"}
    assert all(CHINESE.search(written(each)) for each in of_aya)
    assert not any(CHINESE.search(written(each)) for each in found.values() if each.to != "U_AYA")
    assert {each.to: each.language for each in found.values()} == {
        "": None, "U_AYA": "zh", "U_BO": "en", "U_CHEN": "en", REQUESTER: "en"
    }  # fmt: skip


def test_what_people_and_models_wrote_is_the_same_in_every_language(story: Story) -> None:
    english, chinese = by_key(story.state, {}), by_key(story.state, {"U_AYA": "zh"})
    proposal = story.state.proposals[-1]
    [mine] = [each for each in proposal.assignments if each.agent_id == "aya"]

    for said in (proposal.summary, mine.role, mine.responsibility):
        assert said in written(english["part-1/aya"])
        assert said in written(chinese["part-1/aya"])


def test_equal_parts_are_drawn_once_in_each_language(story: Story) -> None:
    languages: Mapping[str, Language] = {"U_AYA": "zh"}
    part = by_key(story.state, languages)["part-1/aya"]

    assert by_key(story.state, languages)["part-1/aya"] is part
    assert by_key(story.state, {})["part-1/aya"].digest != part.digest


@any_negotiation
@given(negotiations())
def test_nobody_s_language_changes_what_there_is_to_read_nor_anything_of_anybody_else(state: Negotiation) -> None:
    plain, chinese = posts(state), posts(state, lambda _user, _key: "zh")

    assert [(each.key, each.to, each.restored, each.is_late) for each in plain] == [
        (each.key, each.to, each.restored, each.is_late) for each in chinese
    ]
    assert [each for each in plain if not each.to] == [each for each in chinese if not each.to]
