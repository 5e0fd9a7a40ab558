"""What every bot needs and what takes long, done once: the server that forks them imports this."""

import gc
from datetime import date
from typing import get_args

from bot.models import needed_prompts
from bot.registry import PROTOCOLS
from bot.texts import texts_in
from engine.facts.asked import Asked
from engine.facts.language import Language
from engine.offline.reading.circumstances import told_in
from tests.crash import bot_process
from tests.crash.story import DEMAND

__all__ = ["bot_process"]

needed_prompts(PROTOCOLS)
for each in get_args(Language):
    texts_in(each)
# The first text that is read has all patterns compiled: half of a short life.
told_in(DEMAND, Asked(date(2026, 1, 1)))
gc.freeze()
"""What is there now is there in every bot, until it is killed."""
