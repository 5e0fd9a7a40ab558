"""Makes an exported file and the message it comes with."""

from dataclasses import dataclass

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import mention, plain_line
from bot.views.negotiation.export.data import as_json
from bot.views.negotiation.export.ended import EndedNegotiation
from bot.views.negotiation.export.form import Format
from bot.views.negotiation.export.ics import calendar, without_day
from bot.views.negotiation.export.markdown import markdown

LONGEST_TITLE = 100
MOST_LINES = 10


@dataclass(frozen=True, slots=True)
class File:
    name: str
    title: str
    content: bytes
    message: tuple[Block, ...]


def file(ended: EndedNegotiation, wanted: Format, by: str, texts: Texts) -> File:
    """``by``: the user who wants it."""
    match wanted:
        case Format.MARKDOWN:
            content = markdown(ended, texts).encode()
        case Format.CALENDAR:
            content = calendar(ended, texts)
        case Format.JSON:
            content = as_json(ended).encode()
    title = plain_line(ended.demand, LONGEST_TITLE) or "ToWow"
    message = [blocks.section(texts.say("Exported by {who}", who=mention(by) or "?"))]
    if wanted is Format.CALENDAR:
        message += _missing(ended, texts)
    return File(f"{ended.state.demand_id}.{wanted.suffix}", title, content, tuple(message))


def _missing(ended: EndedNegotiation, texts: Texts) -> list[Block]:
    missing, fit = without_day(ended, texts), Fit()
    lines = [f"• {fit.line(each, 200)}" for each in missing[:MOST_LINES]]
    if len(missing) > MOST_LINES:
        lines.append("…")
    return blocks.titled_list(texts.say("*Not in it, for want of a date that a calendar can read*"), lines)
