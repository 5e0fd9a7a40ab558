"""The manifest of the Slack app. It is beside the code in a checkout, and in the package once installed."""

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from bot.oauth_config import REDIRECT

RUN: Final = "function_executed"
"""The event of the step."""
PACKAGE: Final = Path(__file__).parents[1]
OF_MANY: Final = ("app_uninstalled", "team_access_granted", "team_access_revoked", "tokens_revoked")
"""Events that tell who has let the app in, or taken it out."""


@cache
def manifest() -> dict[str, Any]:
    places = (PACKAGE / "manifest.yml", PACKAGE.parent / "manifest.yml")
    found = next(place for place in places if place.is_file())
    read: dict[str, Any] = yaml.safe_load(found.read_text("utf-8"))
    return read


def without_step() -> dict[str, Any]:
    """Return the manifest of an app for workspaces whose plan has no steps of apps."""
    made = deepcopy(manifest())
    del made["functions"], made["settings"]["function_runtime"]
    made["settings"]["event_subscriptions"]["bot_events"].remove(RUN)
    made["settings"]["org_deploy_enabled"] = False
    return made


def manifest_for_many(public_url: str) -> dict[str, Any]:
    """Return the manifest of an app that any workspace can install: its tokens expire, and organisations may have it.

    It has no step for workflows: Slack lets no app with one be installed everywhere.
    """
    made = without_step()
    made["oauth_config"]["redirect_urls"] = [f"{public_url}{REDIRECT}"]
    events = made["settings"]["event_subscriptions"]
    events["bot_events"] = sorted({*events["bot_events"], *OF_MANY})
    made["settings"] |= {"org_deploy_enabled": True, "token_rotation_enabled": True}
    return made
