"""What deliberations add to ``towow evals``."""

from functools import partial

from bot.demo.deliberation.evals.cases import Case, brief_of, load_cases
from bot.demo.deliberation.evals.checks import CHECKS, end_of, faults
from bot.demo.deliberation.evals.play import play
from bot.demo.evals.part import EvalsPart, Outcome, Table
from bot.protocol_row import Protocol


async def outcome(row: Protocol, case: Case, table: Table) -> Outcome:
    brief = brief_of(case)
    state = await play(row, brief, table.model, table.prompts)
    return Outcome(case, end_of(state), faults(case, state))


def part(row: Protocol) -> EvalsPart:
    return EvalsPart(load_cases, partial(outcome, row), tuple(CHECKS))
