"""What a decision record is made of."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal

from pydantic import ConfigDict

from engine.kernel import Validated
from engine.negotiation.answers import OfferDecision
from engine.negotiation.plan.told_clashes import ClashTold
from engine.negotiation.plan.told_needs import NeedTold
from engine.negotiation.state import Status
from engine.negotiation.terms import MissingChoice, Outcome, RecoveryAction
from engine.negotiation.voting.kinds import FeedbackType

STEPS: Final[Mapping[str, str]] = {
    "understand": "reading the demand",
    "filter": "choosing whom to ask",
    "respond": "answering the demand for somebody",
    "aggregate": "weaving the proposal",
    "feedback": "voting for somebody",
    "adjust": "adjusting the proposal",
    "verify": "looking at the plan once more",
    "read_request": "reading a wish",
    "gaps": "looking for what the plan lacks",
    "recurse": "deciding whether others are asked for it",
    "compromise": "looking for a way out",
}
"""Prompt -> what a model is asked to do with it, in words that a stranger understands."""


class Part(Validated):
    model_config = ConfigDict(use_attribute_docstrings=True)


class Hand(StrEnum):
    """Who has decided for a seat."""

    TWIN = "twin"
    PERSON = "person"
    DELEGATE = "delegate"
    REQUESTER = "requester"
    """Whoever asked, for a twin that is linked to nobody."""
    ASSUMED = "assumed"
    """The clock: somebody who was asked did not object in time."""


class WishStatus(StrEnum):
    MET = "met"
    PROMISED = "promised"
    """The plan says that it is met, and nothing in it can show that."""
    BROKEN = "broken"
    """The plan contradicts it."""
    DECLINED = "declined"
    OPEN = "open"
    """No version has answered it."""
    SETTLED = "settled"
    """No version has answered it, and whoever asked for it has accepted since."""


class Question(Part):
    """What whoever asked was asked first."""

    about: Literal["demand", "people"]
    """``people``: nobody was found to fit."""
    question: str
    """Empty where nobody was found to fit."""


class MissingDecision(Part):
    """What was decided before the first proposal about needs that nobody covered."""

    needs: tuple[str, ...]
    choice: MissingChoice | None
    by: str
    """Empty where nobody decided in time."""


class OfferRecord(Part):
    agent_id: str
    display_name: str
    decision: OfferDecision
    hand: Hand
    model: str
    """The model that spoke for the twin; empty where it was no twin, or no model. ``offline``: simple rules did."""
    reason: str
    """Why not."""


class Vote(Part):
    """What counted for a seat in one round."""

    round: int
    version: int
    choice: FeedbackType | None
    """None for no answer, and while it is secret."""
    hand: Hand | None
    """None for no answer."""
    model: str
    """The model that spoke for the twin; empty where it was no twin, or no model. ``offline``: simple rules did."""
    by: str | None
    """The user who clicked."""
    is_carried: bool
    """Given in an earlier round; nothing of their part had changed."""
    reason: str


class SeatRecord(Part):
    """Somebody who was in any version, and how they decided."""

    agent_id: str
    display_name: str
    role: str
    is_core: bool
    is_in_plan: bool
    is_confirmed: bool
    """Whether they have accepted the plan explicitly."""
    votes: tuple[Vote, ...]


class Wish(Part):
    agent_id: str
    """The user id of whoever asked, for `change`."""
    kind: Literal["condition", "request", "change"]
    """A condition of an offer, a request of a vote, or a change that whoever asked wanted."""
    text: str
    status: WishStatus
    version: int | None
    """The version that answered it."""
    reason: str


class Lack(Part):
    what: str
    is_essential: bool


class Dissent(Part):
    """Somebody who did not agree to the version that counts, or left before."""

    agent_id: str
    display_name: str
    choice: FeedbackType | None
    """None for no answer."""
    reason: str


class NotChosenRecord(Part):
    agent_id: str
    display_name: str
    reason: str


class DegradedStep(Part):
    """A step that no model could do."""

    step: str
    """What it was for, in words."""
    prompt: str
    """Its id: the name of the prompt's file."""
    error_code: str
    agent_id: str
    """Whose twin could not answer; empty where it was no twin's question."""
    round: int


class Departure(Part):
    """Somebody who agreed and could not keep it."""

    agent_id: str
    display_name: str
    by: str
    """The user who said so."""
    reason: str
    lacks: tuple[str, ...]
    """What the plan lacked without them."""


class DecisionRecord(Part):
    demand_id: str
    channel_id: str
    status: Status
    outcome: Outcome | None
    policy: str
    """The id of the rules by which it was decided."""
    accepts_needed: int
    """Percent of those asked who had to accept, by these rules."""
    demand: str
    """As it was understood."""
    asked_by: str
    questions: tuple[Question, ...]
    missing: tuple[MissingDecision, ...]
    needs: tuple[NeedTold, ...]
    clashes: tuple[ClashTold, ...]
    """People and rooms that other plans take at the same time, by what is known now."""
    offers: tuple[OfferRecord, ...]
    seats: tuple[SeatRecord, ...]
    not_chosen: tuple[NotChosenRecord, ...]
    """Who offered to take part and has no seat."""
    is_core_chosen: bool
    """Whether whoever asked has said which seats are core."""
    wishes: tuple[Wish, ...]
    lacks: tuple[Lack, ...]
    """What nobody who agreed covers, and what the plan itself says that it lacks."""
    version: int | None
    """Which version is the plan; of a failed negotiation, the last one."""
    versions: int
    rounds: int
    decided_in: int | None
    """The round whose votes decided."""
    disagreed: tuple[Dissent, ...]
    degraded: tuple[DegradedStep, ...]
    recoveries: tuple[RecoveryAction, ...]
    """How it was moved on after it had stalled."""
    proceeded_by: str | None
    """Who decided that the plan is carried out."""
    given_up: tuple[Departure, ...] = ()
    """Who could not keep what they had promised."""
