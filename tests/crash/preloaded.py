"""What every bot needs and what takes long, done once: the server that forks them imports this."""

import gc

from bot.models import needed_prompts
from tests.crash import bot_process

__all__ = ["bot_process"]

needed_prompts()
gc.freeze()
"""What is there now is there in every bot, until it is killed."""
