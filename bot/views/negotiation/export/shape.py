"""The shape of the JSON export, which stays. `schema.json` beside this file says the same in JSON Schema.

What changes a field's name or meaning, or takes one away, is a new `schema_version`; a field more is not.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict

from engine.facts.visible import without_surrogates
from engine.kernel import Validated
from engine.negotiation.answers import OfferDecision
from engine.negotiation.plan.marks import About
from engine.negotiation.plan.told_clashes import ClashTold
from engine.negotiation.plan.told_needs import NeedTold
from engine.negotiation.terms import Outcome, Source
from engine.negotiation.voting.kinds import FeedbackType

Text = Annotated[str, BeforeValidator(without_surrogates)]
"""As somebody wrote it; nothing in it is escaped."""
AgentId = str
"""Names one of the `people`."""


class Part(Validated):
    model_config = ConfigDict(use_attribute_docstrings=True)


class Asker(Part):
    user_id: str
    name: Text | None
    """None where nobody knows."""


class Demand(Part):
    text: Text
    """As it was understood: what was negotiated about."""
    asked_by: Asker
    location: Text | None
    date: Text | None
    attendees: int | None
    budget: Text | None


class Participant(Part):
    """Somebody who was asked."""

    agent_id: AgentId
    name: Text
    user_id: str | None
    """The linked person; none where there is only a twin."""
    twin: Literal["", "offline", "degraded"] = ""
    """``offline``: simple rules spoke for the twin, since no model was connected. ``degraded``: no model could answer
    for it, at least once."""


class Offer(Part):
    agent_id: AgentId
    decision: OfferDecision
    source: Source
    """The person, or the twin."""
    is_offline: bool = False
    """Whether simple rules spoke for the twin."""
    contribution: Text
    conditions: tuple[Text, ...]
    reason: Text
    """Why not. Empty where people of other companies read along."""


class Assignment(Part):
    agent_id: AgentId
    role: Text
    responsibility: Text
    core: bool
    """Without this seat the plan falls."""
    covers: tuple[str, ...]
    """The ids of the needs that it covers."""
    source: Literal["offer", "subnet"]
    """Whether they answered the demand itself, or were found for one of the plan's gaps."""


class Milestone(Part):
    name: Text
    deliverable: Text
    date: Text
    """In the plan's own words."""
    day: str | None
    """ISO 8601, where the plan names one."""


class Condition(Part):
    agent_id: AgentId
    condition: Text
    met: bool
    reason: Text
    status: Literal["", "met", "broken", "unknown"] = ""
    """What the plan itself shows; ``unknown``: nothing, and `met` is what was promised. Empty: it was not looked at."""


class Mark(Part):
    """How sure something in a version is."""

    about: About
    kind: Literal["checked", "said", "doubted", "broken"]
    """Data against data; as somebody said it; another reader says no; two data contradict each other."""
    agent_id: AgentId
    """Whose seat, condition or request it is about; empty where it is nobody's."""
    need_id: str
    number: int
    """Of the condition or the milestone, from 1; 0 where it is neither."""
    wanted: dict[str, Any] | None
    """The datum that was asked for, with its `kind`; a time has none."""
    found: dict[str, Any] | None
    quote: Text
    """The words that a claim rests on."""
    why: Text
    """What the other reader says, where it doubts."""


class Change(Part):
    aspect: Text
    before: Text
    after: Text


class Request(Part):
    """What somebody asked for and did not get, and why."""

    agent_id: AgentId
    request: Text
    reason: Text


class Plan(Part):
    version: int
    created_at: str
    summary: Text
    assignments: tuple[Assignment, ...]
    start: Text
    milestones: tuple[Milestone, ...]
    conditions: tuple[Condition, ...]
    gaps: tuple[Text, ...]
    """What nobody does yet."""
    marks: tuple[Mark, ...] = ()
    changes: tuple[Change, ...]
    """Against the version before."""
    requests_declined: tuple[Request, ...]


class Vote(Part):
    agent_id: AgentId
    choice: FeedbackType | None
    """None for no answer, and where votes are blind and the round was never evaluated."""
    source: Source | None
    """The person, the twin, or the clock: somebody who was asked and did not object in time."""
    is_offline: bool = False
    """Whether simple rules spoke for the twin."""
    is_degraded: bool = False
    """Whether the twin was asked, and no model could answer for it."""
    reason: Text
    """A wish; or a thought, which is empty where people of other companies read along."""


class Tally(Part):
    total: int
    accepts: int
    negotiates: int
    rejects: int
    """Those who withdrew among them."""
    withdraws: int
    abstains: int
    """Not in ``total``: neither for nor against."""
    silent: int


class VotingRound(Part):
    round: int
    version: int
    """Of the plan that was voted on."""
    votes: tuple[Vote, ...]
    tally: Tally | None
    """None where the negotiation ended before the round did."""
    needs: tuple[NeedTold, ...]
    """As this version covers them."""


class Gap(Part):
    """Something that the agreed plan lacks, or lacked."""

    name: Text
    importance: int
    """0 to 100."""
    reason: Text
    search: Literal["none", "running", "found", "failed"]
    """What became of looking for it; ``none`` where nobody looked."""
    found: tuple[AgentId, ...]


class Leaver(Part):
    agent_id: AgentId
    reason: Text
    """Empty where people of other companies read along."""


class Alternative(Part):
    issue: Text
    resolution: Text
    rationale: Text


class WayOut(Part):
    """What would still be possible, as a model sees it. Nobody is bound by it."""

    summary: Text
    facts: tuple[Text, ...]
    assignments: tuple[Assignment, ...]
    alternatives: tuple[Alternative, ...]
    unresolved: tuple[Text, ...]
    next_steps: tuple[Text, ...]


class Export(Part):
    """A negotiation that is over. Every time is ISO 8601, UTC."""

    schema_version: Literal[1] = 1
    negotiation_id: str
    demand_id: str
    status: Literal["finalized", "force_finalized", "failed"]
    outcome: Outcome
    why_nobody: Text
    """Where nobody was asked, why nobody seemed to fit. Empty where people of other companies read along."""
    ended_at: str
    demand: Demand
    people: tuple[Participant, ...]
    offers: tuple[Offer, ...]
    plan: Plan | None
    """What was agreed; where it failed, the last version that was voted on, if there was any."""
    needs: tuple[NeedTold, ...]
    """What the demand takes, as the plan covers it."""
    clashes: tuple[ClashTold, ...]
    """People and rooms that other plans take at the same time."""
    confirmed: tuple[AgentId, ...]
    """Those who accepted this very plan."""
    optional: tuple[AgentId, ...]
    """Those who are in the plan and did not."""
    open_requests: tuple[Request, ...]
    withdrawn: tuple[Leaver, ...]
    gaps: tuple[Gap, ...]
    """The most important first."""
    compromise: WayOut | None
    """Where it failed, and a model has said what would still be possible."""
    versions: tuple[Plan, ...]
    """Every version that was voted on, oldest first."""
    rounds: tuple[VotingRound, ...]


def schema() -> str:
    """What `schema.json` holds."""
    shape: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    shape |= Export.model_json_schema(mode="serialization")
    return json.dumps(shape, indent=2, ensure_ascii=False) + "\n"
