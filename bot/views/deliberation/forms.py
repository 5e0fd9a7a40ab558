"""The forms of a deliberation: a point, a question to the Critic, and the choice between two positions."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.deliberation.button_values import ASK, DECIDE, POINT, DecideButton
from bot.views.deliberation.names import agent_name
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fields import choice_field, entered_text, picked_option, text_block, text_field
from bot.views.kit.fit import Fit
from bot.views.kit.modals import form, read_metadata
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import DEBATERS, LONGEST_POINT, Agent

TEXT: Final = "text"
CHOSEN: Final = "chosen"
WHY: Final = "why"
"""Names of fields: where the errors of a refused form belong."""


def point_form(state: Deliberation, texts: Texts) -> dict[str, Any]:
    told = (
        texts.say("Planner and Critic both have to answer it. Everybody in the thread reads it, with your name.")
        if state.is_open
        else texts.say(
            "The plan is argued about again, and the report is written anew. "
            "Everybody in the thread reads it, with your name."
        )
    )
    field = text_field(
        TEXT,
        texts.say("What speaks against the plan, or is missing?"),
        texts.say("As concrete as you can: who, what, by when"),
        longest=LONGEST_POINT,
    )
    return _form(POINT, texts.say("Raise a point"), [text_block(told), field], state, texts)


def ask_form(state: Deliberation, texts: Texts) -> dict[str, Any]:
    told = texts.say("The Critic answers in the thread, with your name and the question. The rounds go on meanwhile.")
    field = text_field(
        TEXT,
        texts.say("What do you want to know?"),
        texts.say("Such as: what is the worst that can happen?"),
        longest=LONGEST_POINT,
    )
    return _form(ASK, texts.say("Ask the Critic"), [text_block(told), field], state, texts)


def _form(name: str, heading: str, fields: Sequence[Block], state: Deliberation, texts: Texts) -> dict[str, Any]:
    metadata = StreamButton(stream=state.session_id).value()
    return form(name, heading, texts.say("Send"), fields, texts, metadata=metadata)


def decide_form(state: Deliberation, button: DecideButton, texts: Texts) -> dict[str, Any]:
    fit = Fit()
    said = [(agent, output) for agent in DEBATERS if (output := state.last_output(agent)) is not None]
    shown = [
        text_block(f"*{agent_name(agent, texts)}*\n{fit.text(output.position.conclusion, 600)}")
        for agent, output in said
    ]
    options = [(str(agent), agent_name(agent, texts)) for agent in DEBATERS]
    why = text_field(
        WHY, texts.say("Why? (optional)"), texts.say("It stands in the report"), optional=True, longest=LONGEST_POINT
    )
    fields = [*shown, choice_field(CHOSEN, texts.say("Whose position is the plan made of?"), options), why]
    return form(DECIDE, texts.say("Decide"), texts.say("Decide"), fields, texts, metadata=button.value())


def read_text(view: Mapping[str, Any]) -> tuple[str, str]:
    """The stream, and what was written.

    Raises:
        ValueError: not a form of ours.
    """
    return read_metadata(view, StreamButton).stream, entered_text(view["state"]["values"], TEXT)


def read_choice(view: Mapping[str, Any]) -> tuple[DecideButton, Agent, str]:
    """What it was opened for, who was chosen, and why.

    Raises:
        ValueError: not a form of ours.
    """
    values = view["state"]["values"]
    return read_metadata(view, DecideButton), Agent(picked_option(values, CHOSEN) or ""), entered_text(values, WHY)
