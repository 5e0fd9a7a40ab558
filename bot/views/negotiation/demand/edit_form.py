"""Builds and reads the forms in which the requester edits the demand, or answers what was not clear."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.kit.action_form import ActionForm, FormWords, SentView
from bot.views.kit.fields import (
    LONGEST_INPUT,
    Values,
    entered_text,
    multi_choice_field,
    picked_options,
    text_block,
    text_field,
)
from bot.views.kit.mrkdwn import Fit, editable, safe_line, split_text
from bot.views.negotiation.demand.demand_form import OWN_VOTES, own_votes_words
from bot.views.negotiation.demand.question import open_questions, question_text
from engine.negotiation.commands import EditDemand
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import LONGEST_DEMAND

DEMAND, REST = "demand", "rest"
"""Names of the fields: where the errors of a refused form belong. The second is there where one is too small."""

MOST_QUESTIONS: Final = 8
LONGEST_QUESTION: Final = 240
LONGEST_REPLY: Final = 400
"""Characters: the demand with all replies must not exceed the longest demand."""


def _edit(state: Negotiation, _: EditDemand, texts: Texts) -> FormWords:
    above = text_block(texts.say("Everybody is asked anew; the offers so far were made for the old words."))
    label, option = own_votes_words(texts)
    picked = (OWN_VOTES,) if state.own_votes else ()
    own_votes = multi_choice_field(OWN_VOTES, label, [(OWN_VOTES, option)], picked)
    own = [*demand_fields(state, texts), own_votes]
    return FormWords(texts.say("Edit the demand"), texts.say("Send"), [above], own=own)


def demand_fields(state: Negotiation, texts: Texts) -> list[Block]:
    """Fields with the demand as it was written; `read_edit` reads them."""
    said, *rest = split_text(editable(state.raw_input, 2 * LONGEST_DEMAND), LONGEST_INPUT)
    fields = [text_field(DEMAND, texts.say("What do you need?"), _hint(texts), initial=said, longest=LONGEST_INPUT)]
    if rest:
        more = "\n".join(rest)
        fields.append(text_field(REST, texts.say("And further"), _hint(texts), optional=True, initial=more))
    return fields


def _clarify(state: Negotiation, _: EditDemand, texts: Texts) -> FormWords:
    """A form with an optional field for each question."""
    above = texts.say(
        "Your answers are added to the demand, which everyone in the thread can read, and everybody is asked anew."
    )
    fields: list[Block] = []
    questions = open_questions(state)
    if state.unclear is not None and state.unclear.about == "people":
        questions = (question_text(state.unclear, texts, Fit()), *questions)
    for number, question in enumerate(questions[:MOST_QUESTIONS]):
        label = safe_line(question, LONGEST_QUESTION) or "?"
        fields.append(text_field(f"question-{number}", label, _hint(texts), optional=True, longest=LONGEST_REPLY))
    return FormWords(texts.say("Clarify"), texts.say("Send"), [text_block(above)], own=fields)


def read_edit(view: SentView) -> str:
    """The demand as it was edited."""
    values: Values = view["state"]["values"]
    parts = (entered_text(values, DEMAND), entered_text(values, REST))
    return "\n".join(each for each in parts if each)


def _edited(_: Negotiation, view: SentView) -> Mapping[str, Any]:
    values: Values = view["state"]["values"]
    # A form of before ToWow was updated does not ask whose votes are wanted.
    own_votes = {"own_votes": bool(picked_options(values, OWN_VOTES))} if OWN_VOTES in values else {}
    return {"raw_input": read_edit(view), **own_votes}


def _clarified(state: Negotiation, view: SentView) -> Mapping[str, Any]:
    """The demand with the questions and answers below it, without the unanswered questions."""
    replies = (f"{question} – {reply}" for question, reply in _answers(view))
    return {"raw_input": "\n".join((state.raw_input, *replies))}


def _answers(view: SentView) -> Iterator[tuple[str, str]]:
    values: Values = view["state"]["values"]
    for block in view["blocks"]:
        reply = entered_text(values, block["block_id"]) if block["type"] == "input" else ""
        if reply:
            yield block["label"]["text"], reply


def _hint(texts: Texts) -> str:
    return texts.say("What, for how many, when and where")


EDIT_FORM: Final = ActionForm(_edit, _edited)
CLARIFY_FORM: Final = ActionForm(_clarify, _clarified)
