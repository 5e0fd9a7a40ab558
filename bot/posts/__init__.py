"""Posts and updates messages in Slack until they equal what the presenters of the protocols want."""

from bot.posts.languages import Languages
from bot.posts.posts import Posts
from bot.posts.rate_limits import DISTRIBUTED_PAGE, DISTRIBUTED_RATES, SLACK_RATES, UNLIMITED, Rate
from bot.posts.response_urls import ResponseUrls
from bot.posts.slack_calls import PAGE
from bot.posts.stream_reconciler import Presenters, Report

__all__ = [
    "DISTRIBUTED_PAGE",
    "DISTRIBUTED_RATES",
    "PAGE",
    "SLACK_RATES",
    "UNLIMITED",
    "Languages",
    "Posts",
    "Presenters",
    "Rate",
    "Report",
    "ResponseUrls",
]
