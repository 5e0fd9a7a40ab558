"""The files of a delivery that has ended, as they are put into its thread."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from bot.texts import Texts
from bot.views.delivery.names import ticket_title
from bot.views.delivery.owners_words import size_text
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import Fit, plain_line
from engine.delivery.state import Delivery
from engine.delivery.terms import Artifact

MOST_FILES: Final = 20
LARGEST: Final = 100_000_000
"""Bytes of all files that are put into one thread."""
LONGEST_NAME: Final = 80


def to_share(files: Sequence[Artifact]) -> tuple[Sequence[Artifact], int]:
    """The ones that are put into the thread, and how many are not."""
    shared: list[Artifact] = []
    left = LARGEST
    for each in files[:MOST_FILES]:
        if each.size_bytes <= left:
            shared.append(each)
            left -= each.size_bytes
    return shared, len(files) - len(shared)


def file_name(state: Delivery, artifact: Artifact) -> str:
    """With its ticket's id, as several tickets may have made files of one name."""
    name = plain_line(PurePosixPath(artifact.uri).name, LONGEST_NAME) or "file"
    made_by = next((each.ticket_id for each in state.tickets.values() if artifact in each.artifacts), "")
    return f"{made_by}-{name}" if made_by else name


def message(state: Delivery, shared: Sequence[Artifact], left_out: int, texts: Texts) -> list[Block]:
    """What the files come with: which result each is, and what is not among them."""
    fit = Fit(0.5)
    lines = []
    for ticket in state.tickets.values():
        made = [each for each in ticket.artifacts if each in shared]
        if made:
            what = texts.say(", ").join(
                f"{fit.line(each.label, 120)} ({size_text(each.size_bytes, texts)})" for each in made
            )
            lines.append(f"• {ticket_title(ticket, fit, 120)}: {what}")
    if left_out:
        lines.append(
            texts.count(
                "{n} file is too large or one too many for the thread; it is kept with the others.",
                "{n} files are too large or too many for the thread; they are kept with the others.",
                left_out,
            )
        )
    return blocks.titled_list(texts.say("📎 *What was made*"), lines)


def not_shared(texts: Texts) -> str:
    return texts.say("The files that were made could not be put into the thread. They are kept, and can be sent again.")
