"""The offline model with the rules of a negotiation."""

from typing import Final

from engine.offline import OfflineModel
from engine.offline.negotiation.answerers import ANSWERERS

OFFLINE: Final = OfflineModel({"negotiation": ANSWERERS})
