"""Titles and lines beside which nothing else stands name what is missing, and what somebody is asked for."""

import pytest

from bot.texts import texts_in
from bot.views.kit.post import Post
from bot.views.negotiation.agenda import asked_line, demand_line
from bot.views.negotiation.presenter import posts
from engine.negotiation.answers import Candidate, Need, Shortlist
from engine.negotiation.commands import RecordShortlist
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.terms import Person

from .message_contents import shown
from .stories import Story

VENUE = Need(need_id="need_1", what="a venue", tags=("venue",))
FOOD = Need(need_id="need_2", what="catering", tags=("catering",))
LINKED = {"aya": "U_AYA", "ros": "U_ROS"}
HOUR = Policy(human_window=3_600, first_window=60)
ENGLISH = texts_in("en")


def seeking(policy: Policy = HOUR) -> Story:
    """Aya has a venue; Ros of the reserve is asked for the catering that nobody covers."""
    story = (
        Story(policy=policy, linked=LINKED).demand("A party").understood(surface_demand="A party", needs=(VENUE, FOOD))
    )
    people = {each: Person(agent_id=each, display_name=each.title(), user_id=LINKED[each]) for each in LINKED}
    listed = Shortlist(definitely_related=(Candidate(agent_id="aya"),), possibly_related=(Candidate(agent_id="ros"),))
    story.does(RecordShortlist, shortlist=listed, people=people, covers={"ros": ("need_2",)})
    story.offers("aya", covers=("need_1",))
    return story.later(60).rings("offers") if policy.first_window else story


def direct(story: Story, user: str, kind: str) -> Post:
    [post] = [each for each in posts(story.state) if each.to == user and each.key.startswith(kind)]
    return post


def test_who_is_asked_for_what_is_missing_reads_what_it_is() -> None:
    story = seeking()
    assert asked_line(story.state, "U_ROS", ENGLISH).splitlines()[0].startswith("“A party” · Asked for: catering")
    assert "Asked for" not in asked_line(story.state, "U_AYA", ENGLISH)

    story.offers("ros", "decline")
    assert "Asked for: catering" in shown(direct(story, "U_ROS", "twin-offer"))
    assert "Asked for" not in shown(direct(story, "U_AYA", "twin-offer"))


def test_who_has_to_answer_themselves_reads_it_in_the_title() -> None:
    story = seeking().does_not_answer("ros")
    asked = direct(story, "U_ROS", "own-offer")
    assert asked.text == "“A party”: nobody covers catering, and your twin could not answer. Do you take part?"
    assert asked.text in shown(asked)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_plan_that_lacks_something_names_it_at_home_and_to_everybody_in_it(language: str) -> None:
    policy = PRESETS["balanced"].model_copy(update={"human_window": 60.0, "second_opinion": False})
    story = seeking(policy).offers("ros", "decline")
    while story.state.current is None:
        story.now = max(story.now, story.state.offers_due)
        story.rings("offers")
        if not story.state.proposals and story.state.status.value == "aggregating":
            story.drafted("aya")
    story.twin("aya", "accept").clicks("U_AYA", "aya", "accept")

    assert story.state.final is not None
    assert "catering" in demand_line(story.state, texts_in("zh" if language == "zh" else "en"))
    assert direct(story, "U_AYA", "ending").text == "🤝 “A party”: a plan, still without: catering"


def test_whoever_asked_reads_what_a_decision_is_about() -> None:
    story = seeking().offers("ros", "decline").later(60).rings("offers")
    assert "Missing: catering. A decision waits for" in demand_line(story.state, ENGLISH)
