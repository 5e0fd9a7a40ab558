"""Builds and reads the form in which a person answers a demand in place of their twin."""

from collections.abc import Mapping, Sequence
from typing import Any

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.directory.telling_form import told_field
from bot.views.kit.fields import (
    Values,
    choice_field,
    entered_text,
    picked_option,
    text_block,
    text_field,
)
from bot.views.kit.modals import form, read_metadata
from bot.views.kit.mrkdwn import safe_line
from bot.views.negotiation.button_values import CORRECT
from bot.views.negotiation.names import decision_label
from engine.kernel import Validated
from engine.negotiation.answers import OfferDecision
from engine.negotiation.events import OfferSubmitted
from engine.negotiation.terms import Asked

WHOM, DECISION, CONTRIBUTION, CONDITIONS, REASON = "whom", "decision", "contribution", "conditions", "reason"
"""Names of the fields: where the errors of a refused form belong."""

LONGEST_CONDITIONS = 3_000
"""Characters that Slack accepts in one field."""


class Correction(Validated):
    """What the form remembers, as its private_metadata."""

    stream: str
    agent_id: str = ""
    """Empty where the form asks whose offer it is."""


class CorrectedOffer(Validated):
    """A form as it was sent."""

    stream: str
    agent_id: str
    decision: OfferDecision
    contribution: str
    conditions: tuple[str, ...]
    reason: str


def choose_form(stream: str, people: Sequence[Asked], texts: Texts) -> dict[str, Any]:
    """The form that asks a person who may answer for several whose offer it is."""
    options = [(each.agent_id, each.display_name or each.agent_id) for each in people]
    fields = [choice_field(WHOM, texts.say("For whom do you answer?"), options)]
    return _form(Correction(stream=stream), fields, texts.say("Next"), texts)


def offer_form(
    stream: str, asked: Asked, offer: OfferSubmitted | None, texts: Texts, *, may_tell: bool = False
) -> dict[str, Any]:
    """
    Args:
        offer: the current one, which the form starts with.
        may_tell: whether it is their own twin that they correct, which they may tell something for good.
    """
    name = safe_line(asked.display_name or asked.agent_id, 60)
    so_far = offer if offer and not offer.degraded else None
    fields = [
        text_block(
            texts.say(
                "The answer for {name}. It counts instead of the twin’s, and everyone in the thread can read it.",
                name=name,
            )
        ),
        choice_field(
            DECISION,
            texts.say("The answer"),
            [(str(each), decision_label(each, texts)) for each in OfferDecision],
            chosen=str(so_far.decision) if so_far else "",
        ),
        text_field(
            CONTRIBUTION,
            texts.say("What is contributed?"),
            texts.say("What, how much, when"),
            optional=True,
            initial=so_far.contribution if so_far else "",
        ),
        text_field(
            CONDITIONS,
            texts.say("On which conditions?"),
            texts.say("One on each line"),
            optional=True,
            initial="\n".join(" ".join(each.split()) for each in so_far.conditions) if so_far else "",
            longest=LONGEST_CONDITIONS,
        ),
        text_field(
            REASON,
            texts.say("Why not?"),
            texts.say("One sentence is enough; everyone in the thread can read it"),
            optional=True,
            initial=so_far.decline_reason if so_far else "",
        ),
        *([told_field(texts)] if may_tell else []),
    ]
    return _form(Correction(stream=stream, agent_id=asked.agent_id), fields, texts.say("Send"), texts)


def read_choice(view: Mapping[str, Any]) -> tuple[str, str] | None:
    """The stream and the agent id that were chosen; None where the form was the offer itself.

    Raises:
        ValueError: not a form of ours.
    """
    correction = _read(view)
    if correction.agent_id:
        return None
    return correction.stream, picked_option(view["state"]["values"], WHOM) or ""


def read_offer(view: Mapping[str, Any]) -> CorrectedOffer:
    """Read the offer that the form says.

    Raises:
        ValueError: not a form of ours.
    """
    correction = _read(view)
    values: Values = view["state"]["values"]
    return CorrectedOffer(
        stream=correction.stream,
        agent_id=correction.agent_id,
        decision=OfferDecision(picked_option(values, DECISION) or ""),
        contribution=entered_text(values, CONTRIBUTION),
        conditions=tuple(each.strip() for each in entered_text(values, CONDITIONS).splitlines() if each.strip()),
        reason=entered_text(values, REASON),
    )


def _read(view: Mapping[str, Any]) -> Correction:
    return read_metadata(view, Correction)


def _form(correction: Correction, fields: Sequence[Block], submit: str, texts: Texts) -> dict[str, Any]:
    return form(CORRECT, texts.say("Correct an offer"), submit, fields, texts, metadata=correction.model_dump_json())
