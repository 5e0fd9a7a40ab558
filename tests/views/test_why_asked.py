"""The modal that says why a person was asked; Slack takes it whatever people and models wrote."""

from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from bot.local_slack.blocks import view_problems
from bot.texts import texts_in
from bot.views.negotiation.demand.why_asked import why_asked
from engine.negotiation.answers import Circumstances
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import Asked
from tests.examples import examples
from tests.negotiation.scenario import REQUESTER
from tests.views.corpus import negotiations
from tests.views.message_contents import CALL_TO_ALL, texts_of
from tests.views.stories import Story

LINKED = {"aya": "U_AYA"}


def read(state: Negotiation, asked: Asked) -> str:
    return texts_of(why_asked(state, asked, texts_in("en")))


def collecting() -> Story:
    story = Story(linked=LINKED).demand()
    story.understood(
        surface_demand="A meetup", capability_tags=("venue", "catering"), context=Circumstances(location="Berlin")
    )
    return story.shortlisted("aya", reason="keeps a room for sixty")


def test_it_says_what_was_asked_by_whom_why_and_what_matched() -> None:
    story = collecting()
    asked = story.state.invited["aya"]

    text = read(story.state, asked)

    assert f"*The demand*\nA meetup\nAsked by <@{REQUESTER}>" in text
    assert "*Why Aya*\nkeeps a room for sixty\nThe profile does not say so outright" in text
    assert "*What was understood*\nLooked for: venue, catering\n📍 Berlin" in text
    assert "*What was offered*\nNothing yet." in text
    explicit = replace(asked, match_type="explicit")
    assert "The profile says outright that this fits." in read(story.state, explicit)


def test_it_says_what_the_twin_offered_and_in_confidence_why() -> None:
    story = collecting().offers(
        "aya", "conditional", contribution="a room", conditions=("quiet by ten",), reasoning="the neighbours"
    )

    text = read(story.state, story.state.invited["aya"])

    assert "said by the twin: Takes part on conditions\na room\n• quiet by ten\nthe neighbours" in text

    story.corrects("U_AYA", "aya", contribution="my own words")
    assert "in person: Takes part\nmy own words" in read(story.state, story.state.invited["aya"])


@settings(
    max_examples=examples(13), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(negotiations(most_people=6))
def test_slack_takes_it_whatever_was_written(state: Negotiation) -> None:
    for asked in state.invited.values():
        view = why_asked(state, asked, texts_in("en"))
        assert view_problems(view) == []
        assert not CALL_TO_ALL.search(read(state, asked))
