"""What every command, event and effect is: a frozen record with known fields, some of which are private."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from msgspec import Struct
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


def plain(value: Any) -> Any:
    """A message, a state, or anything made of them, as JSON values with every field."""
    match value:
        case Struct():
            return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
        case BaseModel():
            return value.model_dump(mode="json")
        case Mapping():
            return {plain(key): plain(each) for key, each in value.items()}
        case tuple() | list():
            return [plain(each) for each in value]
        case Enum():
            return value.value
        case _:
            return value
