"""Finds out which of the commands of ``towow`` is meant, and imports what carries that out: nothing else is needed to
say what there is.
"""

import argparse
from collections.abc import Sequence

from bot.commands.table import COMMANDS
from bot.terminal import clean_streams


def main(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name, and return its exit status."""
    with clean_streams():
        parser = argparse.ArgumentParser(
            prog="towow", description="A demand goes in, a plan everyone answered comes out."
        )
        parser.add_argument("-v", "--verbose", action="store_true", help="say on stderr what happens inside")
        commands = parser.add_subparsers(dest="command", required=True)
        own = {name: commands.add_parser(name, help=each.help) for name, each in COMMANDS.items()}
        name = next((each for each in arguments if not each.startswith("-")), "")
        if name not in own:
            parser.parse_args(arguments)  # ends by saying what there is, or what is wrong
        from bot.commands.carrying_out import carry_out

        return carry_out(arguments, parser, own[name], name)
