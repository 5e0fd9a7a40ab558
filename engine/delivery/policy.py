"""How deliveries are scheduled: the figures of ``scheduler_config.json``, kept in the first event of each delivery."""

from typing import Final

from pydantic import Field

from engine.kernel import Validated

PROTOCOL: Final = "delivery"

PREFIX: Final = "deliver-"
"""With which their names begin; then comes the stream that it goes on from, or letters and digits of its own."""


class Policy(Validated):
    """Durations are seconds, unless a name says hours. Where seed 002 gives a figure (section 9), it is the default."""

    name: str = "default"
    """What people call these figures."""
    manager_user: str = Field("", pattern=r"^([UW][A-Z0-9_]{1,60})?$")
    """A person who is the Manager: they review and advise instead of a model. Empty where a model is."""
    retries: int = Field(2, ge=0, le=10)
    """How often a failed attempt is made again before the ticket is the Manager's."""
    retry_backoff: float = Field(15, ge=0, le=3600)
    """Before the first retry; doubled for each further one."""
    interruptions: int = Field(5, ge=0, le=50)
    """How often an attempt that ended with ToWow's process is begun again, besides the retries."""
    review_cycles: int = Field(3, ge=1, le=20)
    """How often changes are requested by the Manager before a person decides."""
    escalations: int = Field(2, ge=0, le=10)
    """How often the Manager may advise on a ticket between two decisions of people."""
    proposal_rounds: int = Field(2, ge=1, le=5)
    """How often the Manager proposes how a risky ticket is done before it decides."""
    attempt_timeout: float = Field(1800, gt=0, le=86_400)
    """How long one attempt of a command may take."""
    stall_timeout: float = Field(300, gt=0, le=86_400)
    """How long a command may be silent."""
    permission_wait: float = Field(20, ge=0, le=3600)
    """How long an agent that asks for a permission has to end its turn; it is started again once there is an answer."""
    permission_hours: float = Field(24, gt=0, le=24 * 30)
    """For how long a permission for a ticket holds."""
    proposal_hours: float = Field(24, gt=0)
    """How long a person is waited for who was asked about a proposal."""
    clarification_hours: float = Field(48, gt=0)
    """How long the requester is waited for; then it is planned with what is known."""
    reminder_hours: float = Field(24, gt=0)
    """Before the end of a ticket's last day its owner is reminded."""
    dependency_alert_hours: float = Field(24, gt=0)
    """After how long a ticket that waits for another one is told."""
    max_days: float = Field(90, gt=0, le=730)
    """How long the whole may take where no date is agreed, and beyond the last one that is."""
    workers_at_once: int = Field(8, ge=1, le=64)
    """Commands and models of one delivery that work at the same time."""
    most_output_bytes: int = Field(4_000_000, ge=1_000)
    """What a command may print in one attempt."""
    largest_artifact_bytes: int = Field(50_000_000, ge=1_000)
    """Of one thing that was made."""
    ticket_tokens: int = Field(2_000_000, ge=0)
    """What may be spent on one ticket; 0 is without bound, here and below."""
    ticket_usd: float = Field(5.0, ge=0)
    """Likewise, in dollars, as far as agents report it."""
    delivery_tokens: int = Field(20_000_000, ge=0)
    """What may be spent on a whole delivery."""
    delivery_usd: float = Field(50.0, ge=0)
    """Likewise, in dollars."""


DEFAULT: Final = Policy()
