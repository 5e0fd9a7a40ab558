"""Somebody exports a delivery that has ended."""

from typing import Final

from bot.listeners.delivery.deciding import read_delivery
from bot.listeners.exports import ExportedPlan, Exports
from bot.listeners.interaction import Interaction
from bot.views.delivery import notices
from bot.views.delivery.button_values import EXPORT
from bot.views.delivery.export.data import as_json
from bot.views.delivery.export.ics import calendar, has_days, undated
from bot.views.delivery.export.markdown import markdown
from bot.views.delivery.story import schedule
from bot.views.kit.export.form import FILES, Format
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery


def _formats(state: Delivery) -> tuple[Format, ...]:
    if state.report is None or state.erased == "*":
        return ()
    return FILES if state.tickets else (Format.MARKDOWN, Format.JSON)


async def _read(interaction: Interaction, stream: str) -> ExportedPlan:
    state = await read_delivery(interaction, stream)
    return ExportedPlan(
        state,
        state.brief.spoken,
        _formats(state),
        undated(state),
        has_days(state),
        lambda texts: schedule(state, texts),
        {
            Format.MARKDOWN: lambda asked_by, texts: markdown(state, asked_by, texts).encode(errors="replace"),
            Format.CALENDAR: lambda _, texts: calendar(state, texts),
            Format.JSON: lambda _, __: as_json(state).encode(),
        },
    )


EXPORTS: Final = Exports(RULEBOOK.protocol, EXPORT, _read, notices.refused)
