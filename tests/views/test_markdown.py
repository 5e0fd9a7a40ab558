"""Markdown that a model writes is shown as it is meant, and has no effect beyond that."""

import pytest

from bot.views.kit.export.file import safe_line as in_markdown
from bot.views.kit.markdown import as_slack_shows_it, with_emoji
from bot.views.kit.mrkdwn import plain_line, safe_line, safe_text


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("**Host**: Aya", "*Host*: Aya"),
        ("__Host__: Aya", "*Host*: Aya"),
        ("see [the brief](https://a.example/b)", "see the brief (https://a.example/b)"),
        ("see ![the room](https://a.example/b.png)", "see the room (https://a.example/b.png)"),
        ("# Plan\ntext", "*Plan*\ntext"),
        ("**a**\n\n- one\n- two\n  - three", "*a*\n\n• one\n• two\n  • three"),
        ("**a**\n\n1. one\n2. two", "*a*\n\n1. one\n2. two"),
        ("| Who | What |\n| --- | --- |\n| Aya | a room |", "*Who* · *What*\nAya · a room"),
        ("a * b * c, snake_case and *bold* stay", "a * b * c, snake_case and *bold* stay"),
        ("on ~~Friday~~ Saturday, ~5 people", "on ~Friday~ Saturday, ~5 people"),
        ("**Ho\0st**: Aya", "*Host*: Aya"),
        ("**a** &amp; \\*b\\* <b>c</b>", "*a* &amp; \\*b\\* <b>c</b>"),
    ],
)
def test_what_is_written_in_markdown_is_shown_as_it_is_meant(written: str, shown: str) -> None:
    assert as_slack_shows_it(written, with_marks=True) == shown


def test_it_calls_nobody_and_hides_no_address() -> None:
    told = safe_text("**x** [click](https://a.example) <!channel> [me](mailto:a@b.example)", 1_000)
    assert told == "*x* click (https://a.example) &lt;!channel&gt; me (mailto:a@b.example)"


def test_where_nothing_is_marked_up_it_is_said_in_words() -> None:
    assert plain_line("**Host** for [it](https://a.example)", 100) == "Host for it (https://a.example)"
    assert safe_line("**a**\n**b**", 100) == "*a* *b*"


def test_emoji_are_characters_outside_of_slack() -> None:
    assert with_emoji("done :tada: at 10:30:00, :no_such_emoji:") == "done 🎉 at 10:30:00, :no_such_emoji:"
    assert in_markdown("done :tada:") == "done 🎉"
    assert with_emoji(":+1::skin-tone-4: :flag-de: a:skin-tone-4:") == "👍🏽 🇩🇪 a:skin-tone-4:"
