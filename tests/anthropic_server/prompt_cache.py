"""Prefix caching by the rules of the API: which tokens of a request are read, and which are kept."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

SMALLEST: Final[Mapping[str, int]] = {
    "claude-haiku-5-5": 512,
    "claude-sonnet-5-5": 512,
    "claude-sonnet-4-6": 2048,
    "claude-haiku-4-5": 4096,
}
"""Tokens by model; no shorter beginning is kept."""
SMALLEST_OF_OTHERS: Final = 1024
LASTING: Final = 300.0
"""Seconds from its last use."""
LOOKS_BACK: Final = 20
"""Blocks before one that is marked, of which the longest that is kept is looked for."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A place in a request at which a block ends."""

    digest: str
    """Of all before it, with the model and what else must be the same."""
    tokens: int
    """Of all before it."""
    is_marked: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """The tokens of a request by what they cost."""

    input: int
    written: int
    read: int


class PromptCache:
    """
    Args:
        now: seconds; by them what is kept expires.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._until: dict[str, float] = {}
        """Until when each beginning is kept."""

    def counted(self, body: Mapping[str, Any]) -> Counted:
        """Return what is read and what will be kept: `keep` it once there is an answer."""
        cuts = list(_cuts(body))
        whole, read, least = cuts[-1].tokens, 0, smallest(body["model"])
        for position, cut in enumerate(cuts):
            if cut.is_marked:
                behind = cuts[max(0, position - LOOKS_BACK) : position + 1]
                read = max([read, *(each.tokens for each in behind if self._is_kept(each))])
        marked = max((each.tokens for each in cuts if each.is_marked and each.tokens >= least), default=0)
        written = max(0, marked - read)
        return Counted(whole - read - written, written, read)

    def keep(self, body: Mapping[str, Any]) -> None:
        """Keep what is marked in a request that was answered."""
        until = self._now() + LASTING
        for cut in _cuts(body):
            if cut.tokens >= smallest(body["model"]) and (cut.is_marked or self._is_kept(cut)):
                self._until[cut.digest] = until

    def _is_kept(self, cut: Cut) -> bool:
        return self._until.get(cut.digest, 0.0) > self._now()


def smallest(model: str) -> int:
    """Tokens."""
    return next((tokens for name, tokens in SMALLEST.items() if model.startswith(name)), SMALLEST_OF_OTHERS)


def tokens_of(text: str) -> int:
    """Return about how many there are: one for each Chinese character, and one for four of other letters."""
    others = len(text.encode("ascii", "ignore"))
    return (4 * len(text) - 3 * others) // 4


def pieces(body: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield a request's texts in the order in which they count, and whether each is marked for the cache.

    The schema of the answer comes first: the API tells the model of it before everything else.
    """
    form = body.get("output_config", {}).get("format")
    yield _text(form) if form else "", False
    for where, block in _blocks(body):
        text = _text({name: value for name, value in block.items() if name != "cache_control"})
        yield f"{where} {text}", "cache_control" in block


def _cuts(body: Mapping[str, Any]) -> Iterator[Cut]:
    """Yield the ends of all blocks: tools, system, messages."""
    digest = hashlib.sha256(_text(body["model"]).encode())
    tokens = 0
    for text, is_marked in pieces(body):
        digest.update(f"\0{text}".encode())
        tokens += tokens_of(text)
        yield Cut(digest.hexdigest(), tokens, is_marked)


def _blocks(body: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from (("tools", each) for each in body.get("tools", ()))
    choice = _text(body.get("tool_choice"))  # another one leaves what is kept of tools and system
    said = [(f"{each['role']} {choice}", each["content"]) for each in body["messages"]]
    for where, content in (("system", body.get("system", ())), *said):
        texts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        yield from ((where, each) for each in texts)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
