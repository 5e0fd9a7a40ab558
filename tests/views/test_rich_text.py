"""Our mrkdwn as a rich text: what is marked keeps its mark, and nothing else becomes one."""

from typing import Any

import pytest
from slack_sdk.models.blocks import Block as SlackBlock

from bot.views.kit.mrkdwn import bold, mention, safe_line
from bot.views.kit.surfaces import rich_text
from tests.views.stories import NASTY


def elements(mrkdwn: str) -> list[dict[str, Any]]:
    [section] = rich_text(mrkdwn)["elements"]
    found: list[dict[str, Any]] = section["elements"]
    return found


@pytest.mark.parametrize(
    ("mrkdwn", "element"),
    [
        pytest.param(mention("U1"), {"type": "user", "user_id": "U1"}, id="a person"),
        pytest.param("<#C1>", {"type": "channel", "channel_id": "C1"}, id="a channel"),
        pytest.param(bold("Aya"), {"type": "text", "text": "Aya", "style": {"bold": True}}, id="bold"),
        pytest.param(
            "<!date^1800000000^{date_short} {time}|15 Jan>",
            {"type": "date", "timestamp": 1_800_000_000, "format": "{date_short} {time}", "fallback": "15 Jan"},
            id="a time",
        ),
        pytest.param(
            "<https://example.org/a?b=1&amp;c=2|here>",
            {"type": "link", "url": "https://example.org/a?b=1&c=2", "text": "here"},
            id="a link",
        ),
        pytest.param("a &lt;b&gt; &amp; c", {"type": "text", "text": "a <b> & c"}, id="what was escaped"),
    ],
)
def test_marks_become_elements(mrkdwn: str, element: dict[str, Any]) -> None:
    assert elements(mrkdwn) == [element]
    assert elements(f"x {mrkdwn} y")[1:-1] in ([element], [])


@pytest.mark.parametrize("text", NASTY)
def test_what_people_write_is_never_more_than_text(text: str) -> None:
    found = elements(safe_line(text, 200))
    assert {each["type"] for each in found} == {"text"}


def test_slacks_own_models_take_it() -> None:
    said = rich_text(f"{bold('Aya')} · {mention('U1')} · <!date^1800000000^{{time}}|15:00>")
    for block in SlackBlock.parse_all([said]):
        block.validate_json()
