"""What a call to Slack can come to, besides success. Only one question matters: may it have been done?"""

from typing import Any, Final

import aiohttp
from slack_sdk.errors import SlackApiError

CALL_ERRORS: Final = (SlackApiError, aiohttp.ClientError, TimeoutError)
"""Whatever slack_sdk raises when a call does not succeed."""

_PAUSE_UNTOLD: Final = 10.0
"""Seconds, where Slack says "too many" and not until when."""

_UNDONE: Final = frozenset({"request_timeout", "team_added_to_org", "org_login_required"})
_UNSURE: Final = frozenset({"", "internal_error", "fatal_error", "service_unavailable", "update_failed"})
GONE: Final = frozenset({"user_disabled", "user_not_found", "account_inactive_user"})
"""Whom Slack knows no more."""

CLOSED: Final = frozenset({"is_archived", "is_inactive", "not_in_channel", "channel_not_found"})
"""A place that may be open to us again one day."""

BAD_BLOCKS: Final = "invalid_blocks"
_CONTENT: Final = frozenset({BAD_BLOCKS, "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "no_text"})


class CallFailed(Exception):
    """``why`` is Slack's word for it, or the exception's name."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Throttled(CallFailed):
    """Not done: too many calls of this method in this workspace."""

    def __init__(self, why: str, seconds: float) -> None:
        super().__init__(why)
        self.seconds = seconds


class Undone(CallFailed):
    """Surely not done; worth another try."""


class Diverted(CallFailed):
    """Not done this way, or nobody knows; it does no harm to do it another way at once."""


class Unsure(CallFailed):
    """Done or not, nobody knows; worth another try, after a look."""


class Refused(CallFailed):
    """Not done, and trying again would not help."""

    @property
    def for_its_content(self) -> bool:
        """Whether it might pass as plain text."""
        return self.why in _CONTENT


def failure(error: SlackApiError | aiohttp.ClientError | TimeoutError) -> CallFailed:
    if isinstance(error, aiohttp.ClientConnectorError):
        return Undone(type(error).__name__)
    if not isinstance(error, SlackApiError):
        return Unsure(type(error).__name__)
    response: Any = error.response
    # The SDK puts aiohttp's own response in here where the body could not be read.
    status: int = response.status_code if hasattr(response, "status_code") else response.status
    data = getattr(response, "data", None)
    why = str(data.get("error") or "") if isinstance(data, dict) else ""
    if status == 429 or why in ("ratelimited", "rate_limited"):
        return Throttled(why or "ratelimited", _pause(response.headers))
    if status >= 500 or why in _UNSURE:
        return Unsure(why or f"http_{status}")
    return Undone(why) if why in _UNDONE else Refused(why)


def _pause(headers: Any) -> float:
    try:
        return max(0.0, float(headers.get("Retry-After", _PAUSE_UNTOLD)))
    except ValueError:
        return _PAUSE_UNTOLD
