"""Builds the forms in which an admin finds a person, changes their twin, or imports a profile."""

from collections.abc import Mapping
from typing import Any, Final

from bot.texts import Texts
from bot.views.directory.buttons import DISABLE, ENABLE, IMPORT, LIMITS, PEOPLE, PROFILE, RESET, Twin
from bot.views.directory.held import held_button
from bot.views.directory.twin import remove_button, twin_blocks
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fields import LONGEST_INPUT, grouped_choice_field, text_block, text_field
from bot.views.kit.modals import form, modal
from engine.directory.state import Entry

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
