"""Shows a post in full, as the pages of a modal that *Show all* opens."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from slack_sdk.models.views import View

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import LONGEST_HEADER, LONGEST_SECTION, Block
from bot.views.kit.button_values import NEXT, PREVIOUS, Page
from bot.views.kit.fit import Card, draw_whole
from bot.views.kit.mrkdwn import split_text

MOST_BLOCKS: Final = 98
"""Slack takes 100; two are for the page's number and its buttons."""
LARGEST_PAGE: Final = 195_000
"""Bytes of blocks as JSON; Slack refuses a view above 250,000."""


Pages = Sequence[Sequence[Block]]


def paginate(card: Card) -> Pages:
    """The whole card in pages; at least one."""
    pages: list[list[Block]] = [[]]
    left = LARGEST_PAGE
    for block in _split_blocks(draw_whole(card)):
        needed = _size(block)
        if pages[-1] and (needed > left or len(pages[-1]) == MOST_BLOCKS):
            pages.append([])
            left = LARGEST_PAGE
        pages[-1].append(block)
        left -= needed
    return pages


def page_view(pages: Pages, page: Page, texts: Texts) -> dict[str, Any]:
    """The modal's view of a page; of the last one if there are fewer by now."""
    number = min(max(page.number, 1), len(pages))
    shown = pages[number - 1]
    if len(pages) > 1:
        told = texts.say("Page {number} of {total}", number=number, total=len(pages))
        shown = [blocks.context(told), *shown, blocks.actions(*_page_buttons(page, number, len(pages), texts))]
    return _modal(shown, texts)


def gone_view(sentence: str, texts: Texts) -> dict[str, Any]:
    """The modal's view where the post is gone."""
    return _modal([blocks.section(sentence)], texts)


def _modal(shown: Sequence[Block], texts: Texts) -> dict[str, Any]:
    title, close = blocks.plain_text(texts.say("In full")), blocks.plain_text(texts.say("Close"))
    return View(type="modal", title=title, close=close, blocks=shown).to_dict()


def _page_buttons(page: Page, number: int, total: int, texts: Texts) -> Iterator[Block]:
    if number > 1:
        to = page.model_copy(update={"number": number - 1})
        yield blocks.button(texts.say("Previous"), PREVIOUS, to.value())
    if number < total:
        to = page.model_copy(update={"number": number + 1})
        yield blocks.button(texts.say("Next"), NEXT, to.value())


def _split_blocks(card: Iterable[Block]) -> Iterator[Block]:
    """The card's texts in as many blocks as they need, without its buttons."""
    for block in card:
        match block["type"]:
            case "actions" | "input":  # what can be done stands where the page was opened
                pass
            case "header":
                yield from map(blocks.header, split_text(block["text"]["text"], LONGEST_HEADER))
            case "section" if "fields" in block:
                for each in block["fields"]:
                    yield from map(blocks.section, split_text(each["text"], LONGEST_SECTION))
            case "section" if block["text"]["type"] == "plain_text":
                yield from map(blocks.verbatim, split_text(block["text"]["text"], LONGEST_SECTION))
            case "section":
                yield from map(blocks.section, split_text(block["text"]["text"], LONGEST_SECTION))
            case "context":
                for element in block["elements"]:
                    yield from map(blocks.context, split_text(element["text"], LONGEST_SECTION))
            case _:
                yield block


def _size(block: Block) -> int:
    """Bytes of the JSON that the client sends, in which a character outside ASCII takes six or twelve."""
    return len(json.dumps(block)) + len(", ")
