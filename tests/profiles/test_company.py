"""Everybody that comes with ToWow: those of the demo, and their colleagues."""

import pytest

from engine.directory.profile import Profile
from engine.files.profile_table import alike
from engine.files.profiles import load_company, load_profiles

EVERYBODY = load_company()


def written_in(text: str) -> str:
    return "zh" if any("\u4e00" <= each <= "\u9fff" for each in text) else "en"


def test_they_are_at_least_120_and_those_of_the_demo_are_among_them() -> None:
    assert len(EVERYBODY) >= 120
    assert load_profiles().keys() <= EVERYBODY.keys()


def test_no_two_are_called_the_same() -> None:
    assert len({each.user_name for each in EVERYBODY.values()}) == len(EVERYBODY)


def test_none_is_made_from_the_template_of_another() -> None:
    assert not [*alike(EVERYBODY.values())]


def test_they_are_as_different_as_a_company_is() -> None:
    everybody = [*EVERYBODY.values()]
    assert len({each.location for each in everybody}) >= 60
    assert len({language for each in everybody for language in each.languages}) >= 25
    assert sum(each.limits.busy is not None for each in everybody) >= 3
    assert sum(each.limits != type(each.limits)() for each in everybody) >= 20
    assert sum(each.preferences != type(each.preferences)() for each in everybody) >= 15
    assert {written_in(each.profile_summary) for each in everybody} == {"zh", "en"}


@pytest.mark.parametrize("person", [pytest.param(each, id=each.agent_id) for each in EVERYBODY.values()])
def test_each_says_what_they_do_in_chinese_and_in_english(person: Profile) -> None:
    assert {written_in(words) for words in person.capabilities.values()} == {"zh", "en"}


def test_one_that_repeats_another_with_other_names_is_found() -> None:
    one = EVERYBODY["user_agent_ada_osei"]
    said = one.profile_summary.replace("payroll", "the canteen").replace("Monday", "Friday")
    other = one.model_copy(update={"agent_id": "user_agent_twin", "profile_summary": said})
    [pair] = alike([one, other])
    assert (pair.one, pair.other) == ("user_agent_ada_osei", "user_agent_twin")
    assert pair.share > 0.5
