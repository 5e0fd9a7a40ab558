"""Reads messages as Slack does, and checks which marks in them are live."""

import re
from collections.abc import Iterator
from typing import Any, Final

from bot.demo.demo import CHANNEL
from bot.local_slack import Message, View
from tests.views.message_contents import CALL_TO_ALL, ESCAPED, OURS, texts_within

from .driver import EVE, EVERYBODY, Driver

KNOWN: Final = {*(f"@{each}" for each in EVERYBODY if each != EVE), f"#{CHANNEL}"}
"""Whom and what our messages may name; Eve takes no part."""
LINK: Final = re.compile(r"<http://127\.0\.0\.1:\d+/archives/\w+/p\d+(\?thread_ts=\d+\.\d+&amp;cid=\w+)?\|[^<>|]+>")
"""To where something of ours stands in this workspace. Nobody else can make a link: what they write is escaped."""
REVERSING: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067\u206a-\u206f]")
ISOLATED: Final = re.compile("\u2068[^\u2068\u2069\n]*\u2069")
"""What is written from right to left, as we set it apart from what stands around it."""
UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\ufffd]")
"""Control characters, and halves of characters."""
CUT_IN_TWO: Final = re.compile("&(?:a|am|amp|l|lt|g|gt)?(?:…|$)")


async def seen(it: Driver) -> list[Message | View]:
    """Return all of ours that anybody sees: in the channel and its threads, in direct messages, in open forms."""
    found: dict[str, Message | View] = {}
    for user in EVERYBODY:
        person = it.demo.person(user)
        direct = await person.messages((await person.dm()).id)
        found |= {each.ts: each for each in (*await it.everything(user), *direct) if each.bot_id}
        found |= {each.id: each for each in await person.modals()}
    return [*found.values()]


def is_tame(shown: Message | View) -> None:
    """Check that it calls nobody but the people of this negotiation, leads nowhere else, and is cut cleanly."""
    texts = [*texts_within(shown.blocks)]
    if isinstance(shown, Message):
        texts.append({"type": "mrkdwn", "text": shown.text, "verbatim": True})
    else:
        texts += texts_within([shown.title, shown.submit, shown.close])
        for text in _entered(shown.blocks):
            assert not REVERSING.search(text)
            assert not UNSEEN.search(text)
    for each in texts:
        text = each["text"]
        rest = text
        while ISOLATED.search(rest):
            rest = ISOLATED.sub("", rest)
        assert not {"\u2068", "\u2069"} & {*rest}, text
        assert not REVERSING.search(text), text
        assert not UNSEEN.search(text), text
        assert not CALL_TO_ALL.search(text), text
        if each["type"] == "mrkdwn":
            _has_only_our_marks(text)
            assert each.get("verbatim"), text  # else Slack makes links of addresses
        else:
            assert "<!" not in text


def _has_only_our_marks(text: str) -> None:
    marks = [each for each in OURS.findall(text) if not each.startswith("!date")]
    assert set(marks) <= KNOWN, text
    rest = LINK.sub("", OURS.sub("", text))
    assert not set("<>") & set(rest), text
    assert "&" not in ESCAPED.sub("", rest), text
    assert not CUT_IN_TWO.search(rest), text
    assert "```" not in text


def _entered(blocks: Any) -> Iterator[str]:
    """Return what stands in a form's fields already."""
    return (each["element"]["initial_value"] for each in blocks if "initial_value" in each.get("element", ()))
