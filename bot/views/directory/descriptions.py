"""How the directory is described in the log, on the demo's page and in replays."""

from typing import Final

from bot.descriptions import Descriptions, Telling
from engine.directory.messages import EVENTS, LimitsRead, ProfileLoaded, ProfileUnloaded, ReadingBegun
from engine.directory.rules import RULEBOOK

BY_ITSELF: Final = (ProfileLoaded, ProfileUnloaded, ReadingBegun, LimitsRead)
"""One for each profile at a start, and for each whose twin is asked first: they would hide everything else."""

DESCRIPTIONS: Final = Descriptions(
    RULEBOOK.protocol,
    EVENTS,
    plural="directories",
    tellings=[Telling(each, is_listed=False) for each in BY_ITSELF],
)
