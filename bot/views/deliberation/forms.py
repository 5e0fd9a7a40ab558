"""The forms of a deliberation: a point, a question to the Critic, and the choice between two positions."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.deliberation.names import agent_name
from bot.views.deliberation.positions import differences, have_one_conclusion
from bot.views.deliberation.values import ASK, DECIDE, POINT, DecideButton
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fields import choice_field, entered_text, picked_option, text_block, text_field
from bot.views.kit.modals import form, read_metadata
from bot.views.kit.mrkdwn import Fit
from bot.views.kit.prompts import Prompt
from engine.deliberation.closing.reporting import outcome_of
from engine.deliberation.rounds.people import question_reopens
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import DEBATERS, LONGEST_POINT, MOST_ROUNDS, Agent

TEXT: Final = "text"
CHOSEN: Final = "chosen"
WHY: Final = "why"
THEN: Final = "then"
"""Names of fields: where the errors of a refused form belong."""
REOPENS: Final = "reopens"
ANSWERED: Final = "answered"


def point_form(state: Deliberation, texts: Texts) -> dict[str, Any]:
    told = _what_comes_of_it(state, texts)
    everybody = texts.say("Everybody in the thread reads it, with your name.")
    field = text_field(
        TEXT,
        texts.say("What speaks against the plan, or is missing?"),
        texts.say("As concrete as you can: who, what, by when"),
        longest=LONGEST_POINT,
    )
    return _form(POINT, texts.say("Raise a point"), [text_block(f"{told}\n{everybody}"), field], state, texts)


def _what_comes_of_it(state: Deliberation, texts: Texts) -> str:
    if state.is_argued:
        return texts.say("Planner and Critic both have to answer it.")
    if outcome_of(state) == "not_argued":
        return texts.say("Without a model nobody argues about it: the report is written anew, and names it as open.")
    if len(state.rounds) >= MOST_ROUNDS:
        return texts.say("There is no round left: the report is written anew, and names it as open.")
    again = texts.say("The plan is argued about again, and the report is written anew.")
    return f"{again}\n{texts.say('What was decided is open again.')}" if state.choice else again


def ask_form(state: Deliberation, texts: Texts, *, is_carried_out: bool = False) -> dict[str, Any]:
    told = texts.say("The Critic answers in the thread, with your name and the question.")
    field = text_field(
        TEXT,
        texts.say("What do you want to know?"),
        texts.say("Such as: what is the worst that can happen?"),
        longest=LONGEST_POINT,
    )
    then = [_then(state, texts)] if question_reopens(state) and not is_carried_out else []
    return _form(ASK, texts.say("Ask the Critic"), [text_block(told), field, *then], state, texts)


def _then(state: Deliberation, texts: Texts) -> Block:
    """Whether a finished plan is argued on with it."""
    again = texts.say("The plan is argued about again with it")
    options = [(REOPENS, again), (ANSWERED, texts.say("I only want the answer"))]
    hint = texts.say("What was decided is open again.") if state.choice else ""
    return choice_field(THEN, texts.say("And then?"), options, REOPENS, hint=hint)


def _form(name: str, heading: str, fields: Sequence[Block], state: Deliberation, texts: Texts) -> dict[str, Any]:
    metadata = StreamButton(stream=state.session_id).value()
    return form(name, heading, texts.say("Send"), fields, texts, metadata=metadata)


def decide_form(state: Deliberation, button: DecideButton, texts: Texts) -> dict[str, Any]:
    fit = Fit()
    said = [(agent_name(agent, texts), output) for agent in DEBATERS if (output := state.last_output(agent))]
    if have_one_conclusion(state):
        said = [(texts.say("Planner and Critic"), said[0][1])]
    shown = [text_block(f"*{name}*\n{fit.text(output.position.conclusion, 600)}") for name, output in said]
    if differ := differences(state, texts, fit):
        shown.append(text_block("\n".join([texts.say("*In what both differ*"), *differ])))
    options = [(str(agent), agent_name(agent, texts)) for agent in DEBATERS]
    why = text_field(WHY, texts.say("Why?"), texts.say("It stands in the report"), optional=True, longest=LONGEST_POINT)
    fields = [*shown, choice_field(CHOSEN, texts.say("Whose position is the plan made of?"), options), why]
    return form(DECIDE, texts.say("Decide"), texts.say("Decide"), fields, texts, metadata=button.value())


def read_text(view: Mapping[str, Any]) -> tuple[str, str]:
    """The stream, and what was written."""
    return read_metadata(view, StreamButton).stream, entered_text(view["state"]["values"], TEXT)


def read_reopens(view: Mapping[str, Any]) -> bool:
    """Whether the plan is argued on with a question."""
    return picked_option(view["state"]["values"], THEN) == REOPENS


def read_choice(view: Mapping[str, Any]) -> tuple[DecideButton, Agent, str]:
    """What it was opened for, who was chosen, and why."""
    values = view["state"]["values"]
    return read_metadata(view, DecideButton), Agent(picked_option(values, CHOSEN) or ""), entered_text(values, WHY)


def prompts(texts: Texts) -> Sequence[Prompt]:
    said = texts.say("plan: A half-day workshop for 30 colleagues in six weeks; the room holds 40")
    return (Prompt(texts.say("Argue a plan out"), said),)
