"""What negotiations add to ``towow evals``."""

from functools import partial

from bot.demo.evals.part import EvalsPart, Outcome, Table
from bot.demo.negotiation.evals.cases import Case, load_cases
from bot.demo.negotiation.evals.checks import CHECKS, end_of, faults
from bot.demo.negotiation.evals.play import play
from bot.protocol_row import Protocol


async def outcome(row: Protocol, case: Case, table: Table) -> Outcome:
    state = await play(row, case.demand, table.model, table.prompts, table.profiles, table.policy)
    return Outcome(case, end_of(state), faults(case, state, table.profiles))


def part(row: Protocol) -> EvalsPart:
    return EvalsPart(load_cases, partial(outcome, row), tuple(CHECKS))
