"""The fixed scripts: who is there, what is asked, how twins answer and what people click."""

from dataclasses import dataclass, replace
from typing import Final

from bot.views.ballot import ACCEPT, NEGOTIATE
from bot.workspace import Channel, User
from engine.negotiation.answers import FeedbackType
from engine.negotiation.policy import Policy
from engine.profiles import Profile, Profiles

ACCEPTS, ASKS = FeedbackType.ACCEPT, FeedbackType.NEGOTIATE

LOBBY: Final = "C_LOBBY"
ASKER: Final = User(id="U_ASKS", name="asks", real_name="Ash")
MAYA: Final = User(id="U_MAYA", name="maya", real_name="Maya Patel")
USERS: Final = (ASKER, MAYA)
CHANNELS: Final = (Channel(id=LOBBY, name="lobby", members=[ASKER.id, MAYA.id]),)

DEMAND: Final = "I want a 50-person AI meetup in Berlin, need a venue and speakers"

LINKED: Final = "user_agent_maya_patel"
ALEX: Final = "user_agent_alex_kim"
TOM: Final = "user_agent_tom_becker"
SEATS: Final = (LINKED, ALEX, TOM)


@dataclass(frozen=True, slots=True)
class Press:
    """What the person of the linked seat does once they have seen every twin's vote of a round."""

    round: int
    button: str
    change: str = ""
    """Written into the form behind the button."""


@dataclass(frozen=True, slots=True)
class Story:
    policy: Policy
    objecting: frozenset[tuple[int, str]]
    """Round and seat of each twin that asks for a change; all the others accept."""
    presses: tuple[Press, ...]

    def twin(self, number: int, agent_id: str) -> FeedbackType:
        return ASKS if (number, agent_id) in self.objecting else ACCEPTS


VOTES: Final = Story(
    policy=Policy(human_window=3_600, override_window=0),
    objecting=frozenset(),
    presses=(Press(1, NEGOTIATE, "Friday is too early"), Press(2, ACCEPT)),
)
"""Every twin accepts at once; Maya overrules hers, so that there is a second round. Rounds close by the last vote."""

ALARMS: Final = Story(
    policy=Policy(human_window=0.4, override_window=0),
    objecting=frozenset({(1, ALEX)}),
    presses=(),
)
"""A twin asks for a change, and Maya says nothing: both rounds close by their alarm."""

ASLEEP: Final = replace(ALARMS, policy=Policy(human_window=3_600, override_window=0))
"""The same, with an hour for Maya to say nothing."""


def profiles() -> Profiles:
    """Three people whom nothing is known of: what their twins say is in the script."""
    return Profiles({agent_id: _profile(agent_id) for agent_id in SEATS}).with_links({LINKED: MAYA.id})


def _profile(agent_id: str) -> Profile:
    return Profile(
        agent_id=agent_id,
        user_name=agent_id.removeprefix("user_agent_").replace("_", " ").title(),
        profile_summary="Helps with meetups. " * 10 + ".",
        location="Berlin",
        tags=("venue",),
        capabilities={"venue": "A room"},
        availability="Weekdays",
        languages=("English",),
    )
