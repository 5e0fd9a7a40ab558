"""``towow why``: the decision record of one stored negotiation."""

from argparse import ArgumentParser, Namespace
from typing import Final

from bot.commands.streams import add_stream, found
from bot.commands.subcommand import FINE, CommandFailed, Subcommand
from bot.terminal import Terminal, plain_json
from bot.texts import texts_in
from bot.views.negotiation.decision_record import as_text
from engine.lexicon.language import language_of
from engine.negotiation.decision_record import decision_record
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.runtime.envelope import opened
from engine.store.port import Stream
from engine.store.sqlite.archive import Archive


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    add_stream(parser)


def _run(options: Namespace) -> int:
    state = _state_of(found(Archive(options.db), options.name, options.team))
    said = (
        plain_json(decision_record(state).model_dump_json(indent=2))
        if options.json
        else as_text(state, texts_in(language_of(state.raw_input)))
    )
    Terminal().print(said, markup=False, highlight=False, emoji=False, soft_wrap=True)
    return FINE


def _state_of(stored: Stream) -> Negotiation:
    """
    Raises:
        CommandFailed: it is no negotiation.
    """
    if stored.protocol != RULEBOOK.protocol:
        raise CommandFailed(f"{stored.key.stream} is no negotiation; `towow replay` goes through it.")
    state = RULEBOOK.initial
    for each in stored.events:
        state = RULEBOOK.evolve(state, opened(each, RULEBOOK.events))
    return state


COMMAND: Final = Subcommand("why", "say why a plan is as it is: who decided what, by whose hand", _run, _add_arguments)
