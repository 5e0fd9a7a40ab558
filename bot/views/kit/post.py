"""One message that should exist in a thread."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import SHOW_ALL, Page
from bot.views.kit.fit import Card, fit_to_message
from bot.views.kit.mrkdwn import escaped
from engine.lexicon.language import Language


@dataclass(frozen=True)
class Post:
    key: str
    """The same for ever: ``root``, ``offers``, ``round-2``, ``outcome``, ``part-2/user_agent_aya``."""
    text: str
    """What a notification says, and what is read out."""
    blocks: tuple[Block, ...]
    restored: bool = False
    """Posted again if somebody deletes it: people are voting in it."""
    to: str = ""
    """The user in whose direct messages it belongs; empty in the negotiation's thread."""
    is_late: bool = False
    """Not worth posting any more; where it was posted, it stays."""
    broadcast: bool = False
    """Shown in the channel as well, besides in its thread."""
    language: Language | None = None
    """In which a direct message is; None in the thread."""
    card: Card | None = field(default=None, compare=False, repr=False)
    """Draws it anew, in as much room as there is; None where nothing is ever cut."""

    @classmethod
    def drawn(
        cls,
        key: str,
        text: str,
        card: Card,
        *,
        stream: str,
        texts: Texts,
        restored: bool = False,
        to: str = "",
        is_late: bool = False,
        broadcast: bool = False,
    ) -> Self:
        """As much of the card as a message takes. Where that is not everything, a button shows the rest."""
        show_all = blocks.button(texts.say("Show all"), SHOW_ALL, Page(stream=stream, post=key).value())
        drawn, language = fit_to_message(card, show_all), texts.language if to else None
        return cls(key, text, drawn, restored, to, is_late, broadcast, language, card)

    @cached_property
    def digest(self) -> str:
        """Names what is shown."""
        shown = json.dumps([self.text, self.blocks], ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(shown.encode(errors="surrogatepass")).hexdigest()[:16]

    @property
    def in_words(self) -> str:
        """Everything, for where Slack refuses the blocks. Cut between lines, so that no mark is cut through."""
        kept: list[str] = []
        fit = 3_500
        for each in (line for text in _texts(self.blocks) for line in text.split("\n")):
            fit -= len(each) + 1
            if fit < 0:
                return "\n".join([*kept, "…"])
            kept.append(each)
        return "\n".join(kept) or self.text


def _texts(card: Iterable[Block]) -> Iterable[str]:
    for block in card:
        match block["type"]:
            case "header":
                yield escaped(block["text"]["text"])
            case "section":
                yield block["text"]["text"]
            case "context":
                yield from (each["text"] for each in block["elements"])
