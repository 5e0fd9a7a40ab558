"""Whose Slack account a profile is."""

import pytest

from engine.directory.profile import Words
from engine.errors import Misconfigured
from tests.profiles.people import shipped

PEOPLE = shipped()


def test_a_link_names_the_slack_user_of_an_agent_and_leaves_the_others() -> None:
    linked = PEOPLE.with_links({"user_agent_chen_mo": "U1"})
    assert linked["user_agent_chen_mo"].slack_user == "U1"
    assert [agent_id for agent_id in linked if linked[agent_id] != PEOPLE[agent_id]] == ["user_agent_chen_mo"]


def test_a_link_to_nobody_is_a_fault() -> None:
    with pytest.raises(Misconfigured, match="user_agent_nobody is linked to U1, but has no profile"):
        PEOPLE.with_links({"user_agent_nobody": "U1", "user_agent_chen_mo": "U2"})


def test_a_person_is_found_by_their_slack_user() -> None:
    linked = PEOPLE.with_links({"user_agent_chen_mo": "U1"})
    assert linked.of_user("U1") == linked["user_agent_chen_mo"]
    assert linked.of_user("U2") is None


def test_words_in_one_language_are_said_in_it_to_everybody() -> None:
    assert Words.model_validate("更多时间").said_in("en") == "更多时间"
    assert Words.model_validate({"zh": "更多时间", "en": "more time"}).said_in("en") == "more time"
