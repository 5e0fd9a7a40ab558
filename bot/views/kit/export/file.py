"""A file that is put into a thread, and the message it comes with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.export.form import Format
from bot.views.kit.mrkdwn import Fit, mention, plain_line

LONGEST_TITLE: Final = 100
MOST_LINES: Final = 10


@dataclass(frozen=True, slots=True)
class File:
    name: str
    title: str
    content: bytes
    message: tuple[Block, ...]


def exported_file(
    name: str, about: str, wanted: Format, content: bytes, by: str, undated: Sequence[str], texts: Texts
) -> File:
    """
    Args:
        name: of the file, without its ending.
        about: what it is about, for its title.
        by: the user who wants it.
        undated: what a calendar lacks for want of a date.
    """
    message = [blocks.section(texts.say("Exported by {who}", who=mention(by) or "?")), *_missing(undated, texts)]
    return File(f"{name}.{wanted.suffix}", plain_line(about, LONGEST_TITLE) or "ToWow", content, tuple(message))


def _missing(undated: Sequence[str], texts: Texts) -> list[Block]:
    fit = Fit()
    lines = [f"• {fit.line(each, 200)}" for each in undated[:MOST_LINES]]
    if len(undated) > MOST_LINES:
        lines.append("…")
    return blocks.titled_list(texts.say("*Not in it, for want of a date that a calendar can read*"), lines)


def with_picture(file: File, content: bytes, texts: Texts) -> list[File]:
    """Return a file, and the picture of its schedule beside it."""
    title = plain_line(texts.say("{what}: {detail}", what=texts.say("Schedule"), detail=file.title), LONGEST_TITLE)
    return [file, File(f"{file.name.rpartition('.')[0]}.png", title, content, ())]


def without_picture(texts: Texts) -> Block:
    """What is said where the picture could not be drawn."""
    return blocks.context(
        texts.say("The picture of the schedule is left out: this machine has no font for what is written in it.")
    )
