"""What every command, event and effect is: a frozen record with known fields, some of which are private."""

from enum import Enum
from typing import Final

from pydantic import BaseModel, ConfigDict


class Message(BaseModel):
    """Anything that is written down: frozen, and strangers among its fields are an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Validated(BaseModel):
    """A frozen record of what comes from outside (a form, a file, a button, a row): pydantic checks every field, and
    unknown ones are an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class _Private(Enum):
    MARK = "private"


PRIVATE: Final = _Private.MARK
"""``Annotated[str, PRIVATE]``: a person's own words, kept beside the event, where they can be erased."""
