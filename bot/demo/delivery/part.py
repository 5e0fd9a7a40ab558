"""What deliveries add to the demo."""

from typing import Final

from bot.demo.delivery.workers import workers_in
from bot.demo.part import DemoPart

PART: Final = DemoPart(workers_in=workers_in)
