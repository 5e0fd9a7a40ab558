"""The admins' part of the App Home: settings, people, health."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.texts import Texts
from bot.views.directory.buttons import ADD, DISABLE, ENABLE, IMPORT, LIMITS, PEOPLE, PROFILE, RESET, SETTINGS, Twin
from bot.views.directory.held import held_button
from bot.views.directory.settings_form import lines
from bot.views.directory.twin import remove_button, twin_blocks
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fields import LONGEST_INPUT, grouped_choice_field, text_block, text_field
from bot.views.kit.heading import model_line
from bot.views.kit.modals import form, modal
from bot.views.kit.mrkdwn import local_time, safe_line
from engine.directory.state import Directory, Entry
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


WHO, SHEET = "who", "sheet"
"""Names of the fields: where the errors of a refused form belong."""

CARD: Final = "people.card"
"""The callback id of a person's card."""


def find_form(people: Mapping[str, Entry], texts: Texts) -> dict[str, Any]:
    """``people``: at least one."""
    options = sorted(
        ((agent_id, f"{each.profile.user_name} ({agent_id.removeprefix('user_agent_')}){_mark(each)}")
         for agent_id, each in people.items() if each.profile),
        key=lambda option: option[1].casefold(),
    )  # fmt: skip
    return form(
        PEOPLE,
        texts.say("People"),
        texts.say("Show"),
        [grouped_choice_field(WHO, texts.say("Whose twin?"), options)],
        texts,
    )


def person_card(agent_id: str, entry: Entry, texts: Texts) -> dict[str, Any]:
    """A person with what an admin may do about their twin."""
    assert entry.profile is not None  # noqa: S101 - nobody is shown who is not there
    return modal(
        texts.say("Profile"),
        [
            *twin_blocks(entry, entry.profile, texts, as_data=is_nobodys(entry)),
            blocks.actions(*_buttons(agent_id, entry, texts)),
        ],
        texts,
        name=CARD,
        metadata=Twin(agent_id=agent_id).value(),
    )


def import_form(texts: Texts) -> dict[str, Any]:
    return form(
        IMPORT,
        texts.say("Import a profile"),
        texts.say("Import"),
        [
            text_block(
                texts.say("One person’s file, as profiles/README.md explains. Whoever is here already is changed.")
            ),
            text_field(SHEET, texts.say("The file’s text"), "agent_id: user_agent_…", longest=LONGEST_INPUT),
        ],
        texts,
    )


def is_nobodys(entry: Entry) -> bool:
    """Whether nobody is linked to it, so that admins say what it holds to."""
    return entry.profile is not None and not entry.profile.slack_user


def _mark(entry: Entry) -> str:
    return " ⛔" if entry.is_disabled else " ⏸️" if entry.is_paused else ""


def _buttons(agent_id: str, entry: Entry, texts: Texts) -> list[Block]:
    value = Twin(agent_id=agent_id).value()
    shown = [
        blocks.button(texts.say("Edit…"), PROFILE, value),
        blocks.button(texts.say("Limits…"), LIMITS, value),
        blocks.button(texts.say("Let it be asked again"), ENABLE, value, style="primary")
        if entry.is_disabled
        else blocks.button(texts.say("Take it out"), DISABLE, value),
    ]
    if is_nobodys(entry):
        shown.insert(2, held_button(agent_id, texts))
    if entry.loaded is None:
        shown.append(remove_button(agent_id, texts))
    elif entry.edited is not None:
        sure = blocks.confirm(
            texts.say("Back to the file?"),
            texts.say("What was changed here is lost; the file’s words hold again."),
            texts.say("Back to the file"),
            texts.say("Keep it"),
        )
        shown.append(blocks.button(texts.say("Reset…"), RESET, value, style="danger", confirm=sure))
    return shown
