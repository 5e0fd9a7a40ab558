"""Negotiations for the tests of views; every state is reached through the rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

from hypothesis import strategies as st

from bot.views.kit.post import Post
from bot.views.negotiation.presenter import posts
from engine.kernel import Command, Place
from engine.negotiation.policy import Policy
from tests.negotiation.scenario import Scenario

THREAD = Place(channel="C_LOBBY", thread="1800000000.000100")
COMMAND = Place(channel="C_LOBBY")
"""A demand by slash command has no message of its own."""


@dataclass
class Story(Scenario):
    """A negotiation that a test leads step by step; a refusal of the rules is an error of the test."""

    policy: Policy = field(default_factory=Policy)
    place: Place = THREAD

    def obeys(self, order: Command) -> Self:
        super().obeys(order)
        if self.refused is not None:
            raise self.refused
        return self

    def time_is_up(self) -> Self:
        """The open round's deadline passes."""
        opened = self.state.rounds[-1]
        self.now = opened.window.deadline
        self.rings(f"twins/{opened.number}")
        self.now = max(self.now, self.state.rounds[-1].window.deadline)
        return self.rings(f"close/{opened.number}") if self.state.current else self

    def demand(self, text: str = "An AI meetup for 50 people", locale: str = "") -> Self:
        """Whoever begins in Chinese reads the interface in it."""
        return super().demand(text, locale or ("zh-CN" if text[:1] >= "一" else ""))


def voting(*agents: str, demand: str = "An AI meetup for 50 people", **fields: Any) -> Story:
    """Round 1 is open, and everybody was asked."""
    story = Story(**fields).demand(demand).understood(surface_demand=demand).shortlisted(*agents)
    for each in agents:
        story.offers(each)
    return story.drafted(*agents)


NASTY = (
    "<!channel> <@U_EVIL> <!here|here> <https://evil.example|click> &amp; <b>",
    "@here @channel @everyone @Here",
    "```\ncode that swallows",
    "*bold _italic_ ~gone~ `tick`",
    "\u202eturned\u2066 around\x00\x07",
    "多行\r\n\r\n\r\n中文「引号」，标点。",
    '"quotes" and \\backslashes\\ and\ttabs',
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "a plain sentence of a person",
)

pieces = st.sampled_from(NASTY) | st.text(max_size=30)


@st.composite
def words(draw: st.DrawFn, longest: int = 10_000) -> str:
    piece = draw(pieces)
    length = draw(st.sampled_from((0, 1, 20, 80, 300, 3_000, longest)) | st.integers(0, longest))
    return (piece * (length // (len(piece) or 1) + 1))[:length]


def post_of(story: Scenario, key: str) -> Post:
    return next(each for each in posts(story.state) if each.key == key)
