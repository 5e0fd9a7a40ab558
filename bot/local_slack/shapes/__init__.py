"""Converts records into the JSON of Slack's API and events."""

from .channels import channel_shape
from .files import file_shape
from .members import bot_profile, user_shape
from .messages import message_shape
from .views import view_shape

__all__ = ["bot_profile", "channel_shape", "file_shape", "message_shape", "user_shape", "view_shape"]
