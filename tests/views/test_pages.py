"""The pages behind *Show all* contain everything for which the message has no room."""

import html
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from slack_sdk.models.blocks import Block
from slack_sdk.models.views import View

from bot.local_slack.blocks import view_problems
from bot.texts import texts_in
from bot.views.kit.blocks import context, divider, header, section
from bot.views.kit.button_values import NEXT, PREVIOUS, SHOW_ALL, Page
from bot.views.kit.mrkdwn import UNLIMITED, local_time, plain_line, safe_text, slack_length, split_text
from bot.views.kit.pages import LARGEST_PAGE, MOST_BLOCKS, Pages, gone_view, page_view, paginate
from bot.views.kit.post import Post
from bot.views.negotiation.presenter import posts
from engine.negotiation.answers import Milestone, Timeline
from engine.negotiation.state import Negotiation
from tests.examples import examples
from tests.negotiation.scenario import STREAM
from tests.views.corpus import negotiations
from tests.views.expected_texts import texts_in_post
from tests.views.message_contents import (
    CALL_TO_ALL,
    ESCAPED,
    OURS,
    SCHEMAS,
    Json,
    buttons,
    buttons_in,
    in_lines,
    schema,
    texts_within,
)
from tests.views.stories import Story, post_of

ENGLISH = texts_in("en")
FIRST = Page(stream=STREAM, post="root")
LONG = " ".join(f"word{number}" for number in range(2_000))

any_negotiation = settings(
    max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def pages_of(post: Post) -> Pages:
    assert post.card is not None
    return paginate(post.card)


def views(pages: Pages) -> list[Json]:
    """What somebody sees who turns all of them."""
    found = [page_view(pages, FIRST, ENGLISH)]
    while following := buttons_in(found[-1]["blocks"]).get(NEXT):
        found.append(page_view(pages, Page.read(following["value"]), ENGLISH))
    return found


def read(blocks: Sequence[Json]) -> str:
    """All that can be read and is no button, as it was meant."""
    said = [{name: part for name, part in block.items() if name != "accessory"} for block in blocks]
    written = texts_within([block for block in said if block["type"] not in ("actions", "context_actions")])
    return bare("".join(html.unescape(each["text"]) if each["type"] == "mrkdwn" else each["text"] for each in written))


def bare(text: str) -> str:
    """Without what is different where a text is cut, is a title, or is bold."""
    return "".join(text.split()).translate(str.maketrans("`", "'", "*\u2060"))


def everything(pages: Pages) -> str:
    return "".join(read(page) for page in pages)


@any_negotiation
@given(negotiations())
def test_every_word_that_was_said_is_in_the_pages(state: Negotiation) -> None:
    for post in posts(state):
        pages = everything(pages_of(post))
        for text in texts_in_post(state, post.key):
            assert bare(html.unescape(safe_text(text, UNLIMITED))) in pages


@any_negotiation
@given(negotiations())
def test_there_is_a_button_where_something_was_cut_and_nowhere_else(state: Negotiation) -> None:
    for post in map(in_lines, posts(state)):
        pages = pages_of(post)
        show_all = buttons(post).get(SHOW_ALL)
        assert (read(post.blocks) != everything(pages)) is (show_all is not None)
        if show_all:
            assert Page.read(show_all["value"]) == Page(stream=STREAM, post=post.key)
        else:
            assert len(pages) == 1


@any_negotiation
@given(negotiations())
def test_slack_takes_every_page(state: Negotiation) -> None:
    validator = schema("views.schema.json") if SCHEMAS.exists() else None
    for post in posts(state):
        for view in views(pages_of(post)):
            assert view_problems(view) == []
            assert len(view["blocks"]) <= 100
            assert len(json.dumps(view)) <= 200_000
            View(**view).validate_json()
            for block in Block.parse_all(view["blocks"]):
                block.validate_json()
            assert validator is None or [error.message for error in validator.iter_errors(view)] == []


@any_negotiation
@given(negotiations())
def test_no_mark_and_no_escape_is_cut_in_two(state: Negotiation) -> None:
    for post in posts(state):
        for text in texts_within(pages_of(post)):
            if text["type"] == "mrkdwn":
                assert slack_length(text["text"]) <= 2_900
                rest = OURS.sub("", text["text"])
                assert "<" not in rest
                assert ">" not in rest
                assert "&" not in ESCAPED.sub("", rest)
                assert not CALL_TO_ALL.search(rest)


@any_negotiation
@given(negotiations())
def test_there_is_nothing_to_press_but_the_pages(state: Negotiation) -> None:
    for post in posts(state):
        turned = views(pages_of(post))
        for number, view in enumerate(turned, 1):
            pressed = {name: Page.read(each["value"]).number for name, each in buttons_in(view["blocks"]).items()}
            before = {PREVIOUS: number - 1} if number > 1 else {}
            assert pressed == before | ({NEXT: number + 1} if number < len(turned) else {})


def planned(**said: Any) -> Story:
    """Round 1 is open, with this draft."""
    story = Story(linked={"aya": "U0AYA"}).demand().understood().shortlisted("aya").offers("aya")
    return story.drafted("aya", **said)


def test_a_plan_that_everybody_agreed_on_is_there_to_the_last_word() -> None:
    milestones = tuple(Milestone(date=f"day {n}", name=f"step {n}", deliverable=f"{n} " * 3_000) for n in range(40))
    story = planned(summary=LONG, timeline=Timeline(milestones=milestones)).clicks("U0AYA", "aya", "accept")
    outcome = post_of(story, "outcome")
    assert SHOW_ALL in buttons(outcome)
    pages = pages_of(outcome)
    assert len(pages) > 1
    written = everything(pages)
    for text in texts_in_post(story.state, "outcome"):
        assert bare(text) in written


def test_a_card_with_buttons_gets_one_more_and_another_gets_a_row() -> None:
    story = planned(summary=LONG)
    assert list(buttons(post_of(story, "round-1"))) == ["vote.accept", "vote.negotiate", "vote.withdraw", SHOW_ALL]
    story.clicks("U0AYA", "aya", "accept")
    assert list(buttons(post_of(story, "round-1"))) == [SHOW_ALL]


def test_a_short_text_needs_no_pages() -> None:
    [view] = views(pages_of(post_of(Story().demand("We need a room"), "root")))
    assert [each["text"] for each in texts_within(view["blocks"])] == [
        "We need a room",
        f"*Reading the demand…*\nsince {local_time(1_800_000_000_000, ENGLISH)}",
        "Asked by <@U_ASKS>",
    ]


def book(pages: int) -> Pages:
    return paginate(lambda _: [section(f"line {n}") for n in range(MOST_BLOCKS * pages)])


def test_a_page_says_which_of_how_many_it_is() -> None:
    shown = views(book(3))
    assert [view["blocks"][0]["elements"][0]["text"] for view in shown] == ["Page 1 of 3", "Page 2 of 3", "Page 3 of 3"]


def test_pages_are_told_in_the_negotiations_language() -> None:
    view = page_view(book(2), FIRST, texts_in("zh"))
    written = [each["text"] for each in texts_within(view)]
    assert {"全文", "关闭", "第 1 页，共 2 页", "下一页"} <= set(written)


@pytest.mark.parametrize(("asked", "shown"), [(-1, 1), (0, 1), (2, 2), (3, 3), (4, 3), (10**9, 3)])
def test_a_page_that_is_not_there_any_more_is_the_nearest_one(asked: int, shown: int) -> None:
    view = page_view(book(3), Page(stream=STREAM, post="root", number=asked), ENGLISH)
    assert view["blocks"][0]["elements"][0]["text"] == f"Page {shown} of 3"


def test_titles_and_small_print_are_as_long_as_they_are() -> None:
    [page] = paginate(lambda _: [header("title " * 100), divider(), context("small " * 1_000)])
    kinds = [block["type"] for block in page]
    assert kinds == ["header"] * 4 + ["divider"] + ["context"] * 3


@pytest.mark.parametrize("text", ["多" * 10_000, "👩" * 10_000, "&amp;" * 10_000], ids=["Chinese", "emoji", "escapes"])
def test_a_page_is_measured_as_it_is_sent(text: str) -> None:
    pages = paginate(lambda _: [section(text)] * 40)
    assert len(pages) > 1
    assert all(len(json.dumps(page)) <= LARGEST_PAGE for page in pages)
    assert all(len(json.dumps(view)) <= 200_000 for view in views(pages))


def test_a_modal_whose_post_is_gone_says_so() -> None:
    assert view_problems(gone_view("We cannot find it.", ENGLISH)) == []


# ── cutting ───────────────────────────────────────────────────────────────────────────────────────────────────────

MARKS = st.sampled_from(
    ["<@U0123456789>", local_time(1_800_000_000_000, ENGLISH), "&amp;", "&lt;", "👩‍👩‍👧", "中文，", "word ", "\n"]
)


@given(st.lists(MARKS | st.text(max_size=20).map(lambda text: safe_text(text, UNLIMITED))), st.integers(150, 400))
def test_a_text_in_parts_is_the_same_text(pieces: list[str], most: int) -> None:
    text = "".join(pieces)
    cut = split_text(text, most)
    assert "".join("".join(cut).split()) == "".join(text.split())
    for part in cut:
        assert 0 < slack_length(part) <= most
        rest = OURS.sub("", part)
        assert "<" not in rest
        assert ">" not in rest
        assert "&" not in ESCAPED.sub("", rest)
        part.encode()


@given(st.text().map(lambda text: plain_line(text * 20, UNLIMITED)))
def test_a_title_in_parts_is_the_same_title(title: str) -> None:
    """Slack reads no marks in it, so that it may be cut at a sign of less."""
    cut = split_text(title, 150)
    assert "".join("".join(cut).split()) == "".join(title.split())
    assert all(0 < slack_length(part) <= 150 for part in cut)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        pytest.param("one two\nthree four", ["one two", "three four"], id="at the end of a line"),
        pytest.param("one two three four", ["one two", "three four"], id="between words"),
        pytest.param("onetwothreefour", ["onetwothre", "efour"], id="through a word that is too long"),
        pytest.param("a onetwothreefour", ["a onetwoth", "reefour"], id="not far before a word that is too long"),
        pytest.param("onetwo &amp; three", ["onetwo", "&amp;", "three"], id="around an escape"),
        pytest.param("onetwo <@U1234>", ["onetwo", "<@U1234>"], id="around a mention"),
        pytest.param("👩" * 6, ["👩" * 5, "👩"], id="between characters"),
        pytest.param("short", ["short"], id="not at all"),
    ],
)
def test_a_text_is_cut_where_it_reads_best(text: str, cut: list[str]) -> None:
    assert split_text(text, 10) == cut
