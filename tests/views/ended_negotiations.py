"""Negotiations that have ended, reached through the rules."""

from hypothesis import strategies as st

from bot.views.negotiation.export.steps import EXPORTED, EndedNegotiation
from engine.negotiation.answers import Milestone, Timeline
from engine.negotiation.policy import PRESETS
from engine.negotiation.public.build import Times
from engine.negotiation.state import Negotiation
from tests.negotiation.scenario import NOON
from tests.views.corpus import negotiations
from tests.views.stories import Story, voting, words

LATER = NOON + 3_600_000
"""Milliseconds; when they ended."""


def endings(most_people: int = 8) -> st.SearchStrategy[EndedNegotiation]:
    """Any that can be exported."""
    states: st.SearchStrategy[Negotiation] = negotiations(most_people, lambda each: each.status in EXPORTED)
    return st.builds(EndedNegotiation, states, st.just(Times(ended_at=LATER)), words(longest=80))


def agreed(*milestones: Milestone, start: str = "", summary: str = "An evening together") -> Story:
    """A plan that everybody accepted, in its second version."""
    story = voting("aya", "bo", linked={"aya": "U0AYA"}, policy=PRESETS["balanced"])
    story.twin("aya", "negotiate", "I would rather cook", "an earlier end").twin("bo", "negotiate", wish="less work")
    story.time_is_up().drafted("aya", "bo", summary=summary, timeline=Timeline(start_date=start, milestones=milestones))
    return story.twin("aya", "accept", "that suits me").twin("bo", "accept").time_is_up()


def ended(story: Story, asked_by: str = "Dana") -> EndedNegotiation:
    assert story.state.status in EXPORTED, story.state.status
    return EndedNegotiation(story.state, Times(ended_at=LATER), asked_by)
