"""People's texts are safe in Slack."""

import pytest

from bot.texts import texts_in
from bot.views.kit.mrkdwn import bold, local_time, mention, plain_line, safe_line, safe_text, slack_length

JOINER = "\u2060"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a < b & c > d", "a &lt; b &amp; c &gt; d", id="what Slack reads as markup"),
        pytest.param("<!channel>", "&lt;!channel&gt;", id="a call to the channel"),
        pytest.param("<@U1> hi", "&lt;@U1&gt; hi", id="a mention"),
        pytest.param("<https://evil|bank>", "&lt;https://evil|bank&gt;", id="a link that lies"),
        pytest.param("&lt;!here&gt;", "&amp;lt;!here&amp;gt;", id="what is escaped already"),
        pytest.param("@here @Channel", f"@{JOINER}here @{JOINER}Channel", id="a call to all by name"),
        pytest.param("bo@here.example", "bo@here.example", id="an address"),
        pytest.param("(@here)", f"(@{JOINER}here)", id="a call in brackets"),
        pytest.param("```code```", "'''code'''", id="a code block"),
        pytest.param("\u202eabc\u2066d\x00\x1b", "abcd", id="what turns or hides the text around it"),
        pytest.param("half \ud83d", "half", id="half of a character"),
        pytest.param("a\r\n\r\n\n \nb\u2028c", "a\n\nb\nc", id="too many line breaks"),
        pytest.param("  ", "", id="blanks"),
    ],
)
def test_what_people_write_is_shown_and_does_nothing(text: str, shown: str) -> None:
    assert safe_text(text, 1_000) == shown


def test_long_words_end_in_an_ellipsis() -> None:
    assert safe_text("a long story", 8) == "a long…"


def test_nothing_is_cut_through_an_escape() -> None:
    assert safe_text("abc&def", 7) == "abc…"


def test_the_length_is_that_of_what_is_sent() -> None:
    assert slack_length(safe_text("&" * 100, 50)) <= 50
    assert slack_length(safe_text("👩" * 100, 50)) <= 50


def test_what_just_fits_is_left_alone() -> None:
    assert safe_text("exactly", 7) == "exactly"


def test_a_line_is_one_line() -> None:
    assert safe_line("first\n\n• second\tthird", 100) == "first • second third"


def test_titles_are_not_escaped_and_call_nobody() -> None:
    assert plain_line("R&D <3 <!here> @here", 100) == f"R&D <3 <{JOINER}!here> @{JOINER}here"


def test_a_name_cannot_end_its_own_bold() -> None:
    assert bold("Aya *the* great") == "*Aya the great*"
    assert bold("**") == ""


@pytest.mark.parametrize("user_id", [None, "", "U1><!channel", "aya", "u1", "U" * 80])
def test_only_what_can_be_a_user_is_mentioned(user_id: str | None) -> None:
    assert mention(user_id) == ""


def test_a_time_is_read_in_everyones_own_zone() -> None:
    at = 1_800_000_000_000
    assert local_time(at, texts_in("en")) == "<!date^1800000000^{date_short_pretty}, {time}|2027-01-15 08:00 UTC>"
    assert local_time(at, texts_in("zh")) == "<!date^1800000000^{date_short_pretty} {time}|2027-01-15 08:00 UTC>"
