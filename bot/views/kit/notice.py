"""A modal with one sentence, for where there is no conversation to write it into."""

from typing import Any

from slack_sdk.models.views import View

from bot.views.kit.fields import plain_text_object, text_block


def notice(sentence: str) -> dict[str, Any]:
    """``sentence`` is ready for Slack, in whatever language."""
    return View(
        type="modal", title=plain_text_object("ToWow"), close=plain_text_object("OK"), blocks=[text_block(sentence)]
    ).to_dict()
