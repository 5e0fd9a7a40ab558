"""The table of topics, and the topics that texts mention."""

from collections import Counter
from pathlib import Path

import pytest

from engine.errors import Misconfigured
from engine.facts.language import language_of
from engine.lexicon.mentions import loose_mentions, topics_in, topics_of, undertaking_mentions
from engine.lexicon.topics import FILE, lexicon


@pytest.mark.parametrize("key", list(lexicon().topics))
def test_a_topic_is_found_by_its_tag_in_either_language(key: str) -> None:
    tag = lexicon().topics[key].tag
    assert key in topics_in(tag.zh)
    assert key in topics_in(tag.en)


@pytest.mark.parametrize("key", list(lexicon().topics))
def test_a_topic_is_found_by_the_name_of_its_role(key: str) -> None:
    role = lexicon().topics[key].role
    assert key in topics_in(role.zh)
    assert key in topics_in(role.en)


def test_no_word_belongs_to_two_topics() -> None:
    owners = Counter(word for topic in lexicon().topics.values() for word in {each.lower() for each in topic.words})
    assert [word for word, count in owners.items() if count > 1] == []


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Two photographers and a caterer", ("photography", "catering")),
        ("front-end and back end", ("frontend", "backend")),
        ("CI/CD for iOS", ("devops", "mobile")),
        ("paid emails about chairs", ()),
        ("移动端测试", ("qa",)),
        ("同声传译和海报", ("translation", "graphics")),
        ("AI嘉宾", ("ml", "speaker")),
    ],
)
def test_topics_are_found_as_whole_words_the_longest_first(text: str, keys: tuple[str, ...]) -> None:
    assert topics_in(text) == keys


def test_tags_name_their_topics_once() -> None:
    assert topics_of(["场地", "venue", "茶歇", "no such thing"]) == ("venue", "catering")


def test_a_loose_word_in_or_after_a_clear_one_is_part_of_it() -> None:
    assert [each.word for each in loose_mentions("a designer and a UX designer, a QA engineer, an engineer")] == [
        "designer",
        "engineer",
    ]


def test_undertakings_are_found_in_both_languages() -> None:
    assert [each.key for each, _ in undertaking_mentions("一场黑客松, a mobile app")] == ["hackathon", "mobile"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我想办一场 AI meetup", "zh"),
        ("用React Native和TypeScript做一个app，部署到AWS", "zh"),
        ("Ask 林晓 whether she can host the meetup", "en"),
        ("🎉 2026", "en"),
        ("", "en"),
    ],
)
def test_a_text_is_chinese_if_it_is_mostly_so(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("takes: [hardware, product]", "takes: [hardwear]", "there is no topic 'hardwear'"),
        ("on_site: true", "on_sight: true", "did you mean `on_site`?"),
        ("\ncommon:", "\ncommon: [", "this is not YAML"),
    ],
    ids=["an unknown topic", "a misspelt field", "not YAML"],
)
def test_a_fault_in_the_table_is_told_with_its_line(tmp_path: Path, before: str, after: str, message: str) -> None:
    text = FILE.read_text("utf-8")
    assert before in text
    broken = tmp_path / "topics.yaml"
    broken.write_text(text.replace(before, after, 1), "utf-8")
    with pytest.raises(Misconfigured) as caught:
        lexicon(broken)
    assert message in caught.value.faults[0]
    assert caught.value.faults[0].startswith(f"{broken}:")
