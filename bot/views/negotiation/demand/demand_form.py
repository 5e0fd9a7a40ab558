"""Builds and reads the forms for a new demand, for its edits, and for the answer to what was not clear in it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.kit.action_form import ActionForm, FormWords, SentView
from bot.views.kit.fields import (
    LONGEST_INPUT,
    Values,
    channel_field,
    entered_text,
    multi_choice_field,
    picked_channel,
    picked_options,
    text_block,
    text_field,
)
from bot.views.kit.modals import form, modal, read_metadata
from bot.views.kit.mrkdwn import Fit, editable, safe_line, slack_length, split_text
from bot.views.kit.prompts import Prompt
from bot.views.negotiation.demand.question import open_questions, question_text
from engine.kernel import Validated
from engine.negotiation.commands import EditDemand
from engine.negotiation.state import Negotiation
from engine.negotiation.terms import LONGEST_DEMAND

FROM_MESSAGE = "demand.from_message"
NEW = "demand.new"
"""The callback ids of the shortcuts and of their forms."""

WHAT, WHERE, OWN_VOTES = "what", "where", "own_votes"
"""Names of the fields: where the errors of a refused form belong."""


class Origin(Validated):
    """The thread that the demand is about, if any, as the form's private_metadata."""

    channel: str = ""
    thread: str = ""
    message: str = ""


class DemandForm(Validated):
    """A form as it was sent."""

    text: str
    channel: str
    thread: str
    """Empty if it gets a thread of its own."""
    message: str = ""
    """What the demand was made of; empty where it was typed."""
    own_votes: bool = False
    """Whether people's own votes only are wanted."""


def form_from_message(origin: Origin, text: str, texts: Texts) -> dict[str, Any]:
    """``text``: that of the message, which the form starts with."""
    fields = [
        _what(texts, text),
        text_block(texts.say("The plan is made in the thread of this message, for all to see.")),
    ]
    if slack_length(editable(text, len(text))) > LONGEST_INPUT:
        fields.insert(
            0,
            text_block(
                texts.say(
                    "The message is longer than this form can hold: here are its first {most} characters. Keep what "
                    "you need, for how many, when and where.",
                    most=LONGEST_INPUT,
                )
            ),
        )
    return _form(FROM_MESSAGE, origin, texts.say("Turn into a demand"), fields, texts)


def new_form(texts: Texts) -> dict[str, Any]:
    fields = [_what(texts), channel_field(WHERE, texts.say("In which channel?"))]
    return _form(NEW, Origin(), texts.say("New demand"), fields, texts)


def no_form(sentence: str, texts: Texts) -> dict[str, Any]:
    """A modal that says why no demand can be made here."""
    return modal(texts.say("New demand"), [text_block(sentence)], texts)


def read_demand_form(view: Mapping[str, Any]) -> DemandForm:
    """Read the demand that the form says.

    Raises:
        ValueError: not a form of ours.
    """
    origin = read_metadata(view, Origin)
    values: Values = view["state"]["values"]
    channel = origin.channel or picked_channel(values, WHERE)
    return DemandForm(
        text=entered_text(values, WHAT),
        channel=channel,
        thread=origin.thread,
        message=origin.message,
        own_votes=bool(picked_options(values, OWN_VOTES)),
    )


def own_votes_words(texts: Texts) -> tuple[str, str]:
    """What is asked about whose votes are wanted, and what can be ticked."""
    return texts.say("Whose votes?"), texts.say("People’s own votes only; twins prepare them")


def _what(texts: Texts, said: str = "") -> Block:
    return text_field(
        WHAT,
        texts.say("What do you need?"),
        texts.say("What, for how many, when and where"),
        initial=said,
        longest=LONGEST_INPUT,
    )


def _form(callback: str, origin: Origin, heading: str, fields: Sequence[Block], texts: Texts) -> dict[str, Any]:
    label, option = own_votes_words(texts)
    fields = [*fields, multi_choice_field(OWN_VOTES, label, [(OWN_VOTES, option)])]
    return form(callback, heading, texts.say("Send"), fields, texts, metadata=origin.model_dump_json())


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


def _edited(_: Negotiation, view: SentView, _texts: Texts) -> Mapping[str, Any]:
    values: Values = view["state"]["values"]
    # A form of before ToWow was updated does not ask whose votes are wanted.
    own_votes = {"own_votes": bool(picked_options(values, OWN_VOTES))} if OWN_VOTES in values else {}
    return {"raw_input": read_edit(view), **own_votes}


def _clarified(state: Negotiation, view: SentView, _texts: Texts) -> Mapping[str, Any]:
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
