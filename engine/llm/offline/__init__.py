"""A model made of rules: no key, no network, no dice. It answers every prompt from the data, and says who it is."""

from engine.llm.offline.model import NAME, OfflineModel

__all__ = ["NAME", "OfflineModel"]
