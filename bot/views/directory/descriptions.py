"""How the directory is described in the log, on the demo's page and in replays."""

from typing import Final

from bot.descriptions import Descriptions
from engine.directory.messages import EVENTS, ProfileLoaded, ProfileUnloaded
from engine.directory.rules import RULEBOOK

FROM_FILES: Final = frozenset({ProfileLoaded.event_type, ProfileUnloaded.event_type})
"""One for each profile at a start: they would hide everything else."""

DESCRIPTIONS: Final = Descriptions(
    RULEBOOK.protocol, EVENTS, plural="directories", unlogged=FROM_FILES, unlisted=FROM_FILES
)
