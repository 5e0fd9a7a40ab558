"""Builds and reads the forms in which the requester edits the demand, or answers what was not clear."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.kit.fields import LONGEST_INPUT, Values, entered_text, text_block, text_field
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import editable, safe_line, split_text
from bot.views.negotiation.button_values import CLARIFY, EDIT
from bot.views.negotiation.demand.open_questions import open_questions
from bot.views.negotiation.demand.question import question_text
from bot.views.negotiation.owner_form import owner_form
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import LONGEST_DEMAND

DEMAND, REST = "demand", "rest"
"""Names of the fields: where the errors of a refused form belong. The second is there where one is too small."""

MOST_QUESTIONS: Final = 8
LONGEST_QUESTION: Final = 240
LONGEST_REPLY: Final = 400
"""Characters: the demand with all replies must not exceed the longest demand."""


def edit_form(state: Negotiation, texts: Texts) -> dict[str, Any]:
    fields = [
        text_block(texts.say("Everybody is asked anew; the offers so far were made for the old words.")),
        *demand_fields(state, texts),
    ]
    return owner_form(
        EDIT, state.channel_id, texts, heading=texts.say("Edit the demand"), send=texts.say("Send"), shown=fields
    )


def demand_fields(state: Negotiation, texts: Texts) -> list[Block]:
    """Fields with the demand as it was written; `read_edit` reads them."""
    said, *rest = split_text(editable(state.raw_input, 2 * LONGEST_DEMAND), LONGEST_INPUT)
    fields = [text_field(DEMAND, texts.say("What do you need?"), _hint(texts), initial=said, longest=LONGEST_INPUT)]
    if rest:
        more = "\n".join(rest)
        fields.append(text_field(REST, texts.say("And further"), _hint(texts), optional=True, initial=more))
    return fields


def clarify_form(state: Negotiation, texts: Texts) -> dict[str, Any]:
    """A form with an optional field for each question."""
    fields: list[Block] = [
        text_block(
            texts.say(
                "Your answers are added to the demand, which everyone in the thread can read, and everybody is asked "
                "anew."
            )
        )
    ]
    questions = open_questions(state)
    if state.unclear is not None and state.unclear.about == "people":
        questions = (question_text(state.unclear, texts, Fit()), *questions)
    for number, question in enumerate(questions[:MOST_QUESTIONS]):
        label = safe_line(question, LONGEST_QUESTION) or "?"
        fields.append(text_field(f"question-{number}", label, _hint(texts), optional=True, longest=LONGEST_REPLY))
    return owner_form(
        CLARIFY, state.channel_id, texts, heading=texts.say("Clarify"), send=texts.say("Send"), shown=fields
    )


def read_edit(view: Mapping[str, Any]) -> str:
    """The demand as it was edited."""
    values: Values = view["state"]["values"]
    parts = (entered_text(values, DEMAND), entered_text(values, REST))
    return "\n".join(each for each in parts if each)


def read_answers(view: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
    """Questions and answers, without the unanswered questions."""
    return tuple(_answers(view))


def clarified(demand: str, answers: Sequence[tuple[str, str]]) -> str:
    """The demand with the questions and answers below it."""
    return "\n".join((demand, *(f"{question} – {reply}" for question, reply in answers)))


def _answers(view: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    values: Values = view["state"]["values"]
    for block in view["blocks"]:
        reply = entered_text(values, block["block_id"]) if block["type"] == "input" else ""
        if reply:
            yield block["label"]["text"], reply


def _hint(texts: Texts) -> str:
    return texts.say("What, for how many, when and where")
