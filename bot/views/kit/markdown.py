"""Reads the Markdown that models write, and says it as Slack shows it, or in plain words. Addresses stay to be seen."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_MARKDOWN: Final = re.compile(
    r"\*\*[^\s*]|(?<!\w)__[^\s_]|~~[^\s~]|\]\((?:https?|mailto):|^ {0,3}#{1,6} \S|^ {0,9}\|? {0,9}:?-{3,99}:? {0,9}\|",
    re.MULTILINE,
)
"""What Slack would show as it is written. A text without it stays as it is: one asterisk or line means the same there,
or nothing."""
_SHORTCODE: Final = re.compile(r":[a-z0-9_+-]{1,40}:")
_SKIN: Final = re.compile(r"(?<=[^\s\w:]):skin-tone-([2-6]):")
"""Behind an emoji; Slack counts the five tones from two."""
_FIRST_TONE: Final = 0x1F3FB
_FLAG: Final = re.compile(r":flag-([a-z]{2}):")
_LETTER_OF_A_FLAG: Final = 0x1F1E6


def as_slack_shows_it(text: str, *, with_marks: bool) -> str:
    """
    Args:
        with_marks: whether bold text is marked as Slack marks it; without, nothing is.
    """
    if not _MARKDOWN.search(text):
        return text
    seen = text.replace("\0", "")  # which the parser would put a visible character in place of
    said = "".join(_blocks(_parser().parse(seen), "*" if with_marks else ""))
    return re.sub(r"\n{3,}", "\n\n", said).strip("\n")


def with_emoji(text: str) -> str:
    """A text in which emoji stand that Slack writes by name, for where nobody knows these names."""
    if not _SHORTCODE.search(text):
        return text
    from rich.emoji import Emoji  # only where there is one

    shown = _SKIN.sub(lambda found: chr(_FIRST_TONE + int(found[1]) - 2), Emoji.replace(text))
    return _FLAG.sub(lambda found: "".join(chr(_LETTER_OF_A_FLAG + ord(each) - ord("a")) for each in found[1]), shown)


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # only where there is Markdown

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return parser.disable(["entity", "escape", "html_inline", "html_block", "hr", "lheading", "reference"])


def _blocks(tokens: Sequence["Token"], bold: str) -> Iterator[str]:
    cells = 0
    for each in tokens:
        match each.type:
            case "inline":
                yield from _inline(each.children or (), bold)
            case "heading_open" | "th_close":
                yield bold
            case "heading_close":
                yield bold + "\n"
            case "th_open":
                yield (" · " if cells else "") + bold
                cells += 1
            case "td_open":
                yield " · " if cells else ""
                cells += 1
            case "tr_open":
                cells = 0
            case "tr_close":
                yield "\n"
            case "list_item_open":
                yield "  " * (each.level // 2) + (f"{each.info}{each.markup} " if each.info else "• ")
            case "paragraph_close":
                yield "\n" if each.hidden else "\n\n"
            case "bullet_list_close" | "ordered_list_close" | "table_close":
                yield "\n"
            case "fence" | "code_block":
                yield each.content + "\n"


def _inline(tokens: Sequence["Token"], bold: str) -> Iterator[str]:
    addresses: list[tuple[str, list[str]]] = []
    for each in tokens:
        said = ""
        match each.type:
            case "text":
                said = each.content
            case "softbreak" | "hardbreak":
                said = "\n"
            case "code_inline":
                said = f"`{each.content}`"
            case "strong_open" | "strong_close":
                said = bold
            case "em_open" | "em_close":
                said = each.markup
            case "s_open" | "s_close":
                said = "~"  # also in plain words: what was struck out must not read as if it held
            case "image":
                said = f"{each.content} ({each.attrGet('src')})".lstrip()
            case "link_open":
                addresses.append((str(each.attrGet("href") or ""), []))
                continue
            case "link_close":
                address, label = addresses.pop()
                words = "".join(label)
                said = words if words == address else f"{words} ({address})"
        if addresses:
            addresses[-1][1].append(said)
        else:
            yield said
