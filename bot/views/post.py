"""One message that should exist in a thread."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from bot.views.blocks import Block


@dataclass(frozen=True)
class Post:
    key: str
    """The same for ever: ``root``, ``offers``, ``round-2``, ``outcome``."""
    text: str
    """What a notification says, and what is read out."""
    blocks: tuple[Block, ...]
    restored: bool = False
    """Posted again if somebody deletes it: people are voting in it."""

    @cached_property
    def digest(self) -> str:
        """Names what is shown."""
        shown = json.dumps([self.text, self.blocks], ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(shown.encode(errors="surrogatepass")).hexdigest()[:16]

    @property
    def in_words(self) -> str:
        """Everything, for where Slack refuses the blocks. Cut between lines, so that no mark is cut through."""
        kept: list[str] = []
        room = 3_500
        for each in (line for text in _texts(self.blocks) for line in text.split("\n")):
            room -= len(each) + 1
            if room < 0:
                return "\n".join([*kept, "…"])
            kept.append(each)
        return "\n".join(kept) or self.text


def _texts(blocks: Iterable[Block]) -> Iterable[str]:
    for block in blocks:
        match block["type"]:
            case "header":
                yield block["text"]["text"].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            case "section":
                yield block["text"]["text"]
            case "context":
                yield from (each["text"] for each in block["elements"])
