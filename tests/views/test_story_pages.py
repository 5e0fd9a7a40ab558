"""The page of one story, whatever was said in it: it is whole HTML, and nothing that anybody wrote is markup."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from typing import Any

import pytest

from bot.registry import PROTOCOLS
from bot.texts import texts_in
from bot.views.kit.story.html import Drawing
from bot.views.kit.story.inline import Inline
from bot.views.kit.story.model import AnyPart, Chapter, Reading, Table, Told, mentioned
from engine.facts.language import Language
from engine.kernel import Event
from engine.kernel.encoding import texts_in as private_texts
from engine.llm.port import OFFLINE
from engine.negotiation.rules import RULEBOOK
from engine.runtime.streams import without_private
from tests.negotiation.record_histories import OUTCOMES
from tests.negotiation.scenario import ALONE, REQUESTER, voting
from tests.negotiation.voting.test_prepared_votes import voting as preparing
from tests.views.corpus import corpus as negotiations_of
from tests.views.deliberations import corpus as deliberation_corpus
from tests.views.deliveries import corpus as delivery_corpus

EMPTY = frozenset({"br", "hr", "line", "rect"})
"""Elements without an end, and those that are written as ``<rect/>``."""
ELEMENTS = """article section h2 h3 h4 p ul ol li dl div dt dd table caption thead tbody tr th td details summary strong
span time a br hr svg title desc line rect text figure"""
KNOWN = frozenset(ELEMENTS.split())
NAMES = """id class aria-labelledby aria-label data-live tabindex role scope lang datetime href rel open viewbox width
height xmlns font-family font-size x y x1 y1 x2 y2 rx fill stroke"""
ATTRIBUTES = frozenset([*NAMES.split(), "dir"])
USERS = (REQUESTER, "U_SOMEBODY")
LANGUAGES: tuple[Language, ...] = ("en", "zh")

SHARES = [0, *(pytest.param(share, marks=pytest.mark.exhaustive) for share in range(1, 6))]
"""One state of six is drawn in every run: each other suite draws the same ones."""
CORPORA: dict[str, Callable[[], Sequence[Any]]] = {
    "negotiation": lambda: negotiations_of(20),
    "deliberation": deliberation_corpus,
    "delivery": delivery_corpus,
}


class Page(HTMLParser):
    """Reads HTML strictly: what is opened is closed, in order."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.names: list[str] = []
        self.headings: list[int] = []
        self.attributes: set[str] = set()
        self.addresses: list[str] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes |= {name for name, _ in attrs}
        said = dict(attrs)
        self.ids += [said["id"] or ""] if "id" in said else []
        self.addresses += [said["href"] or ""] if "href" in said else []
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def part(name: str) -> AnyPart:
    found = next(each.story for each in PROTOCOLS if each.name == name)
    assert found is not None
    return found


def chapter(
    name: str, state: Any, happened: Sequence[Told] = (), user: str = REQUESTER, language: Language = "en"
) -> Chapter:
    return part(name).chapter(state, happened, Reading(user, texts_in(language)))


def drawn(told: Chapter, language: Language = "en") -> Page:
    return Page(Drawing("chapter-1", Inline(dict(told.names)), texts_in(language)).chapter(told))


def check(name: str, state: Any, user: str, language: Language) -> None:
    told = chapter(name, state, user=user, language=language)
    page = drawn(told, language)
    assert set(page.names) <= KNOWN
    assert page.attributes <= ATTRIBUTES
    assert [each for each, count in Counter(page.ids).items() if count > 1] == []
    assert all(after - before <= 1 for before, after in zip(page.headings, page.headings[1:], strict=False))
    assert all(each.startswith("http") for each in page.addresses)
    assert "evil" not in "".join(page.addresses)
    assert "U_EVIL" not in set(mentioned(told.shown))


# A state is too large to be printed: the corpora are gone through one by one, and a failing one is named.


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["negotiation", "deliberation", "delivery"])
def test_whatever_was_said_the_page_is_whole_and_nothing_in_it_is_markup(
    name: str, language: Language, share: int
) -> None:
    for number, state in enumerate(CORPORA[name]()[share :: len(SHARES)]):
        check(name, state, USERS[number % 2], language)


@pytest.mark.parametrize(
    "text", ["a " * 20_000, "*a" * 10_000, "<@" * 10_000, "I a" + "!" * 20_000 + "。", "• " * 9_000]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_takes_long(text: str, language: Language) -> None:
    started = time.process_time()
    Inline().lines(text)
    assert time.process_time() - started < 2  # seconds: a few thousandths each, unless it is tried in every way


# ── the timeline ──────────────────────────────────────────────────────────────────────────────────────────────────


def happened(events: Sequence[Event]) -> list[Told]:
    """As pages are told of events: without anybody's words."""
    return [Told(1_000 * number, without_private(each)) for number, each in enumerate(events)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", OUTCOMES)
def test_what_happened_is_told_from_the_newest_on_and_in_nobody_s_words(name: str, language: Language) -> None:
    story = OUTCOMES[name]()

    told = chapter("negotiation", story.state, happened(story.history), language=language).timeline

    assert [each.at for each in told] == sorted((each.at for each in told), reverse=True)
    assert len(told) > 1
    said = "\n".join(each.text for each in told)
    assert not [each for each in words_of(story.history) if each in said]
    assert drawn(chapter("negotiation", story.state, happened(story.history), language=language), language)


def test_what_became_of_a_promise_is_told() -> None:
    story = OUTCOMES["consensus_given_up"]()
    told = chapter("negotiation", story.state, happened(story.history))
    said = "\n".join(each.text for each in told.timeline)
    for line in (
        "took the stop back: it goes on",
        "is asked how something stands that is due on Friday, March 5",
        "⏰ *Ann* will be late",
        "took that back: it is not carried out for now",
        "*Ann* cannot take part any more",
    ):
        assert line in said
    [table] = next(each.parts for each in told.sections if each.key == "promised")
    assert isinstance(table, Table)
    assert [(row[0], row[3]) for row in table.rows] == [
        ("*Bo*", "✅ agreed"),
        ("*Ann*", "🙏 cannot take part any more"),
    ]


def test_what_only_simple_rules_agreed_to_is_no_promise() -> None:
    story = voting("aya", policy=ALONE).twin("aya", "accept", model=OFFLINE)
    told = chapter("negotiation", story.state, happened(story.history))

    [table] = next(each.parts for each in told.sections if each.key == "promised")

    assert isinstance(table, Table)
    assert [row[3] for row in table.rows] == ["○ the twin would, by simple rules"]


def words_of(events: Sequence[Event]) -> set[str]:
    """Every private text that is longer than a name."""
    return {text for each in events for text in private_texts(each) if isinstance(text, str) and len(text) > 12}


def test_a_blind_vote_is_told_in_the_timeline_without_what_it_was() -> None:
    story = voting("aya", "bo", policy=ALONE.model_copy(update={"blind_votes": True}))
    story.twin("aya", "reject")

    said = "\n".join(each.text for each in chapter("negotiation", story.state, happened(story.history)).timeline)

    assert "has voted" in said
    assert "says no" not in said


@pytest.mark.parametrize("name", OUTCOMES)
def test_what_was_erased_is_on_no_page(name: str) -> None:
    story = OUTCOMES[name]()
    erased = RULEBOOK.fold([without_private(each) for each in story.history])

    shown = " ".join(drawn(chapter("negotiation", erased, happened(story.history))).words)

    assert not [each for each in words_of(story.history) if each in shown]


def test_what_a_twin_has_only_prepared_is_for_whoever_may_give_it() -> None:
    scenario = preparing("aya", aya="U_AYA", bo="U_BO").twin("aya", "negotiate", wish="on the ground floor")
    would = "Your twin would ask for a change – on the ground floor"
    assert would in shown_to(scenario.state, "U_AYA")
    for other in ("U_BO", REQUESTER):
        assert "would ask" not in shown_to(scenario.state, other)
        assert "waits for" in shown_to(scenario.state, other)


def test_whoever_asked_reads_what_is_prepared_for_somebody_who_is_not_here() -> None:
    scenario = preparing("aya", bo="U_BO").twin("aya", "accept")
    assert "Aya: the twin would accept" in shown_to(scenario.state, REQUESTER)
    assert "would accept" not in shown_to(scenario.state, "U_BO")
    assert "waits for whoever asked" in shown_to(scenario.state, "U_BO")


def shown_to(state: Any, user: str) -> str:
    return "".join(drawn(chapter("negotiation", state, user=user)).words)
