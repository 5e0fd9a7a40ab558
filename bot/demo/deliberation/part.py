"""What deliberations add to the demo."""

from typing import Final

from bot.demo.deliberation.suggestions import SUGGESTIONS
from bot.demo.part import DemoPart

PART: Final = DemoPart(SUGGESTIONS)
