"""Somebody exports a plan."""

from typing import Final

from bot.listeners.deliberation.people import read_deliberation
from bot.listeners.exports import ExportedPlan, Exports
from bot.listeners.interaction import Interaction
from bot.views.deliberation import notices
from bot.views.deliberation.export.data import as_json, calendar, has_days, undated
from bot.views.deliberation.export.markdown import markdown
from bot.views.deliberation.story import schedule
from bot.views.deliberation.values import EXPORT
from bot.views.kit.export.form import FILES, Format
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation


def _formats(state: Deliberation) -> tuple[Format, ...]:
    if state.report is None:
        return ()
    return FILES if final_plan(state) else (Format.MARKDOWN, Format.JSON)


async def _read(interaction: Interaction, stream: str) -> ExportedPlan:
    state = await read_deliberation(interaction, stream)
    return ExportedPlan(
        state,
        state.language,
        _formats(state),
        undated(state),
        has_days(state),
        lambda texts: schedule(state, texts),
        {
            Format.MARKDOWN: lambda asked_by, texts: markdown(state, asked_by, texts).encode(),
            Format.CALENDAR: lambda _, texts: calendar(state, texts),
            Format.JSON: lambda _, __: as_json(state).encode(),
        },
    )


EXPORTS: Final = Exports(RULEBOOK.protocol, EXPORT, _read, notices.refused)
