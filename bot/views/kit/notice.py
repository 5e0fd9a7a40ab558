"""A modal that says one thing, where there is no conversation to say it in."""

from typing import Any

from slack_sdk.models.views import View

from bot.views.kit.fields import note, title


def notice(sentence: str) -> dict[str, Any]:
    """``sentence`` is ready for Slack, in whatever language."""
    return View(type="modal", title=title("ToWow"), close=title("OK"), blocks=[note(sentence)]).to_dict()
