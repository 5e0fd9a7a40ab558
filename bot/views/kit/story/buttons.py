"""The button *Open page*, and what somebody gets who clicks it."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from bot.texts import Texts
from bot.views.kit import blocks, menu
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.modals import modal

OPEN_PAGE: Final = "story.open"
FOLLOW_LINK: Final = "story.follow"


def open_page(stream: str, texts: Texts) -> Block:
    """Return the button. Where ToWow has no pages, it is left out of whatever is posted (`without_pages`).

    It has no address of its own: everybody in a channel sees the same button, and a link is for one person.
    """
    return blocks.button(texts.say("Open page"), OPEN_PAGE, StreamButton(stream=stream).value())


def with_page(block: Block, stream: str, texts: Texts) -> Block:
    """Return a section with the button beside it."""
    return block | {"accessory": open_page(stream, texts)}


def with_pages(told: Sequence[tuple[str, str]], texts: Texts, most: int) -> Iterator[Block]:
    """Yield a section for each text, with the button; where there are too many, the last ones share one without.

    Args:
        told: each text, and the stream that it is about.
    """
    alone = len(told) if len(told) <= most else most - 1
    for text, stream in told[:alone]:
        yield with_page(blocks.section(text), stream, texts)
    yield from blocks.sections((text for text, _ in told[alone:]), most=1)


def without_pages(card: list[Block]) -> list[Block]:
    """Return the blocks without the button."""
    found: list[Block] = []
    for block in card:
        if block["type"] == "actions" and menu.has_action(block["elements"], OPEN_PAGE):
            kept = [left for each in block["elements"] for left in menu.without(each, OPEN_PAGE)]
            found += [{**block, "elements": kept}] if kept else []
        elif (block.get("accessory") or {}).get("action_id") == OPEN_PAGE:
            found.append({name: value for name, value in block.items() if name != "accessory"})
        else:
            found.append(block)
    return found


def link_modal(address: str, days: int, texts: Texts) -> dict[str, Any]:
    """A modal with the link."""
    told = texts.count(
        "The page of this story, from what was asked to what came of it. It changes by itself. The link is yours "
        "alone, and works for {n} day: whoever has it sees what you see.",
        "The page of this story, from what was asked to what came of it. It changes by itself. The link is yours "
        "alone, and works for {n} days: whoever has it sees what you see.",
        days,
    )
    button = blocks.button(texts.say("Open in the browser"), FOLLOW_LINK, "page", url=address, style="primary")
    return modal(texts.say("Open page"), [blocks.section(told), blocks.actions(button)], texts)


def no_pages(texts: Texts) -> str:
    return texts.say("There are no pages here: no public address was set for ToWow. Ask an admin to set one.")


def not_for_you(texts: Texts) -> str:
    return texts.say("This page is for people of this workspace who take part or can read the thread. Ask one of them.")
