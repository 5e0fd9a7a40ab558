"""What a model answers: records that the engine keeps like its own, and that pydantic reads where they come in."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, Self, TypeVar

import msgspec
from msgspec.structs import fields
from pydantic import Field, GetCoreSchemaHandler, TypeAdapter
from pydantic_core import CoreSchema, core_schema

from engine.kernel.message import Message, tag_of, values_of

T = TypeVar("T", bound="ModelAnswer")

LEFT_OUT: Final = "may_be_left_out"
OMITTABLE: Final = Field(json_schema_extra={LEFT_OUT: True})
"""Marks a field that a model leaves out where it has nothing to say: it is mostly empty, and stands in a list."""


class ModelAnswer(Message, forbid_unknown_fields=False):
    """Something a model said. Unknown fields are dropped: models add some.

    `checked` reads what a model has sent, with whatever pydantic finds in the annotations of the fields. From then on
    it is a `Message`, which is neither checked nor dumped by pydantic again. A pydantic class may have it as a field.
    """

    @classmethod
    def checked(cls, said: Any) -> Self:
        """Read JSON values; a record of this class is taken as it is."""
        answer: Self = _reader(cls).validate_python(said)
        return answer

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        return _reader(cls).json_schema()

    @classmethod
    def fields_of(cls, value: Self) -> dict[str, Any]:
        """Return the fields that every record of this class has, of one that may be of a subclass with more."""
        return dict(zip(cls.__struct_fields__, _values(cls)(value), strict=True))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        known = fields(cls)
        names = tuple(each.name for each in known)
        shape = core_schema.typed_dict_schema(
            _kind_of(cls)
            | {
                each.name: core_schema.typed_dict_field(
                    _with_default(handler.generate_schema(each.type), each), required=each.required
                )
                for each in known
            },
            cls=cls,
        )
        return core_schema.no_info_wrap_validator_function(
            lambda value, read: value if isinstance(value, cls) else cls(**_untagged(cls, read(value))),
            shape,
            ref=f"{cls.__module__}.{cls.__qualname__}:{id(cls)}",
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value: tag_of(cls) | {name: getattr(value, name) for name in names}, return_schema=shape
            ),
        )


def _kind_of(cls: type[msgspec.Struct]) -> dict[str, core_schema.TypedDictField]:
    """Return the field that names the class, where it is one of several that may stand in the same place."""
    return {
        name: core_schema.typed_dict_field(core_schema.literal_schema([tag]), required=False)
        for name, tag in tag_of(cls).items()
    }


def _untagged(cls: type[msgspec.Struct], read: dict[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in read.items() if name not in tag_of(cls)}


def _with_default(schema: CoreSchema, field: msgspec.structs.FieldInfo) -> CoreSchema:
    if field.required:
        return schema
    return core_schema.with_default_schema(schema, default=field.default)


@cache
def _values(kind: type[ModelAnswer]) -> Callable[[ModelAnswer], tuple[Any, ...]]:
    """Return what reads all fields of a class."""
    return values_of(kind.__struct_fields__)


@cache
def _reader(kind: type[T]) -> TypeAdapter[T]:
    return TypeAdapter(kind)
