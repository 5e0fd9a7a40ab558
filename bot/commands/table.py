"""The commands of ``towow``: what each is for, and the module that has it. None is imported before it is chosen."""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Listed(NamedTuple):
    help: str
    module: str
    """Its ``COMMAND`` is a `Subcommand`."""


RUN: Final = "run"

COMMANDS: Final[Mapping[str, Listed]] = {
    "ask": Listed("run one demand to its end, without questions", "bot.commands.negotiation.ask"),
    "plan": Listed("argue one goal out to a plan, without questions", "bot.commands.deliberation.plan"),
    "deliver": Listed(
        "carry one goal or one plan out here, with you and the workers of the registry", "bot.commands.delivery.deliver"
    ),
    "logs": Listed(
        "make the log of a delivery anew from its events: a file for each envelope, and a line for each event",
        "bot.commands.delivery.logs",
    ),
    "why": Listed("say why a plan or a ticket is as it is, up to the message that somebody wrote", "bot.commands.why"),
    "evals": Listed("play cases whose right outcome is known, and check them", "bot.commands.evals"),
    "profiles": Listed("begin, check or import the profiles of people", "bot.commands.profiles"),
    "demo": Listed("the whole product here, in a browser: no account, no key", "bot.commands.demo"),
    "backup": Listed("copy the database into one file, also while ToWow runs on it", "bot.commands.backup"),
    "restore": Listed(
        "bring a backup into the place of the database, and put aside what is there", "bot.commands.restore"
    ),
    "migrate": Listed(
        "bring a database to the schema of this ToWow, once every other one has ended", "bot.commands.migrate"
    ),
    "move": Listed(
        "take everything from a file of SQLite to PostgreSQL, or back, while no ToWow runs on either",
        "bot.commands.move",
    ),
    "export": Listed("every event of one negotiation, a line of JSON each", "bot.commands.export"),
    "replay": Listed("go through one negotiation, event by event", "bot.commands.replay"),
    "costs": Listed("what the calls of models have cost", "bot.commands.costs"),
    "forget": Listed("erase what somebody has said, or all of one negotiation", "bot.commands.forget"),
    "keys": Listed(
        "the keys that encrypt the tokens of many workspaces: `new` prints one, `rotate` uses the newest",
        "bot.commands.keys",
    ),
    "purge": Listed(
        "who has taken ToWow out of their workspace, and when all of theirs is deleted; with an ID, delete it now",
        "bot.commands.purge",
    ),
    "manifest": Listed(
        "the manifest of the Slack app; --no-step: for a free plan; --many: of one that any workspace can install",
        "bot.commands.manifest",
    ),
    "doctor": Listed("say whether everything is there for `towow run`, and what to do", "bot.commands.doctor"),
    RUN: Listed("a real Slack workspace, by Socket Mode; see docs/configuration.md", "bot.commands.run"),
}
