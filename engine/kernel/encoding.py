"""How messages are written as JSON and read again, and how what is private in them is parted from them."""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, UNSET
from msgspec.structs import FieldInfo, asdict, fields, replace
from pydantic import BaseModel

from engine.kernel.message import PRIVATE, Message, Validated, tag_of, values_of

T = TypeVar("T")


def encode(value: Any) -> str:
    """Write a message as JSON without the fields that have their default.

    Only what is `Validated` is written with every field: the defaults of policies and settings may change.
    """
    return _ENCODER.encode(value).decode()


def decode(text: str | bytes, kind: type[T]) -> T:
    """Decode JSON into a struct.

    Raises:
        msgspec.ValidationError: a field is missing, unknown, or of another type; also inside a pydantic model.
    """
    decoder = _DECODERS.get(kind)
    if decoder is None:
        decoder = _DECODERS[kind] = msgspec.json.Decoder(kind, dec_hook=_read)
    value: T = decoder.decode(text)
    return value


def convert(said: Mapping[str, Any], kind: type[T]) -> T:
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


M = TypeVar("M", bound=Message)


class _Field(NamedTuple):
    name: str
    is_private: bool
    """Else it holds records with private fields."""
    blank: Any
    """What stands in the place of a private value."""
    left: Any
    """What is written in its place: nothing, also where the field has no default."""


def parted(message: M, *, is_written: bool = False) -> tuple[M, dict[str, Any]]:
    """Return the message with every private field blank, and apart from it what was there, by the field's name.

    What a record inside holds is a mapping of its own; of several records, it is as many mappings, in their order.

    Args:
        is_written: the message is written, and whoever reads it puts both together: its own fields are left out.
    """
    shape = _shape(type(message))
    if shape is None:
        return message, {}
    private: dict[str, Any] = {}
    for value, (name, blank) in zip(shape.values(message), shape.blanks, strict=True):
        if value is not blank and value != blank:
            private[name] = value
    public = shape.written if is_written else shape.blank if private else {}
    for name in shape.holders:
        value = getattr(message, name)
        if type(value) is tuple:
            parts = [parted(each) for each in value]
            if any(held for _, held in parts):
                public = {**public, name: tuple(left for left, _ in parts)}
                private[name] = [held for _, held in parts]
        elif value is not None:
            left, held = parted(value)
            if held:
                public, private[name] = {**public, name: left}, held
    return (replace(message, **public) if public else message), private


def joined(public: dict[str, Any], private: Mapping[str, Any]) -> dict[str, Any]:
    """Put what `parted` took out back into ``public``, both as JSON values."""
    for name, said in private.items():
        there = public.get(name)
        if isinstance(there, dict) and isinstance(said, dict):
            joined(there, said)
        elif there and isinstance(there, list) and isinstance(said, list):
            public[name] = [joined(one, other) for one, other in zip(there, said, strict=True)]
        else:
            public[name] = said
    return public


def with_texts(message: M, change: Callable[[str], str]) -> M:
    """Return the message with every private text changed, however deep it is."""
    changed: dict[str, Any] = {}
    for name, is_private, _, _ in private_fields(type(message)):
        value = getattr(message, name)
        new: Any
        if is_private:
            new = tuple(map(change, value)) if type(value) is tuple else change(value)
        elif type(value) is tuple:
            new = tuple(with_texts(each, change) for each in value)
        else:
            new = None if value is None else with_texts(value, change)
        if new != value:
            changed[name] = new
    return replace(message, **changed) if changed else message


def texts_in(message: Message) -> Iterator[str]:
    """Yield every private text of a message, however deep it is."""
    for name, is_private, _, _ in private_fields(type(message)):
        value = getattr(message, name)
        values = value if type(value) is tuple else () if value is None else (value,)
        if is_private:
            yield from values
        else:
            for each in values:
                yield from texts_in(each)


class _Shape(NamedTuple):
    """What `private_fields` says of a class, as `parted` needs it."""

    values: Callable[[Message], tuple[Any, ...]]
    """Reads the private fields."""
    blanks: tuple[tuple[str, Any], ...]
    """The names of the same fields, and what stands in their places."""
    blank: dict[str, Any]
    """All that stands in their places."""
    written: dict[str, Any]
    """What is written in their places."""
    holders: tuple[str, ...]
    """The fields that hold records with private fields."""


@cache
def _shape(kind: type[Message]) -> _Shape | None:
    """None where nothing is private."""
    found = private_fields(kind)
    if not found:
        return None
    private = [each for each in found if each.is_private]
    return _Shape(
        values_of([each.name for each in private]),
        tuple((each.name, each.blank) for each in private),
        {each.name: each.blank for each in private},
        {each.name: each.left for each in private},
        tuple(each.name for each in found if not each.is_private),
    )


@cache
def private_fields(kind: type[Message]) -> tuple[_Field, ...]:
    """The fields of a class that are private, or hold records that have such fields."""
    return tuple(_fields(kind))


def _fields(kind: type[Message]) -> Iterator[_Field]:
    for each in fields(kind):
        if PRIVATE in getattr(each.type, "__metadata__", ()):
            yield _Field(each.name, True, _blank(each), UNSET if each.default is NODEFAULT else each.default)
        elif any(private_fields(record) for record in records_in(each.type)):
            yield _Field(each.name, False, None, None)


def records_in(hint: Any) -> Iterator[type[Message]]:
    """The classes of messages that a field of this type may hold."""
    if get_origin(hint) is Annotated:
        yield from records_in(get_args(hint)[0])
    elif get_origin(hint) in (Union, UnionType, tuple):
        for each in get_args(hint):
            yield from records_in(each)
    elif isinstance(hint, type) and issubclass(hint, Message):
        yield hint


def _blank(field: FieldInfo) -> Any:
    """The default of a field, and of one without a default the empty value of its type."""
    if field.default is not NODEFAULT:
        return field.default
    hint = get_args(field.type)[0]
    kind = get_origin(hint) or hint
    assert kind in (str, tuple), f"{field.name}: a private {kind} needs a default"  # noqa: S101 - written so
    return kind()
