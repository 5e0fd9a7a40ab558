"""What people are called, as Slack says it."""

import logging
from collections.abc import Mapping
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from bot.posts.failures import CALL_ERRORS

log = logging.getLogger(__name__)


async def name_of(client: AsyncWebClient, user: str) -> str:
    """Return somebody's name; empty where Slack does not say."""
    try:
        answer = await client.users_info(user=user)
    except (*CALL_ERRORS, AttributeError) as error:
        log.info("%s has no name: %s", user, error)
        return ""
    told: Mapping[str, Any] = answer.get("user") or {}
    return str((told.get("profile") or {}).get("display_name") or told.get("real_name") or "")
