"""The offline model with the rules of a negotiation."""

from typing import Final

from engine.llm.offline import OfflineModel
from engine.llm.offline.negotiation.answerers import ANSWERERS

OFFLINE: Final = OfflineModel({"negotiation": ANSWERERS})
