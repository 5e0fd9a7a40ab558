"""The fixed scripts: who is there, what is asked, how twins answer and what people click."""

from dataclasses import dataclass, replace
from typing import Final

from bot.local_slack import Channel, User
from bot.views.negotiation.button_values import ACCEPT, CLOSE, GIVE_UP, NEGOTIATE, STOP, UNDO
from engine.directory.profile import Profile, Profiles
from engine.errors import ModelUnavailable
from engine.kernel import Millis
from engine.negotiation.policy import Policy
from engine.negotiation.voting.kinds import FeedbackType

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
AGENTS: Final = {user_id: agent_id for agent_id, user_id in LINKS.items()}


@dataclass(frozen=True, slots=True)
class Press:
    """What somebody does once they have seen every twin's vote of a round, and the act before is done."""

    user: str
    round: int
    button: str
    change: str = ""
    """Written into the form behind the button."""
    on_root: bool = False
    """The button is on the root card, where the next round may have the same; else on the round's."""
    in_dm: bool = False
    """It is pressed on the card with one's own part."""
    in_digest: bool = False
    """It is pressed in their first digest."""
    post: str = ""
    """The key of the post with the button, where it is none of these."""
    once_all_is_said: bool = False
    """They wait until the bot has nothing more to say about what was done before."""
    after: str = ""
    """The key of a post in the same direct messages, which is waited for."""

    @property
    def card(self) -> str:
        """The key of the post with the button."""
        if self.post:
            return self.post
        if self.in_digest:
            return f"digest-1/{self.user}"
        if self.in_dm:
            return f"part-{self.round}/{AGENTS[self.user]}"
        return "root" if self.on_root else f"round-{self.round}"


@dataclass(frozen=True, slots=True)
class Nap:
    """The bot is gone once the twins of a round have voted and all is shown; and when it is back, it is later."""

    round: int
    length: Millis


@dataclass(frozen=True, slots=True)
class Story:
    policy: Policy
    objecting: frozenset[tuple[int, str]] = frozenset()
    """Round and seat of each twin that asks for a change; all the others accept."""
    acts: tuple[Press | Nap, ...] = ()
    leaving: frozenset[tuple[int, str]] = frozenset()
    """Round and seat of each twin that withdraws."""
    failing: frozenset[tuple[int, str]] = frozenset()
    """Round and seat of each twin that cannot answer."""
    gone: frozenset[str] = frozenset()
    """Users whose accounts are deactivated."""
    digested: frozenset[str] = frozenset()
    """Users who want digests."""
    core: str | None = None
    """Without whom the plan falls."""
    moved: frozenset[str] = frozenset()
    """Seats whose parts the second version changes, and says why: whoever has voted is asked again."""
    lacks: bool = False
    """Whether the demand needs something that nobody covers."""
    outcome: str = "outcome"
    """The key of the post with which it ends."""
    is_safe_until_the_nap: bool = False
    """Nothing goes wrong before."""

    def twin(self, number: int, agent_id: str) -> FeedbackType:
        """
        Raises:
            ModelUnavailable
        """
        if (number, agent_id) in self.failing:
            raise ModelUnavailable("as the story goes")
        if (number, agent_id) in self.leaving:
            return FeedbackType.WITHDRAW
        return ASKS if (number, agent_id) in self.objecting else ACCEPTS


HOUR: Final = Policy(human_window=3_600, override_window=0)
"""For people to decide."""

HALF_AN_HOUR: Final[Millis] = 31 * 60_000
"""And a bit."""

TWO_HOURS: Final[Millis] = 7_200_000

VOTES: Final = Story(
    policy=HOUR,
    acts=(
        Press(MAYA.id, 1, NEGOTIATE, "Friday is too early", in_dm=True),
        Press(TOM.id, 1, ACCEPT),
        Press(MAYA.id, 2, ACCEPT),
        Press(TOM.id, 2, ACCEPT, in_dm=True),
    ),
    moved=frozenset({TOMS}),
)
"""Every twin accepts at once; Maya overrules hers, so that there is a second round. Tom's vote closes both."""

CARRIED: Final = replace(VOTES, acts=VOTES.acts[:-1], moved=frozenset())
"""Tom's part stays as it is, and so does his vote: Maya's closes the second round."""

STEERED: Final = replace(
    VOTES,
    acts=(
        Press(MAYA.id, 1, NEGOTIATE, "Friday is too early"),
        Press(ASKER.id, 1, CLOSE, on_root=True),
        Press(ASKER.id, 2, STOP, on_root=True, once_all_is_said=True),
    ),
)
"""Who asked does not wait for Tom, and stops it all in the second round, once Maya has been told of it."""

UNDONE: Final = Story(
    policy=HOUR.model_copy(update={"max_depth": 0}),
    acts=(
        Press(ASKER.id, 1, STOP, on_root=True),
        Press(ASKER.id, 1, UNDO, post="outcome", once_all_is_said=True),
        Press(MAYA.id, 1, ACCEPT),
        Press(TOM.id, 1, ACCEPT),
        Press(MAYA.id, 1, GIVE_UP, "I am ill", in_dm=True, post=f"ending-2/{MAYAS}"),
    ),
    outcome="outcome-2",
)
"""Who asked stops it and takes that back; everybody agrees, and then Maya cannot any more."""

TWICE_ASLEEP: Final = (Nap(1, TWO_HOURS), Nap(1, TWO_HOURS))
"""The bot sleeps through the deadline, so people have their time again, once; and it sleeps through that as well."""

ALARMS: Final = Story(policy=Policy(human_window=0, override_window=0.2), objecting=frozenset({(1, ALEXS)}))
"""A twin asks for a change, and nobody clicks: both rounds close by their alarm. No time, so no parts to look at."""

ASLEEP: Final = replace(
    ALARMS, policy=HOUR, acts=(*TWICE_ASLEEP, Nap(2, TWO_HOURS), Nap(2, TWO_HOURS)), is_safe_until_the_nap=True
)
"""The same, with an hour to say nothing. The bot sleeps through half time and the deadline."""

REMINDED: Final = Story(
    policy=HOUR,
    acts=(
        Press(MAYA.id, 1, ACCEPT),
        Nap(1, HALF_AN_HOUR),
        Press(TOM.id, 1, ACCEPT, in_dm=True, after=f"reminder-1/{TOMS}"),
    ),
    is_safe_until_the_nap=True,
)
"""Half time passes while the bot sleeps: Tom votes when he is reminded, Maya has done so before."""

DIGESTED: Final = replace(
    REMINDED,
    acts=(Press(MAYA.id, 1, ACCEPT), Nap(1, HALF_AN_HOUR), Press(TOM.id, 1, ACCEPT, in_digest=True)),
    failing=frozenset({(1, TOMS)}),
    digested=frozenset({TOM.id}),
)
"""Tom wants digests, and his twin cannot answer. Half time passes while the bot sleeps, and with it the time of his."""

SILENT: Final = Story(policy=HOUR, failing=frozenset({(1, TOMS)}), acts=TWICE_ASLEEP)
"""Tom's twin cannot answer, and he, who was asked himself, says nothing."""

GONE: Final = Story(
    policy=Policy(human_window=3_600, override_window=0, finalize_at=60),
    failing=frozenset({(1, TOMS)}),
    acts=(Press(MAYA.id, 1, ACCEPT, in_dm=True),),
    gone=frozenset({TOM.id}),
)
"""Tom's twin cannot answer, and he has left the company: nobody waits for him, and nobody takes that for a yes."""

FORCED: Final = Story(
    policy=Policy(human_window=0, override_window=0, max_rounds=2), objecting=frozenset({(1, ALEXS), (2, ALEXS)})
)
"""One twin is never content, and the last round is force-finalized."""

SUBSTITUTED: Final = Story(
    policy=Policy(human_window=0, override_window=0), leaving=frozenset({(1, ALEXS)}), core=ALEXS
)
"""A core seat is left in the first round; who was possibly related takes it, and everybody agrees in the second."""


LACKING: Final = Story(policy=Policy(human_window=0, override_window=0, first_window=0.2), lacks=True)
"""Offers stay open a while; then the reserve is asked for what nobody covers, and it goes on without."""


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
