"""Slack's Web API: which methods there are, and how every one of them answers."""

from .answer import answer

__all__ = ["answer"]
