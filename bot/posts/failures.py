"""The ways in which a call to Slack fails, told apart by whether it may have been done all the same."""

import math
from http import HTTPStatus
from typing import Any, Final

import aiohttp
from slack_sdk.errors import SlackApiError

CALL_ERRORS: Final = (SlackApiError, aiohttp.ClientError, TimeoutError)
"""Whatever slack_sdk raises when a call does not succeed."""


class NoToken(SlackApiError):
    """The app is not installed in a workspace, or its token cannot be renewed just now; ``why`` says which."""

    def __init__(self, why: str) -> None:
        super().__init__(f"There is no token to call Slack with ({why}).", {"ok": False, "error": why})  # type: ignore[no-untyped-call]
        self.why = why


_PAUSE_UNTOLD: Final = 10.0
"""Seconds to wait where Slack answers "too many" without a time."""
_SHORTEST_PAUSE: Final = 1.0
"""Seconds. Slack counts in whole ones; a proxy may say 0, and would be asked as fast as it answers."""
_LONGEST_PAUSE: Final = 3_600.0
"""Seconds after which Slack is asked again, whatever it or a proxy has said."""

_UNDONE: Final = frozenset({"request_timeout", "team_added_to_org", "org_login_required"})
_UNSURE: Final = frozenset({"", "internal_error", "fatal_error", "service_unavailable", "update_failed"})
GONE: Final = frozenset({"user_disabled", "user_not_found", "account_inactive_user"})
"""Errors that say that an account was closed or does not exist."""

CLOSED: Final = frozenset({"is_archived", "is_inactive", "not_in_channel", "channel_not_found"})
"""Errors of a channel that may be open to us again later."""

FORBIDDEN: Final = frozenset({"missing_scope", "no_permission", "not_allowed_token_type"})
"""Errors that say that we may not call a method; others may be open to us."""

UNEDITABLE: Final = frozenset({"edit_window_closed", "cant_update_message"})
"""Errors of a message that stays as it is for good."""

SHUT: Final = frozenset({"account_inactive", "invalid_auth", "not_authed", "token_expired", "token_revoked"})
"""Errors that say that the whole app is shut out; all that is refused so may succeed once it is installed again."""

BAD_BLOCKS: Final = "invalid_blocks"
_CONTENT: Final = frozenset({BAD_BLOCKS, "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "no_text"})


def is_about_content(why: str) -> bool:
    """Return whether Slack has refused what a message says, and not where it was to stand."""
    return why in _CONTENT


def is_restricted(why: str) -> bool:
    """Return whether Slack has refused a post since only some may post there; invitations would not help."""
    return why.startswith("restricted_action") or why == "posting_to_channel_denied"


class CallFailed(Exception):
    """``why`` is Slack's word for it, or the exception's name."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Throttled(CallFailed):
    """It was not done: there were too many calls of this method in this workspace."""

    def __init__(self, why: str, seconds: float) -> None:
        super().__init__(why)
        self.seconds = seconds


class Undone(CallFailed):
    """It was not done, and may succeed if tried again."""


class Shut(Undone):
    """Slack takes our token no more, for whatever call, until somebody lets us in again."""


class Diverted(CallFailed):
    """It may not have been done, and doing it in another way at once does no harm."""


class Unsure(CallFailed):
    """It may have been done; look before trying again."""


class Broken(Unsure):
    """Slack has answered that it failed; a message that cannot be looked for may be sent again."""


class Refused(CallFailed):
    """It was not done, and trying again would not help."""

    @property
    def for_its_content(self) -> bool:
        """Whether Slack might accept the same message as plain text."""
        return is_about_content(self.why)


def failure(error: SlackApiError | aiohttp.ClientError | TimeoutError) -> CallFailed:
    if isinstance(error, NoToken):
        return Undone(error.why)
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
        return (Unsure if status == HTTPStatus.GATEWAY_TIMEOUT else Broken)(why or f"http_{status}")
    if why in SHUT:
        return Shut(why)
    return Undone(why) if why in _UNDONE else Refused(why)


def _pause(headers: Any) -> float:
    try:
        told = float(headers.get("Retry-After", _PAUSE_UNTOLD))
    except ValueError:
        told = math.nan
    return _PAUSE_UNTOLD if math.isnan(told) else min(max(told, _SHORTEST_PAUSE), _LONGEST_PAUSE)
