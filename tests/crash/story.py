"""The fixed scripts: who is there, what is asked, how twins answer and what people click."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.views.ballot import ACCEPT, NEGOTIATE
from bot.workspace import Channel, User
from engine.negotiation.answers import FeedbackType
from engine.negotiation.policy import Policy
from engine.profiles import Profiles, load_profiles

ACCEPTS, ASKS = FeedbackType.ACCEPT, FeedbackType.NEGOTIATE

LOBBY: Final = "C_LOBBY"
ASKER: Final = User(id="U_ASKS", name="asks", real_name="Ash")
MAYA: Final = User(id="U_MAYA", name="maya", real_name="Maya Patel")
USERS: Final = (ASKER, MAYA)
CHANNELS: Final = (Channel(id=LOBBY, name="lobby", members=[ASKER.id, MAYA.id]),)

DEMAND: Final = "I want a 50-person AI meetup in Berlin, need a venue and speakers"

LINKED: Final = "user_agent_maya_patel"
SEATS: Final = (LINKED, "user_agent_alex_kim", "user_agent_tom_becker")


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
    objecting=frozenset({(1, "user_agent_alex_kim")}),
    presses=(),
)
"""A twin asks for a change, and Maya says nothing: both rounds close by their alarm."""


def profiles() -> Profiles:
    everybody = load_profiles()
    return Profiles({agent_id: everybody[agent_id] for agent_id in SEATS}).with_links({LINKED: MAYA.id})


Vote = tuple[str, int, str, str | None, str]
"""Agent, round, source, who clicked, what."""

EXPECTED: Final[Mapping[str, list[Vote]]] = {}
