"""What every part of the HTTP interface is sent and answers with. `document.py` makes OpenAPI of the models."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from engine.runtime.streams import Envelope
from engine.store.health import Trouble


def _number(value: object) -> object:
    """Accept what JSON Schema calls a whole number: 7.0 is one; "7" and true are none."""
    if isinstance(value, bool | str):
        raise ValueError("it has to be a number")
    return value


WHOLE: Final = BeforeValidator(_number)
UserId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]


class ApiModel(BaseModel):
    """Frozen, and unknown fields are an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


# ── what is sent ──────────────────────────────────────────────────────────────────────────────────────────────────────


class RecentAsked(ApiModel):
    count: Annotated[int, Field(ge=1, le=500)] = 50


class StreamAsked(ApiModel):
    last_event_id: Annotated[str, Field(max_length=64)] = ""
    """The last event that arrived: its `id`, or its `event_id`. The header `Last-Event-ID` comes before it."""


# ── what is answered ──────────────────────────────────────────────────────────────────────────────────────────────────


class RecentEvents(ApiModel):
    count: int
    events: tuple[Envelope, ...]
    """Oldest first."""


class Health(ApiModel):
    status: Literal["ok"] = "ok"


class Readiness(ApiModel):
    status: Literal["ready", "not ready", "draining"]
    """`draining`: it ends soon, and nothing more is to be sent to it."""
    store: bool
    slack: bool
    trouble: Trouble | None = None
    """What is wrong with the database, where that is known."""


# ── what is refused ───────────────────────────────────────────────────────────────────────────────────────────────────


class Fault(ApiModel):
    field: str
    what: str


class Problem(ApiModel):
    """RFC 9457."""

    type: Literal["about:blank"] = "about:blank"
    title: str
    status: int
    detail: str
    error_code: str | None
    """E001 to E015; null where HTTP's status says it all."""
    errors: tuple[Fault, ...] = ()
    """What is wrong with which field of what was sent."""
    demand_id: str | None = None
    """Of the demand that was taken all the same, and has ended; null where none was."""
