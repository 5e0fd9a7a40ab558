"""What Slack suggests that somebody says to ToWow about negotiations."""

from collections.abc import Iterator, Sequence

from bot.texts import Texts
from bot.views.kit.prompts import Prompt


def prompts(votes: int, has_asked: bool, texts: Texts) -> Sequence[Prompt]:
    """
    Args:
        votes: how many this person may still give.
        has_asked: whether they have ever asked for anything.
    """
    return tuple(_prompts(votes, has_asked, texts))


def _prompts(votes: int, has_asked: bool, texts: Texts) -> Iterator[Prompt]:
    if votes:
        title = texts.count("{n} vote waits for me", "{n} votes wait for me", votes)
        yield Prompt(title, texts.say("my votes"), waits=True)
    if has_asked:
        yield Prompt(texts.say("How do my demands stand?"), texts.say("my demands"), waits=True)
    yield Prompt(
        texts.say("Find people for an evening"),
        texts.say("I need a venue and two speakers for an evening with 50 people next month"),
    )
