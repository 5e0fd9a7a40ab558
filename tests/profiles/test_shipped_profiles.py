"""The colleagues that come with ToWow."""

import pytest

from engine.directory.profile import Profile, Profiles
from engine.offline.reading.script import tag_of
from tests.profiles.people import shipped

PEOPLE = shipped()
EVERYBODY = [pytest.param(each, id=each.user_name) for each in PEOPLE.values()]


def test_there_are_thirty_of_them() -> None:
    assert len(PEOPLE) == 30


def test_about_half_of_them_write_chinese() -> None:
    chinese = [each for each in PEOPLE.values() if tag_of(each.profile_summary) == "zh"]
    assert 12 <= len(chinese) <= 18


@pytest.mark.parametrize("person", EVERYBODY)
def test_each_introduces_themself_in_200_to_500_characters(person: Profile) -> None:
    assert 200 <= len(person.profile_summary) <= 500


@pytest.mark.parametrize("person", EVERYBODY)
def test_each_says_what_they_do_in_chinese_and_in_english(person: Profile) -> None:
    assert {tag_of(words) for words in person.capabilities.values()} == {"zh", "en"}


@pytest.mark.parametrize("person", EVERYBODY)
def test_what_their_twins_say_exists_in_both_languages(person: Profile) -> None:
    preferences, limits = person.preferences, person.limits
    said = [each.text for each in preferences.conditions]
    said += [words for each in preferences.asks for words in (each.change, each.because)]
    said += [each.because for each in preferences.leaves_if]
    said += [limits.busy] if limits.busy else []
    assert all(words.zh and words.en for words in said)


def test_no_two_of_them_are_called_the_same() -> None:
    assert len({each.user_name for each in PEOPLE.values()}) == len(PEOPLE)


def test_they_come_in_the_order_of_their_ids() -> None:
    assert list(PEOPLE) == sorted(PEOPLE)
    assert list(Profiles(dict(reversed(list(PEOPLE.items()))))) == list(PEOPLE)
