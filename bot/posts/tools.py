"""What all conversations work with."""

from dataclasses import dataclass

from bot.posts.difference import HeldBack
from bot.posts.languages import DirectMessages, Languages, SharedChannels
from bot.posts.pauses import PauseOf
from bot.posts.post_records import WebAddress, nowhere
from bot.posts.rate_limits import RateLimits
from bot.posts.readmission import Readmission
from bot.posts.slack_calls import SlackCalls
from bot.posts.stored_posts import RestoredTenants
from bot.posts.waiting import Waiting
from engine.runtime.membership import Membership


@dataclass(frozen=True, slots=True)
class Tools:
    """What all conversations share."""

    calls: SlackCalls
    rate_limits: RateLimits
    waiting: Waiting
    direct_messages: DirectMessages
    languages: Languages
    shared_channels: SharedChannels
    restored: RestoredTenants
    held_back: HeldBack
    readmission: Readmission
    """Waits where the whole app is shut out."""
    pause_of: PauseOf
    """Says which streams wait for their model, and why."""
    membership: Membership | None = None
    """Of this process in a store that several share."""
    web: WebAddress = nowhere
