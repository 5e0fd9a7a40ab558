"""Slices a list into pages with Slack's cursors."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

from ..model import Json
from ..refusals import Refusal
from .calls import Call


def page(call: Call, name: str, items: Sequence[object], default: int = 100, most: int | None = None) -> Json:
    """One page of `items` under `name`, of at most `most`, and the cursor of the next."""
    start = read_cursor(call.text("cursor"))
    end = start + max(1, min(call.number("limit", default), most or 1000))
    more = end < len(items)
    return {name: list(items[start:end]), "response_metadata": {"next_cursor": cursor(end) if more else ""}}


def cursor(place: int) -> str:
    return base64.b64encode(f"next:{place}".encode()).decode()


def read_cursor(text: str) -> int:
    if not text:
        return 0
    try:
        return int(base64.b64decode(text).decode().removeprefix("next:"))
    except (ValueError, binascii.Error):
        raise Refusal("invalid_cursor") from None
