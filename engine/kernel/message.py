"""What every command, event and effect is: a frozen record with known fields, some of which are private."""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any, Final, dataclass_transform

import msgspec
from pydantic import BaseModel, ConfigDict


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A frozen record that the engine makes and writes itself (`engine.kernel.encoding`).

    The constructor checks no types: mypy does. What is read is checked, and unknown fields are an error. A field that
    has its default is not written, so the default of a field never changes. A class with a required field behind an
    optional one says ``kw_only=True``.

    Python does not look for cycles through it: it is made of what is there before, so it is in none.
    """


def values_of(fields: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what reads these fields of a record, in their order."""
    if len(fields) < 2:  # of one, `attrgetter` returns the value itself
        return lambda record: tuple(getattr(record, name) for name in fields)
    return attrgetter(*fields)


@cache
def tag_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the field that names a record's class among others, and its value; empty where there is none."""
    known = kind.__struct_config__
    return {known.tag_field: known.tag} if known.tag_field else {}


class Validated(BaseModel):
    """A frozen record of what comes from outside (a form, a file, a button, a row): pydantic checks every field, and
    unknown ones are an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class _Mark(Enum):
    PRIVATE = "private"
    SPARSE = "sparse"


PRIVATE: Final = _Mark.PRIVATE
"""``Annotated[str, PRIVATE]`` marks people's words, and what a model has made of them: they are kept beside the event,
where they can be erased. A field of a record inside an event may be marked as well (`engine.kernel.privacy`)."""

SPARSE: Final = _Mark.SPARSE
"""``Annotated[bool, SPARSE]`` marks a field that the event's payload leaves out while it has its default."""
