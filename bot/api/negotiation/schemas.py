"""What the negotiation's part of the HTTP interface is sent and answers with."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from bot.api.schemas import ApiModel, UserId
from engine.negotiation.answers import Compromise, DeepUnderstanding, Understanding
from engine.negotiation.plan.marks import Mark
from engine.negotiation.plan.told_clashes import ClashTold
from engine.negotiation.plan.told_needs import NeedTold
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome, Proposal, Source
from engine.negotiation.voting.kinds import FeedbackType

DemandStatus = Literal["processing", "completed", "failed"]
Awaits = Literal["answer", "decision"]
FailedFor = Literal["E003", "E004", "E005", "E006", "E013", "E014"]
SlackChannel = Annotated[str, StringConstraints(pattern=r"^[CG][A-Z0-9_]{1,63}$")]


# ── what is sent ──────────────────────────────────────────────────────────────────────────────────────────────────────


class NewDemand(ApiModel):
    """Seed 000, section 3.1.1, and where in Slack the thread shall stand."""

    raw_input: Annotated[str, Field(min_length=1, max_length=5_000)]
    """In somebody's own words: up to 4,000 characters, not counting spaces around them."""
    user_id: UserId | None = None
    """Who asks. Left out: the token's own user; another than that user is refused."""
    slack_channel: SlackChannel | None = None
    """Where the thread shall stand. Left out: there is none, and linked people are written to directly."""
    locale: Annotated[str, Field(max_length=35, pattern=r"^[A-Za-z0-9_-]*$")] = ""
    """In which they read, `de-DE`: what is told before the demand was understood is told in it, where Slack has not
    said which it is."""
    own_votes: bool = False
    """Whether people's own votes only are wanted: twins prepare theirs for people to give."""


# ── what is answered ──────────────────────────────────────────────────────────────────────────────────────────────────


class Submitted(ApiModel):
    """Seed 000, section 3.1.1."""

    demand_id: str
    channel_id: str
    status: DemandStatus
    understanding: Understanding | None
    """None where the model was not done yet; `GET /api/v1/demand/{demand_id}` has it later."""


class Seat(ApiModel):
    agent_id: str
    display_name: str
    feedback_type: FeedbackType | None
    """The vote that counts; null where there is none so far, and where the round is secret."""
    source: Source | None
    """Whose vote counts; null where there is none so far."""
    is_carried: bool
    """Whether it was given in an earlier round, and still stands because nothing of the part has changed."""


class Round(ApiModel):
    """The latest one."""

    number: int
    max_rounds: int
    is_open: bool
    is_secret: bool
    """Whether what was voted is told to nobody before the round is evaluated."""
    deadline: str | None
    """ISO 8601, UTC, while it is open."""
    seats: tuple[Seat, ...]
    request: str | None
    """The change that the requester has asked for in this round."""
    needs: tuple[NeedTold, ...]
    """As this version covers them; who has accepted only once that is no secret."""
    marks: tuple[Mark, ...]
    """What of this version is checked (data against data), only said, doubted by another reader, or broken."""


class Search(ApiModel):
    """For a gap: a negotiation of its own, which is a demand like any other."""

    status: Literal["running", "found", "failed"]
    demand_id: str
    channel_id: str
    deadline: str
    """ISO 8601, UTC: after it nobody is looked for any more."""
    found: tuple[str, ...]
    """Agent ids; who they are and what they do is in the plan, as seats whose `source` is `subnet`."""
    outcome: Outcome | None
    """Why nobody was found."""


class Gap(ApiModel):
    """Something that the agreed plan lacks, or lacked."""

    gap_type: str
    importance: int
    """0 to 100."""
    reason: str
    search: Search | None
    """Null where nobody is asked for it."""


class Degraded(ApiModel):
    """A step that no model could do."""

    prompt: str
    error_code: str
    """E003, E004, E013 or E014."""
    agent_id: str | None
    """Whose twin could not answer; null where it was no twin's question."""
    round: int


class GoingAhead(ApiModel):
    """It was decided that the plan is carried out."""

    by: str
    at: str
    """ISO 8601, UTC."""


class Departure(ApiModel):
    """Somebody who agreed cannot take part any more."""

    agent_id: str
    by: str
    at: str
    """ISO 8601, UTC."""
    lacks: tuple[str, ...]
    """What the plan lacks without them."""


class CheckInTold(ApiModel):
    """Somebody was asked, on the day before, how something stands that is due."""

    key: str
    agent_id: str | None
    """Whose it is; null where it is whoever asked."""
    what: str
    day: str
    """When it is due, as a date."""
    answer: Literal["done", "late"] | None
    """Null while nobody has said anything."""
    text: str
    """What is late, and until when."""
    answered_at: str | None
    """ISO 8601, UTC."""


class DemandStanding(ApiModel):
    """How it stands, in few words."""

    demand_id: str
    channel_id: str
    status: DemandStatus
    channel_status: Status
    round: int
    max_rounds: int
    outcome: Outcome | None
    error_code: FailedFor | None
    """What it failed for. E003: no model could be reached, E004: it took too long, E013: what it answered could not be
    read, E014: the budget for models was spent; these four only where an admin lets nothing stand in for a model. E005:
    nobody could help; E006: no agreement in time. None of them is an error of HTTP here."""
    is_searching: bool
    """Whether somebody is looked for in a negotiation of its own, who covers what the others do not."""
    awaits: Awaits | None
    """What it waits for from whoever asked: the `answer` to its question, given by saying the demand otherwise, or a
    `decision` about what is missing. The actions `demand.edit`, `missing.look_wider` and
    `missing.go_on` are these."""
    awaits_until: str | None
    """ISO 8601, UTC: when that is waited for no longer. Without an answer it ends, without a decision it goes on."""
    question: str | None
    """The question that was asked about the demand as it is worded now. Where nobody was waited for, or nobody has
    answered, it is how it ended: ask again with the answer."""
    missing: tuple[str, ...]
    """What is essential and nobody covers, while a decision about it is awaited."""
    reopened_as: str | None
    """The demand with which it was taken up again, after it had failed."""


class DemandTold(DemandStanding):
    """Seed 000, section 4.1, and the negotiation about it."""

    requester_id: str
    raw_input: str | None
    """In the requester's own words: told to them and to admins, and null for everybody else."""
    own_votes: bool
    """Whether people's own votes only are wanted."""
    surface_demand: str
    deep_understanding: DeepUnderstanding | None
    capability_tags: tuple[str, ...]
    context: dict[str, Any]
    created_at: str
    proposal: Proposal | None
    """The newest version; once there is a plan, the plan."""
    needs: tuple[NeedTold, ...]
    """What the demand takes, as this proposal covers it; votes of an open round are told in `latest_round` alone."""
    marks: tuple[Mark, ...]
    """What of this proposal is checked (data against data), only said, doubted by another reader, or broken."""
    clashes: tuple[ClashTold, ...]
    """People and rooms that other plans take at the same time. Nothing is refused for it."""
    lacks: tuple[str, ...]
    """What is essential and nobody who agreed to the plan covers. With anything here it is no whole plan."""
    latest_round: Round | None
    confirmed_participants: tuple[str, ...]
    optional_participants: tuple[str, ...]
    gaps: tuple[Gap, ...]
    """What the agreed plan lacks, the most important first."""
    compromise: Compromise | None
    """Where it failed, and a model has said what would still be possible. Nobody is bound by it."""
    degraded: tuple[Degraded, ...]
    recoveries: int
    """How often it was stuck, and was taken up from there."""
    proceeded: GoingAhead | None
    given_up: tuple[Departure, ...]
    """Who agreed to the plan and cannot keep it, in the order in which they said so."""
    check_ins: tuple[CheckInTold, ...]
    """What somebody was asked about on the day before it is due. Nobody is where an admin has not switched it on."""
    can_be_taken_back_until: str | None
    """ISO 8601, UTC: until when whoever asked can take back that it was stopped, or that the plan is carried out."""
    gap_of: str | None
    """The demand whose plan lacks what this one asks for."""
    reopened_from: str | None
    """The demand that failed, and was taken up again with this one."""
