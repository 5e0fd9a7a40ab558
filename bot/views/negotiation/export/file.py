"""Makes an exported file and the message it comes with."""

from bot.texts import Texts
from bot.views.kit.export.file import File, exported_file
from bot.views.kit.export.form import FILES, Format
from bot.views.negotiation.export.data import as_json
from bot.views.negotiation.export.ended import EndedNegotiation
from bot.views.negotiation.export.ics import calendar, without_day
from bot.views.negotiation.export.invitation import invites_anybody
from bot.views.negotiation.export.markdown import markdown
from engine.negotiation.state import Negotiation


def formats(state: Negotiation) -> tuple[Format, ...]:
    """The formats to choose from; a calendar needs a plan, and an invitation somebody who is needed on a known day."""
    if not state.final:
        return Format.MARKDOWN, Format.JSON
    return (*FILES, Format.INVITATION) if invites_anybody(state) else FILES


def file(ended: EndedNegotiation, wanted: Format, by: str, texts: Texts) -> File:
    """``by``: the user who wants it."""
    undated = without_day(ended, texts) if wanted is Format.CALENDAR else ()
    return exported_file(
        ended.state.demand_id, ended.demand, wanted, _content(ended, wanted, texts), by, undated, texts
    )


def _content(ended: EndedNegotiation, wanted: Format, texts: Texts) -> bytes:
    match wanted:
        case Format.MARKDOWN:
            return markdown(ended, texts).encode()
        case Format.CALENDAR:
            return calendar(ended, texts)
        case Format.INVITATION:
            raise ValueError("an invitation is for one person, and is no file of the thread")
        case Format.JSON:
            return as_json(ended).encode()
