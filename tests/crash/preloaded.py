"""What every bot needs and what takes long, done once: the server that forks them imports this."""

import inspect

from tests.crash import bot_process

__all__ = ["bot_process"]

inspect.stack()
"""Bolt asks for it when an app is made. The first time, all modules are looked up on disk; then they are known."""
