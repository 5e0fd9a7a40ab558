"""The few kinds of blocks we use, made by slack_sdk's models, which refuse what Slack would."""

from collections.abc import Iterable, Sequence
from typing import Any

from slack_sdk.models.blocks import (
    ActionsBlock,
    ButtonElement,
    ContextBlock,
    DividerBlock,
    HeaderBlock,
    MarkdownTextObject,
    PlainTextObject,
    SectionBlock,
)

from bot.views.mrkdwn import length

Block = dict[str, Any]

LONGEST_SECTION = 2_900
"""Slack takes 3,000 characters."""


def header(text: str) -> Block:
    return HeaderBlock(text=PlainTextObject(text=text, emoji=True)).to_dict()


def section(text: str) -> Block:
    return SectionBlock(text=_mrkdwn(text)).to_dict()


def context(text: str) -> Block:
    """Small print."""
    return ContextBlock(elements=[_mrkdwn(text)]).to_dict()


def divider() -> Block:
    return DividerBlock().to_dict()


def actions(*buttons: ButtonElement) -> Block:
    return ActionsBlock(elements=list(buttons)).to_dict()


def sections(paragraphs: Iterable[str], most: int = 20) -> list[Block]:
    """A section for each paragraph; where they are too many, several share one."""
    return [section(text) for text in _shared([each for each in paragraphs if each], most)]


def listed(title: str, lines: Sequence[str]) -> list[Block]:
    """A title and its lines in as few sections as they need; nothing where there are no lines."""
    return [section(text) for text in _packed([title, *lines], LONGEST_SECTION)] if lines else []


def _mrkdwn(text: str) -> MarkdownTextObject:
    # Verbatim: Slack makes no links and mentions of its own out of what people wrote.
    return MarkdownTextObject(text=text, verbatim=True)


def _shared(paragraphs: Sequence[str], most: int) -> list[str]:
    together = -(-len(paragraphs) // most) or 1
    groups = [paragraphs[start : start + together] for start in range(0, len(paragraphs), together)]
    return [text for group in groups for text in _packed(group, LONGEST_SECTION)]


def _packed(lines: Sequence[str], longest: int) -> list[str]:
    packed: list[str] = []
    for each in lines:
        if packed and length(packed[-1]) + 1 + length(each) <= longest:
            packed[-1] += f"\n{each}"
        else:
            packed.append(each)
    return packed
