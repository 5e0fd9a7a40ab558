"""A model made of rules: no key, no network, no dice. It answers prompts 1 to 8 from the data, and says who it is."""

from engine.llm.offline.model import NAME, OfflineModel

__all__ = ["NAME", "OfflineModel"]
