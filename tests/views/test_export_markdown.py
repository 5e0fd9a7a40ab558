"""The export for people: everything that was agreed, and nothing in it that is more than text."""

import html
import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.texts import Texts, texts_in
from bot.views.kit.export.file import paragraphs, quote, safe_line
from bot.views.kit.markdown import as_slack_shows_it
from bot.views.kit.mrkdwn import UNLIMITED, editable
from bot.views.negotiation.agreement.decision_record import Wording, parts
from bot.views.negotiation.export.markdown import markdown
from bot.views.negotiation.export.steps import EndedNegotiation
from engine.kernel import Place
from engine.negotiation.answers import Milestone
from engine.negotiation.policy import Policy
from engine.negotiation.public.build import decision_record
from tests.examples import examples
from tests.negotiation.scenario import ALONE
from tests.views.ended_negotiations import agreed, ended, endings
from tests.views.stories import NASTY, Story, voting, words

ENGLISH, CHINESE = texts_in("en"), texts_in("zh")
READER = MarkdownIt("gfm-like", {"html": True})
"""Reads all that GitHub reads: bare links and addresses, tables, HTML."""
TABLE = frozenset({"table", "thead", "tbody", "tr", "th", "td"})
OURS = frozenset({"h1", "h2", "h3", "h4", "p", "ul", "li", "strong", "blockquote", "br"}) | TABLE
"""What our own marks come to."""

EVIL = (
    *NASTY,
    "see https://x.example/a_b, www.evil.example, evil.example, ftp://x.y, //evil.example and HTTP://EVIL.EXAMPLE",
    "a@evil.example mailto:a@b.c xmpp:a@b.c <a@b.c> <https://evil.example>",
    "[here](https://evil.example) ![it](https://evil.example/x.png) [a][b]\n\n[b]: https://evil.example",
    "a\n---\nb\n===\n# c\n## d ##\n***\n___\n- - -",
    "|a|b|\n|-|-|\n|1|2|\n:-|-:",
    "- a\n+ b\n* c\n1. d\n2) e\n> f\n    code\n\tcode\n~~~\ncode\n```",
    "<script>alert(1)</script><!-- x --><br><?php ?><![CDATA[x]]>",
    "&copy; &#33; &#x21; $x$ [^1] [ ] ~~gone~~ \\*escaped\\* \\",
    "C:\\New 3.5 10:30 2026-11-14 50% #1",
)
any_ending = settings(
    max_examples=examples(6),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def failed() -> Story:
    story = voting("aya", "bo", "chen").requests_change("two speakers").twin("aya", "accept").twin_fails("bo")
    return story.twin("chen", "withdraw", "I moved away").clicks("U_ASKS", "bo", "negotiate", "less").time_is_up()


@pytest.mark.parametrize("texts", [ENGLISH, CHINESE], ids=["English", "Chinese"])
@pytest.mark.parametrize("story", [agreed, failed], ids=["a plan", "no plan"])
def test_the_whole_decision_record_is_in_it(story: Callable[[], Story], texts: Texts) -> None:
    over = ended(story())
    record = markdown(over, texts).partition(f"## {texts.say('Why it came to this')}\n\n")[2]
    written = parts(decision_record(over.state), Wording(texts, lambda each: name_in(over, each), safe_line))
    told = [
        f"### {title.strip('*')}\n\n" + "\n".join(f"- {each.removeprefix('• ')}" for each in lines)
        for title, lines in written
    ]
    assert len(told) >= 4
    assert record == "\n\n".join(told) + "\n"


def name_in(over: EndedNegotiation, anybody: str) -> str:
    return over.asked_by if anybody == over.state.requester_id else over.state.name_of(anybody)


def tags(text: str) -> set[str]:
    return set(re.findall(r"</?([A-Za-z][A-Za-z0-9]*)", READER.render(text)))


def read(text: str) -> str:
    """What a reader sees, on one line, without the joiners that keep addresses from becoming links."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", READER.render(text))).replace("\u2060", "").split())


@any_ending
@given(endings())
def test_whatever_was_said_only_our_own_marks_are_markup(over: EndedNegotiation) -> None:
    for language in (ENGLISH, CHINESE):
        assert tags(markdown(over, language)) <= OURS


@settings(max_examples=examples(75), deadline=None)
@given(st.sampled_from(EVIL) | st.text() | words(longest=300))
def test_any_text_anywhere_stays_text(said: str) -> None:
    assert tags(f"# {safe_line(said)}") <= {"h1"}
    assert tags(f"- {safe_line(said)}\n- **{safe_line(said) or '?'}**: {safe_line(said)}") <= {"ul", "li", "strong"}
    assert tags(f"| a |\n| --- |\n| {safe_line(said)} |") <= TABLE
    assert tags(quote(said)) <= {"blockquote", "p", "br"}
    assert tags(paragraphs(said)) <= {"p", "br"}


@pytest.mark.parametrize("said", EVIL)
def test_what_was_written_is_what_is_read(said: str) -> None:
    in_words = as_slack_shows_it(said, with_marks=False)
    assert read(f"- {safe_line(said)}") == " ".join(editable(in_words, UNLIMITED).split())
    assert read(quote(said)) == " ".join(editable(said, UNLIMITED).split())


def test_markdown_of_a_model_is_said_in_plain_words() -> None:
    written = "**Host**: [the brief](https://a.example/b)\n\n| Who | What |\n| --- | --- |\n| Aya | a room |"
    assert read(safe_line(written)) == "Host: the brief (https://a.example/b) Who · What Aya · a room"
    assert read(paragraphs(written)) == "Host: the brief (https://a.example/b) Who · What Aya · a room"


@pytest.mark.parametrize("address", ["bo@x.example", "a.b+c_d@x-y.example", "bo@here.example"])
def test_an_address_can_be_copied_from_where_it_is_shown(address: str) -> None:
    shown = html.unescape(re.sub(r"<[^>]*>", "", READER.render(safe_line(f"Write to {address}, or @bo"))))
    assert f"Write to {address}, or" in shown
    assert "@bo" not in shown, "who reads it elsewhere may have such a name"


@pytest.mark.parametrize(
    "text",
    [
        "An evening for 50 people: food, talks (and drinks)!",
        "2026-11-14, 18:00 – 10% off; Aya's idea",
        "多人聚会，自带食物。",
    ],
)
def test_a_plain_sentence_is_left_alone(text: str) -> None:
    assert safe_line(text) == text


def test_a_plan_tells_who_what_when_and_how_it_came_about() -> None:
    story = agreed(
        Milestone(name="Doors open", date="2026-11-14 18:00", deliverable="food is there"), start="2026-11-01"
    )
    told, _, record = markdown(ended(story), ENGLISH).partition("\n## Why it came to this\n")
    assert "- Aya · aya's role: round 1: asked for a change (by the twin) – an earlier end; round 2: accepted" in record
    assert told == (
        "# An AI meetup for 50 people\n\n"
        "**✅ We have a plan**\n\n"
        "Asked by Dana · Ended on Friday, January 15, 2027\n\n"
        "## What was asked\n\n"
        "> An AI meetup for 50 people\n\n"
        "## The plan\n\n"
        "An evening together\n\n"
        "### Confirmed by their twins\n\n"
        "- **Aya** · aya's role: aya helps\n"
        "- **Bo** · bo's role: bo helps\n\n"
        "### When\n\n"
        "| When | What | Result |\n"
        "| --- | --- | --- |\n"
        "| Sunday, November 1, 2026 | Start | – |\n"
        "| 2026-11-14 18:00 | Doors open | food is there |\n\n"
        "After 2 rounds · version 2 · 2 of 2 in favour\n\n"
        "## How it came about\n\n"
        "### Proposal 1 · round 1 of 5\n\n"
        "0 of 2 in favour · 2 ask for changes\n\n"
        "An evening together\n\n"
        "#### Votes\n\n"
        "- 💬 Aya asks for a change (twin) – an earlier end\n"
        "- 💬 Bo asks for a change (twin) – less work\n\n"
        "### Proposal 2 · round 2 of 5\n\n"
        "2 of 2 in favour\n\n"
        "An evening together\n\n"
        "#### Not taken up, and why\n\n"
        "- Aya: an earlier end – no reason was given\n"
        "- Bo: less work – no reason was given\n\n"
        "#### Votes\n\n"
        "- ✅ Aya accepts (twin) – that suits me\n"
        "- ✅ Bo accepts (twin)\n"
    )


def test_a_plan_with_partial_agreement_says_what_is_at_risk() -> None:
    story = voting("aya", "bo", "chen", policy=Policy(max_rounds=1), linked={"chen": "U0CHEN"})
    story.twin("aya", "accept").twin("bo", "accept").twin("chen", "negotiate", wish="less").time_is_up()
    text = markdown(ended(story), ENGLISH)
    assert "**🤝 A plan, with partial agreement**" in text
    assert "2 of 3 confirmed. The plan may not hold without Chen; talk to them" in text
    assert "### Not confirmed\n\n- **Chen** · chen's role: chen helps" in text
    assert "### Still open\n\n- Chen: less – it was asked for in the last round, too late for another version" in text
    assert "U0CHEN" not in text


def test_a_failure_says_why_who_offered_what_and_what_was_proposed_last() -> None:
    story = voting("aya", "bo", "chen").twin("aya", "accept").twin("bo", "negotiate", wish="another week")
    story.twin("chen", "withdraw", "I moved away").time_is_up()
    text = markdown(ended(story), ENGLISH)
    assert "## Why there is no plan\n\nFewer than 50% accepted the proposal.\n\n### What would help\n\n- " in text
    assert "### What people asked for\n\n- Bo: another week" in text
    assert "### Who left, and why\n\n- Chen: I moved away" in text
    assert "### Who offered what\n\n- ✅ Aya takes part: aya helps" in text
    assert "## The last proposal\n\nAn evening together\n\n### Who does what\n\n- **Aya** · aya's role" in text


def test_where_nobody_fits_it_says_so() -> None:
    story = Story(policy=ALONE).demand().understood().shortlisted(analysis="Nobody here does *plumbing*.")
    text = markdown(ended(story, asked_by=""), ENGLISH)
    assert "Nobody was found who clearly fits.\n\nNobody here does \\*plumbing\\*." in text
    assert "Asked by" not in text
    assert "How it came about" not in text


def test_where_others_read_along_thoughts_and_reasons_are_left_out() -> None:
    shared = Place(channel="C_LOBBY", thread="1800000000.000100", shared=True)
    story = voting("aya", "bo", "chen", place=shared).twin("aya", "accept", "secretly glad")
    story.twin("bo", "negotiate", "secretly tired", "another week").twin("chen", "withdraw", "secretly ill")
    text = markdown(ended(story.time_is_up()), ENGLISH)
    assert "another week" in text
    assert "secretly" not in text


def test_it_speaks_the_demands_language() -> None:
    text = markdown(ended(agreed()), CHINESE)
    assert text.startswith(
        "# An AI meetup for 50 people\n\n**✅ 方案定了**\n\n发起人：Dana · 结束于 2027年1月15日星期五\n\n## 需求"
    )
