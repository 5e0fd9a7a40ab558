"""The fixed scripts: who is there, what is asked, how twins answer and what people click."""

from dataclasses import dataclass, replace
from typing import Final

from bot.views.ballot import ACCEPT, CLOSE, NEGOTIATE, STOP
from bot.workspace import Channel, User
from engine.negotiation.answers import FeedbackType
from engine.negotiation.policy import Policy
from engine.profiles import Profile, Profiles

ACCEPTS, ASKS = FeedbackType.ACCEPT, FeedbackType.NEGOTIATE

LOBBY: Final = "C_LOBBY"
ASKER: Final = User(id="U_ASKS", name="asks", real_name="Ash")
MAYA: Final = User(id="U_MAYA", name="maya", real_name="Maya Patel")
TOM: Final = User(id="U_TOM", name="tom", real_name="Tom Becker")
USERS: Final = (ASKER, MAYA, TOM)
CHANNELS: Final = (Channel(id=LOBBY, name="lobby", members=[each.id for each in USERS]),)

DEMAND: Final = "I want a 50-person AI meetup in Berlin, need a venue and speakers"

MAYAS: Final = "user_agent_maya_patel"
ALEXS: Final = "user_agent_alex_kim"
TOMS: Final = "user_agent_tom_becker"
SEATS: Final = (MAYAS, ALEXS, TOMS)
NINAS: Final = "user_agent_nina_rossi"
"""Not asked at first: the reserve."""
PEOPLE: Final = (*SEATS, NINAS)
LINKS: Final = {MAYAS: MAYA.id, TOMS: TOM.id}


@dataclass(frozen=True, slots=True)
class Press:
    """What somebody does once they have seen every twin's vote of a round, and the one before them is done."""

    user: str
    round: int
    button: str
    change: str = ""
    """Written into the form behind the button."""
    card: str = ""
    """The key of the post with the button; without one, that of the round."""


@dataclass(frozen=True, slots=True)
class Story:
    policy: Policy
    objecting: frozenset[tuple[int, str]]
    """Round and seat of each twin that asks for a change; all the others accept."""
    presses: tuple[Press, ...]
    leaving: frozenset[tuple[int, str]] = frozenset()
    """Round and seat of each twin that withdraws."""
    core: str | None = None
    """Without whom the plan falls."""

    def twin(self, number: int, agent_id: str) -> FeedbackType:
        if (number, agent_id) in self.leaving:
            return FeedbackType.WITHDRAW
        return ASKS if (number, agent_id) in self.objecting else ACCEPTS


VOTES: Final = Story(
    policy=Policy(human_window=3_600, override_window=0),
    objecting=frozenset(),
    presses=(
        Press(MAYA.id, 1, NEGOTIATE, "Friday is too early"),
        Press(TOM.id, 1, ACCEPT),
        Press(MAYA.id, 2, ACCEPT),
        Press(TOM.id, 2, ACCEPT),
    ),
)
"""Every twin accepts at once; Maya overrules hers, so that there is a second round. Tom's vote closes both."""

STEERED: Final = replace(
    VOTES,
    presses=(
        Press(MAYA.id, 1, NEGOTIATE, "Friday is too early"),
        Press(ASKER.id, 1, CLOSE, card="root"),
        Press(ASKER.id, 2, STOP, card="root"),
    ),
)
"""Who asked does not wait for Tom, and stops it all in the second round."""

ALARMS: Final = Story(
    policy=Policy(human_window=0.2, override_window=0),
    objecting=frozenset({(1, ALEXS)}),
    presses=(),
)
"""A twin asks for a change, and nobody clicks: both rounds close by their alarm."""

ASLEEP: Final = replace(ALARMS, policy=Policy(human_window=3_600, override_window=0))
"""The same, with an hour to say nothing."""


FORCED: Final = Story(
    policy=Policy(human_window=0, override_window=0, max_rounds=2),
    objecting=frozenset({(1, ALEXS), (2, ALEXS)}),
    presses=(),
)
"""One twin is never content, and the last round is force-finalized."""

SUBSTITUTED: Final = Story(
    policy=Policy(human_window=0, override_window=0),
    objecting=frozenset(),
    presses=(),
    leaving=frozenset({(1, ALEXS)}),
    core=ALEXS,
)
"""A core seat is left in the first round; who was possibly related takes it, and everybody agrees in the second."""


def profiles() -> Profiles:
    """People whom nothing is known of: what their twins say is in the script."""
    return Profiles({agent_id: _profile(agent_id) for agent_id in PEOPLE}).with_links(LINKS)


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
