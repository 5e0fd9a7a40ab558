"""The admins' part of the App Home: settings, people, health."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.texts import Texts
from bot.views.directory.buttons import ADD, IMPORT, PEOPLE, SETTINGS, Twin
from bot.views.directory.settings_form import lines
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import local_time, safe_line
from bot.views.kit.paused import model_line
from engine.directory.state import Directory
from engine.kernel import Millis
from engine.llm.port import ModelStanding


@dataclass(frozen=True, slots=True)
class AdminOverview:
    directory: Directory
    decided: Sequence[str]
    """How the streams of the protocols are decided, a line each."""
    always_admins: frozenset[str]
    """The admins that ToWow was started with."""
    counts: Mapping[str, int] | None
    """Rows of the store by kind."""
    model: str
    """The model that answers for the twins; empty for the stand-in."""
    since: Millis
    """When ToWow was started."""
    standing: ModelStanding | None = None
    """How the model stands; None where rules answer."""


def admin_blocks(overview: AdminOverview, texts: Texts) -> Iterator[Block]:
    nothing = Twin().value()
    yield blocks.header(texts.say("For admins"))
    yield from blocks.titled_list(
        texts.say("*Settings*"), [*overview.decided, *lines(overview.directory, overview.always_admins, texts)]
    )
    yield blocks.actions(blocks.button(texts.say("Settings…"), SETTINGS, nothing))
    yield from blocks.titled_list(texts.say("*People*"), [_people(overview.directory, texts)])
    yield blocks.actions(
        blocks.button(texts.say("Find somebody…"), PEOPLE, nothing),
        blocks.button(texts.say("Add somebody…"), ADD, nothing),
        blocks.button(texts.say("Import a profile…"), IMPORT, nothing),
    )
    yield from blocks.titled_list(texts.say("*Health*"), [*_health(overview, texts)])


def _people(directory: Directory, texts: Texts) -> str:
    people = directory.people.values()
    paused = sum(each.is_paused for each in people)
    disabled = sum(each.is_disabled for each in people)
    linked = sum(each.profile is not None and each.profile.slack_user is not None for each in people)
    return texts.say(
        "{people} with a twin · {linked} linked to somebody here · {paused} paused · {disabled} taken out",
        people=len(people),
        linked=linked,
        paused=paused,
        disabled=disabled,
    )


def _health(overview: AdminOverview, texts: Texts) -> Iterator[str]:
    counts = overview.counts
    answers = f"`{safe_line(overview.model, 60)}`" if overview.model else texts.say("the offline model: no key is set")
    yield texts.say("• Running since {moment}; twins answer through {model}", moment=local_time(overview.since, texts),
                    model=answers)  # fmt: skip
    if overview.standing is not None:
        yield model_line(overview.standing, texts)
    if counts is None:
        return
    yield texts.say(
        "• Open negotiations: {open} · still to be done: {owed} · deadlines: {alarms}",
        open=counts.get("open_streams", 0),
        owed=counts.get("owed", 0),
        alarms=counts.get("alarms", 0),
    )
    if parked := counts.get("parked", 0):
        yield texts.count(
            "• ⚠️ {n} thing could not be done and needs somebody: the log says which",
            "• ⚠️ {n} things could not be done and need somebody: the log says which",
            parked,
        )
