"""A model made of rules: it needs no key and no network, and answers the same question always the same way."""

from engine.offline.model import Answerer, OfflineModel

__all__ = ["Answerer", "OfflineModel"]
