"""What is asked of a negotiation: by people, by models' answers, by other streams."""

from engine.kernel import Command, Place
from engine.negotiation.answers import (
    Compromise,
    FeedbackAnswer,
    FeedbackType,
    GapAnalysis,
    OfferAnswer,
    OfferDecision,
    ProposalDraft,
    RecursionAnswer,
    Shortlist,
    Understanding,
)
from engine.negotiation.policy import Policy
from engine.negotiation.terms import Asked, Found, Outcome, Parent, Person


class SubmitDemand(Command):
    demand_id: str
    channel_id: str
    requester_id: str
    raw_input: str
    policy: Policy
    place: Place = Place()
    parent: Parent | None = None
    """Of a subnet; a person's demand has none."""
    understanding: Understanding | None = None
    """Where it is known already what is meant."""
    reopened_from: str = ""
    """The channel id of the negotiation that failed before, where this one takes it up again."""
    also_ask: tuple[Asked, ...] = ()
    """Whoever is asked besides those who are found to fit."""


class Answered(Command):
    """A model's answer, or, with ``degraded`` (E003 or E004), what stands in for it."""

    model: str = ""
    prompt_hash: str = ""
    degraded: str | None = None


class RecordUnderstanding(Answered, kw_only=True):
    understanding: Understanding


class RecordShortlist(Answered, kw_only=True):
    shortlist: Shortlist
    people: dict[str, Person]
    """Everybody the model was told of: an agent id that is not in here does not exist."""


class RecordOffer(Answered, kw_only=True):
    agent_id: str
    answer: OfferAnswer


class RecordProposal(Answered, kw_only=True):
    """``draft`` is None when no model could make one: the rules fall back to what is known."""

    version: int
    draft: ProposalDraft | None
    corrections: int = 0
    """How many corrected offers the model had been told of."""


class RecordFeedback(Answered, kw_only=True):
    """``answer`` is None when the twin could not answer: that is no vote."""

    agent_id: str
    round: int
    answer: FeedbackAnswer | None


class RecordGaps(Answered, kw_only=True):
    analysis: GapAnalysis


class RecordRecursion(Answered, kw_only=True):
    answer: RecursionAnswer


class RecordSubnet(Command):
    """A subnet has ended; ``found`` is None where nobody was found."""

    channel_id: str
    """The subnet's."""
    outcome: Outcome
    found: Found | None = None


class Recall(Command):
    """Whoever began this subnet does not want it any more: its time is over, or it was stopped."""

    stopped_by: str = ""
    """Who did; empty where nobody did."""


class RecordCompromise(Answered, kw_only=True):
    """``compromise`` is None when no model could think of one: then the facts alone stand."""

    compromise: Compromise | None


class CastVote(Command):
    """A human's vote. ``by`` comes from the signed payload; the round and digest from the button."""

    by: str
    agent_id: str
    round: int
    digest: str
    feedback_type: FeedbackType
    text: str = ""


class EditDemand(Command):
    """Whoever asked says it otherwise, as long as the offers are open; everybody is asked anew."""

    by: str
    raw_input: str
    as_admin: bool = False


class CorrectOffer(Command):
    """A person answers in place of their twin, until the first proposal is out."""

    by: str
    agent_id: str
    decision: OfferDecision
    contribution: str = ""
    conditions: tuple[str, ...] = ()
    reason: str = ""
    """Why not, where it is a no."""


class CloseRound(Command):
    by: str
    round: int
    as_admin: bool = False
    """Whether ``by`` is an admin of the tenant, as the database says."""


class Cancel(Command):
    by: str
    reason: str = ""
    as_admin: bool = False


class ChooseCore(Command):
    """Whoever asked says which seats the plan falls with, instead of the model that proposed it."""

    by: str
    agent_ids: tuple[str, ...]
    as_admin: bool = False


class Delegate(Command):
    """A linked person names a colleague who may decide for their seat as well, or takes it back."""

    by: str
    agent_id: str
    to: str = ""
    """The colleague's user id; empty to take it back."""


class Proceed(Command):
    """Whoever asked decides that the plan is carried out."""

    by: str
    as_admin: bool = False
    announce: bool = False
    """Whether the channel is told as well."""


class Reopen(Command):
    """Whoever asked takes up again what has failed, as another negotiation in the same place."""

    by: str
    raw_input: str
    """The demand as it is said now."""
    balanced: bool = False
    """Whether by the rules called so, instead of those it failed by."""
    asks_possible: bool = False
    """Whether those are asked as well who were only possibly related and not asked the first time."""
    as_admin: bool = False


class RecordDelivery(Command):
    """What became of telling a linked person of a round: whether it got through to them."""

    agent_id: str
    round: int
    reached: bool
    gone: bool = False
    """The account exists no more: nobody will ever act for it."""
