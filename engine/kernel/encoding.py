"""How messages are written as JSON and read again, and what they look like as plain values."""

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec.structs import asdict, fields
from pydantic import BaseModel

from engine.kernel.message import Validated, tag_of

T = TypeVar("T")


def encode(value: Any) -> str:
    """Write a message as JSON without the fields that have their default.

    Only what is `Validated` is written with every field: the defaults of policies and settings may change.
    """
    return _ENCODER.encode(value).decode()


def decode(text: str | bytes, kind: type[T]) -> T:
    """
    Raises:
        msgspec.ValidationError: a field is missing, unknown, or of another type; also inside a pydantic model.
    """
    decoder = _DECODERS.get(kind)
    if decoder is None:
        decoder = _DECODERS[kind] = msgspec.json.Decoder(kind, dec_hook=_read)
    value: T = decoder.decode(text)
    return value


def convert(said: Mapping[str, Any], kind: type[T]) -> T:
    """Make a message of its fields as JSON values.

    Raises:
        msgspec.ValidationError
    """
    return msgspec.convert(said, kind, dec_hook=_read)


def plain(value: Any) -> Any:
    """Turn a message, a state, or anything made of them into JSON values with every field."""
    if type(value) in _PLAIN:
        return value
    match value:
        case msgspec.Struct():
            said = asdict(value)
            for name in _made_of_others(type(value)):
                each = said[name]
                said[name] = [] if each == () else plain(each)
            return tag_of(type(value)) | said
        case tuple() | list():
            return [each if type(each) in _PLAIN else plain(each) for each in value]
        case Enum():
            return value.value
        case BaseModel():
            return value.model_dump(mode="json")
        case Mapping():
            return {plain(key): plain(each) for key, each in value.items()}
        case _:
            return value


def plain_texts(value: Any) -> Iterator[str]:
    """Yield every text in plain values, however deep it is."""
    match value:
        case str():
            yield value
        case Mapping():
            for each in value.values():
                yield from plain_texts(each)
        case list() | tuple():
            for each in value:
                yield from plain_texts(each)


@cache
def _made_of_others(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """The fields of a class that may hold something else than a JSON value without parts."""
    return tuple(each.name for each in fields(kind) if not _is_plain(each.type))


def _is_plain(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        return _is_plain(get_args(hint)[0])
    if get_origin(hint) is Literal:
        return all(type(each) in _PLAIN for each in get_args(hint))
    if get_origin(hint) in (Union, UnionType):
        return all(map(_is_plain, get_args(hint)))
    return hint in _PLAIN


_PLAIN: Final = frozenset({str, int, float, bool, type(None)})


def _write(value: Any) -> msgspec.Raw:
    """What msgspec does not know."""
    if isinstance(value, BaseModel):
        is_complete = isinstance(value, Validated)
        return msgspec.Raw(value.__pydantic_serializer__.to_json(value, exclude_defaults=not is_complete))
    raise TypeError(f"nothing says how {type(value).__name__} is written")


def _read(kind: type[Any], value: Any) -> Any:
    """What msgspec does not know."""
    if issubclass(kind, BaseModel):
        return kind.model_validate(value)
    raise TypeError(f"nothing says how {kind.__name__} is read")


_ENCODER = msgspec.json.Encoder(enc_hook=_write)

_DECODERS: dict[type[Any], msgspec.json.Decoder[Any]] = {}
