"""Somebody exports a plan."""

from dataclasses import dataclass
from typing import Final

from bot.listeners.deliberation.people import read_deliberation
from bot.listeners.exports import Exports
from bot.listeners.interaction import Interaction
from bot.texts import Texts
from bot.views.deliberation import notices
from bot.views.deliberation.button_values import EXPORT
from bot.views.deliberation.export.data import as_json
from bot.views.deliberation.export.ics import calendar, has_days, undated
from bot.views.deliberation.export.markdown import markdown
from bot.views.deliberation.story import schedule
from bot.views.kit.export.file import File, exported_file
from bot.views.kit.export.form import FILES, Format
from bot.views.kit.story.schedule import picture_in
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.kernel import Place


@dataclass(frozen=True, slots=True)
class ExportedDeliberation:
    """An `Exported` (bot/listeners/exports.py)."""

    state: Deliberation

    @property
    def about(self) -> str:
        return self.state.brief.goal

    @property
    def language(self) -> str:
        return self.state.language

    @property
    def place(self) -> Place:
        return self.state.place

    @property
    def requester_id(self) -> str:
        return self.state.requester_id

    @property
    def is_internal(self) -> bool:
        """It has all that was argued."""
        return self.state.place.shared

    @property
    def formats(self) -> tuple[Format, ...]:
        if self.state.report is None:
            return ()
        return FILES if final_plan(self.state) else (Format.MARKDOWN, Format.JSON)

    def invites(self, user: str) -> bool:
        return False

    def has_days(self, texts: Texts) -> bool:
        return has_days(self.state)

    def file(self, wanted: Format, by: str, asked_by: str, texts: Texts) -> File:
        missing = undated(self.state) if wanted is Format.CALENDAR else ()
        content = self._content(wanted, asked_by, texts)
        return exported_file(self.state.session_id, self.state.brief.title, wanted, content, by, missing, texts)

    def picture(self, texts: Texts) -> str:
        return picture_in(schedule(self.state, texts), texts)

    def _content(self, wanted: Format, asked_by: str, texts: Texts) -> bytes:
        match wanted:
            case Format.MARKDOWN:
                return markdown(self.state, asked_by, texts).encode()
            case Format.CALENDAR:
                return calendar(self.state, texts)
            case Format.JSON:
                return as_json(self.state).encode()
            case Format.INVITATION:
                raise ValueError("nobody is invited to an argued plan")


async def _read(interaction: Interaction, stream: str) -> ExportedDeliberation:
    return ExportedDeliberation(await read_deliberation(interaction, stream))


EXPORTS: Final = Exports(RULEBOOK.protocol, EXPORT, _read, notices.refused)
