"""What all conversations work with."""

from dataclasses import dataclass

from bot.posts.direct_channels import DirectMessages
from bot.posts.held_back import HeldBack
from bot.posts.languages import Languages
from bot.posts.rate_limits import RateLimits
from bot.posts.slack_calls import SlackCalls
from bot.posts.unknown_posts import RestoredTenants
from bot.posts.waiting import Waiting


@dataclass(frozen=True, slots=True)
class Tools:
    """What all conversations share."""

    calls: SlackCalls
    rate_limits: RateLimits
    waiting: Waiting
    direct_messages: DirectMessages
    languages: Languages
    restored: RestoredTenants
    held_back: HeldBack
