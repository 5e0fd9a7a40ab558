"""Keeps what is posted in Slack equal to what the views want: Slack is a view, and this is where it is painted."""

from bot.posts.budget import SLACK_RATES, UNLIMITED, Rate
from bot.posts.keeper import Report
from bot.posts.languages import Languages
from bot.posts.posts import Posts
from bot.posts.response_urls import ResponseUrls

__all__ = ["SLACK_RATES", "UNLIMITED", "Languages", "Posts", "Rate", "Report", "ResponseUrls"]
