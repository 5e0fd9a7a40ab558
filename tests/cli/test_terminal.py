"""A thread in a terminal: whatever people write is shown, with Slack's marks as styles."""

from io import StringIO
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from bot.demo.negotiation.terminal_seat import stands
from bot.demo.thread_text import shown
from bot.local_slack import Message
from engine.negotiation.policy import Policy
from tests.views.stories import voting

NAMES: Final = {"U_AYA": "Aya", "U_BO": "Bo [admin]\\"}
PIECES: Final = [*"ab *_~`[]/\\<>@!#|:&;()=1林", "[bold]", "[/]", "[/bold]", "<@U_AYA>", "&lt;", ":smile:", "\n"]


def printed(text: str, user: str = "U_AYA") -> str:
    """What a colour terminal of 200 columns gets, without the frame around it."""
    block = {"type": "section", "text": {"type": "mrkdwn", "text": text}}
    message = Message(channel="C_GENERAL", ts="1.1", user=user, blocks=[block])
    out = StringIO()
    Console(file=out, width=200, force_terminal=True, color_system="standard", _environ={}).print(shown(message, NAMES))
    return out.getvalue()


def inside(frame: str) -> str:
    return frame.splitlines()[1].split("\x1b[2m│\x1b[0m")[1].strip()


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=14).map("".join))
def test_whatever_people_write_can_be_printed(text: str) -> None:
    assert printed(text)


@pytest.mark.parametrize(
    ("text", "terminal"),
    [
        pytest.param("*now*", "\x1b[1mnow\x1b[0m", id="bold"),
        pytest.param("a _b_ c", "a \x1b[3mb\x1b[0m c", id="italic"),
        pytest.param("~gone~", "\x1b[9mgone\x1b[0m", id="struck"),
        pytest.param("*a _b_*", "\x1b[1ma \x1b[0m\x1b[1;3mb\x1b[0m", id="one inside of the other"),
        pytest.param("2*3*4 and snake_case_name", "2*3*4 and snake_case_name", id="no marks"),
        pytest.param("[bold] [/] \\[x] C:\\", "[bold] [/] \\[x] C:\\", id="Rich's own marks"),
        pytest.param("\\*a*", "\\\x1b[1ma\x1b[0m", id="a backslash before a mark"),
        pytest.param("<@U_AYA> and <@U_EVE>", "@Aya and @U_EVE", id="mentions"),
        pytest.param("&lt;@U_AYA&gt; &amp; co", "<@U_AYA> & co", id="what looks like a mention and is none"),
        pytest.param("<https://example.org|here>", "here", id="a link"),
    ],
)
def test_slack_s_marks_are_styles_and_nothing_else_is(text: str, terminal: str) -> None:
    assert inside(printed(text)) == terminal


def test_a_name_is_no_markup_either() -> None:
    assert "Bo [admin]\\ " in printed("hello", user="U_BO")


@pytest.mark.parametrize(
    ("is_blind", "told"),
    [
        pytest.param(True, ["🗳️ has voted (you)", "🗳️ has voted (twin)", "⏳ has not answered"], id="blind votes"),
        pytest.param(
            False, ["👋 withdraws (you)  because", "✅ accepts (twin)  gladly", "⏳ has not answered"], id="else"
        ),
    ],
)
def test_who_sits_at_the_table_sees_no_more_of_a_blind_vote_than_the_thread(is_blind: bool, told: list[str]) -> None:
    policy = Policy(human_window=0, override_window=60, blind_votes=is_blind)
    story = voting("aya", "bo", "chen", policy=policy).twin("aya", "accept").twin("bo", "accept", "gladly")
    state = story.clicks("U_ASKS", "aya", "withdraw").state
    opened = state.rounds[-1]

    assert [stands(each, is_secret=state.is_secret(opened)).plain for each in opened.seats.values()] == told
