"""Builds and reads the form in which somebody tells their twin something for good, its field in other forms, and the
feedback buttons that lead to it.
"""

from collections.abc import Mapping
from typing import Any, Final

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.directory.buttons import RATE, TELL, Rating, Twin
from bot.views.kit import blocks
from bot.views.kit.fields import entered_text, line_field, text_block
from bot.views.kit.modals import form, read_metadata
from bot.views.kit.mrkdwn import Fit
from bot.views.kit.surfaces import Feedback, feedback
from engine.directory.profile import LONGEST_TOLD

LINE: Final = "from_now_on"
"""The name of the field."""


def telling_form(agent_id: str, texts: Texts) -> dict[str, Any]:
    explained = texts.say(
        "Your twin is told it with every later question, and keeps it to itself. In the Home tab, *What I hold to…* "
        "says what holds of it."
    )
    fields = [text_block(explained), told_field(texts, optional=False)]
    return form(
        TELL, texts.say("Tell my twin"), texts.say("Save"), fields, texts, metadata=Twin(agent_id=agent_id).value()
    )


def told_field(texts: Texts, *, optional: bool = True) -> Block:
    """The field, as it also stands in forms in which somebody overrules their twin."""
    return line_field(
        LINE,
        texts.say("From now on, my twin should know:"),
        texts.say("Such as: not on Mondays"),
        longest=LONGEST_TOLD,
        optional=optional,
    )


def read_told(view: Mapping[str, Any]) -> str:
    """Return the line, on one line; empty where nothing was said, or where nobody was asked."""
    return " ".join(entered_text(view["state"]["values"], LINE).split())


def read_told_twin(view: Mapping[str, Any]) -> str:
    """Return the agent id of the form's twin."""
    return read_metadata(view, Twin).agent_id


def twin_feedback(agent_id: str, texts: Texts, fit: Fit) -> blocks.Block:
    """Buttons below what a twin has answered, for its person: whether it suits them, or shall be otherwise for good."""
    suits, otherwise = Rating(agent_id=agent_id, suits=True), Rating(agent_id=agent_id, suits=False)
    good = Feedback(texts.say("👍 Like me"), suits.value(), texts.say("My twin answered as I would"))
    bad = Feedback(
        texts.say("👎 Not like me…"), otherwise.value(), texts.say("My twin should answer otherwise from now on")
    )
    plain = (
        blocks.button(good.text, RATE, good.value, accessibility_label=good.label),
        blocks.button(bad.text, TELL, Twin(agent_id=agent_id).value(), accessibility_label=bad.label),
    )
    return feedback(RATE, good, bad, plain, fit)
