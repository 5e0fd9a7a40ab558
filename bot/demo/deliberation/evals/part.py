"""What deliberations add to ``towow evals``."""

from typing import Final

from bot.demo.deliberation.evals.cases import Case, brief_of, load_cases
from bot.demo.deliberation.evals.checks import CHECKS, end_of, faults
from bot.demo.deliberation.evals.play import play
from bot.demo.evals.part import EvalsPart, Outcome, Table


async def outcome(case: Case, table: Table) -> Outcome:
    brief = brief_of(case)
    state = await play(brief, table.model, table.prompts)
    return Outcome(case, end_of(state), faults(case, state))


PART: Final = EvalsPart(load_cases, outcome, tuple(CHECKS))
