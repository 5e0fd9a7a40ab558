"""The bot with one protocol more, as a process of its own."""

from multiprocessing.connection import Connection

from bot.models import offline_model
from bot.registry import PROTOCOLS
from tests.crash.bot_process import Papers, live_with

from . import TOY


def live(papers: Papers, pipe: Connection) -> None:
    rows = (*PROTOCOLS, TOY)
    live_with(offline_model(rows), rows, papers, pipe)
