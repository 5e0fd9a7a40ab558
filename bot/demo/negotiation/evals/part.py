"""What negotiations add to ``towow evals``."""

from typing import Final

from bot.demo.evals.part import EvalsPart, Outcome, Table
from bot.demo.negotiation.evals.cases import Case, load_cases
from bot.demo.negotiation.evals.checks import CHECKS, end_of, faults
from bot.demo.negotiation.evals.play import play


async def outcome(case: Case, table: Table) -> Outcome:
    state = await play(case.demand, table.model, table.prompts, table.profiles, table.policy)
    return Outcome(case, end_of(state), faults(case, state, table.profiles))


PART: Final = EvalsPart(load_cases, outcome, tuple(CHECKS))
