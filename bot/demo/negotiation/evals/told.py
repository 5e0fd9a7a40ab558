"""Makes a case for ``towow evals`` of what somebody has told their twin for good."""

from hashlib import sha256
from typing import Any, Final

from bot.demo.evals.part import Table
from bot.demo.evals.questions.cases import PromptCase
from bot.demo.evals.questions.posing import Compose
from engine.errors import Misconfigured

PROMPT: Final = "respond"
DIGITS: Final = 6
"""Hexadecimal ones, by which the cases of one person are told apart."""


async def case_of_told(about: str, line: str, demand: str, table: Table, *, compose: Compose) -> PromptCase:
    """Return a case: how the twin of somebody who said this for good answers a demand.

    Nothing is expected yet, since no code reads the line: whoever keeps the case says what.

    Args:
        about: their agent id, with or without ``user_agent_``.
        demand: in its own words, or the id of a case of negotiations.
        compose: makes the question of a case.

    Raises:
        Misconfigured: the twin is not asked, or there is no such person.
    """
    name = about.removeprefix("user_agent_")
    if f"user_agent_{name}" not in table.profiles:
        raise Misconfigured([f"Nobody is called {about!r}; `--profiles` names the folder of people."])
    digest = sha256(f"{line}\n{demand}".encode()).hexdigest()[:DIGITS]
    fields: dict[str, Any] = {"id": f"told-{name}-{digest}", "prompt": PROMPT}
    case = PromptCase(**fields, scene=demand, about=name, told=(line,))
    try:
        await compose(case, table)
    except Misconfigured as error:
        raise Misconfigured([f"{name} is not asked for {demand!r}: give a demand that they are asked for."]) from error
    return case
