"""Values that a JSON Schema of the envelopes allows, drawn by hypothesis.

A schema cannot say what must fit together (a matrix, a weekday, the rounds of a session): `FITTING` does, by the name
of the class.
"""

import itertools
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any, Final

from hypothesis import strategies as st

from engine.deliberation.envelopes.fields import WEEKDAYS

Schema = Mapping[str, Any]
Values = st.SearchStrategy[Any]
DAYS: Final = st.dates().map(date.isoformat)
TIMES: Final = st.datetimes(timezones=st.just(UTC)).map(lambda at: at.isoformat().replace("+00:00", "Z"))


def values(schema: Schema) -> Values:
    return _of(schema, schema.get("$defs", {}))


def _of(schema: Schema, defs: Schema) -> Values:
    match schema:
        case {"$ref": str(ref)}:
            name = ref.rpartition("/")[2]
            if name == "JsonValue":
                return _JSON
            return st.deferred(lambda: _of(defs[name], defs))
        case {"const": value}:
            return st.just(value)
        case {"enum": list(allowed)}:
            return st.sampled_from(allowed)
        case {"anyOf": list(ways)} | {"oneOf": list(ways)}:
            return st.one_of(*(_of(each, defs) for each in ways))
        case {"type": "object", "properties": _}:
            return _fitted(schema["title"], _object(schema, defs))
        case {"type": "object", "additionalProperties": inside}:
            return st.dictionaries(st.text(max_size=5), _of(inside, defs), max_size=3)
        case {"type": "array", "prefixItems": list(each)}:
            return st.tuples(*(_of(one, defs) for one in each)).map(list)
        case {"type": "array", "items": items}:
            least = schema.get("minItems", 0)
            return st.lists(_of(items, defs), min_size=least, max_size=max(least, 2))
        case _:
            return _SCALARS[schema["type"]](schema)


def _object(schema: Schema, defs: Schema) -> Values:
    """Every required field, and any of the others that is not empty: an empty one is not written again."""
    properties, required = schema["properties"], {*schema.get("required", ())}
    return st.fixed_dictionaries(
        {name: _of(properties[name], defs) for name in properties if name in required},
        optional={
            name: _of(_without_null(properties[name]), defs).filter(_says_something)
            for name in properties
            if name not in required
        },
    )


def _says_something(value: Any) -> bool:
    return bool(value)


def _without_null(schema: Schema) -> Schema:
    return {"anyOf": [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]}


def _text(schema: Schema) -> Values:
    match schema:
        case {"format": "date"}:
            return DAYS
        case {"format": "date-time"}:
            return TIMES
        case {"pattern": str(pattern)} if "}T(" in pattern:
            return st.datetimes().map(datetime.isoformat)  # a local time, for which there is no format
        case {"pattern": str(pattern)}:
            return st.from_regex(pattern, fullmatch=True).filter(lambda text: len(text) <= 64)
        case _:
            return st.text(max_size=12)


_SCALARS: Final[Mapping[str, Callable[[Schema], Values]]] = {
    "string": _text,
    "integer": lambda schema: st.integers(schema.get("minimum"), schema.get("maximum")),
    "number": lambda schema: st.floats(
        schema.get("minimum"), schema.get("maximum"), allow_nan=False, allow_infinity=False
    ),
    "boolean": lambda _: st.booleans(),
    "null": lambda _: st.none(),
}
_JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inside: st.lists(inside, max_size=2) | st.dictionaries(st.text(max_size=5), inside, max_size=2),
    max_leaves=5,
)


def _fitted(name: str, drawn: Values) -> Values:
    return FITTING[name](drawn) if name in FITTING else drawn


@st.composite
def _matrices(draw: st.DrawFn) -> list[list[float]]:
    size = draw(st.integers(2, 4))
    rows = [[1.0] * size for _ in range(size)]
    for i, j in itertools.combinations(range(size), 2):
        rows[i][j] = rows[j][i] = draw(st.floats(0, 1))
    return rows


def _with_matrix(analysis: dict[str, Any], rows: list[list[float]]) -> dict[str, Any]:
    pair = min(itertools.combinations(range(len(rows)), 2), key=lambda each: rows[each[0]][each[1]])
    return analysis | {"similarity_matrix": rows, "most_different_pair": list(pair)}


def _compared(comparison: dict[str, Any], rows: list[list[float]]) -> dict[str, Any]:
    pairs = [rows[i][j] for i, j in itertools.combinations(range(len(rows)), 2)]
    told = {"mean_similarity": round(sum(pairs) / len(pairs), 2), "most_different_similarity": min(pairs)}
    return _with_matrix(comparison, rows) | told | {"embeddings": comparison["embeddings"][:1] * len(rows)}


def _weekday(day: str) -> str:
    return WEEKDAYS[date.fromisoformat(day).weekday()]


def _at(now: dict[str, Any], at: datetime) -> dict[str, Any]:
    day = at.date().isoformat()
    return now | {"now": at.isoformat(), "date": day, "weekday": _weekday(day)}


def _session(state: dict[str, Any]) -> dict[str, Any]:
    for agent, is_at in state["agents"].items():
        if is_at["last_output"] and is_at["last_output"]["agent_id"] != agent:
            is_at["last_output"] = None
    for number, each in enumerate(state["history"], 1):
        each["round"] = number
        for output in each["outputs"]:
            _in_round(output, number)
    times = sorted((state["created_at"], state["updated_at"]), key=datetime.fromisoformat)
    return state | {"current_round": 5, "max_rounds": 5, "created_at": times[0], "updated_at": times[1]}


def _in_round(output: dict[str, Any], number: int) -> dict[str, Any]:
    output["round"] = number
    if "critique" in output["metadata"]:
        output["metadata"]["critique"]["target_round"] = number
    return output


FITTING: Final[Mapping[str, Callable[[Values], Values]]] = {
    "HostAnalysis": lambda drawn: st.builds(_with_matrix, drawn, _matrices()),
    "Comparison": lambda drawn: st.builds(_compared, drawn, _matrices()),
    "Now": lambda drawn: st.builds(_at, drawn, st.datetimes()),
    "CalculatedDate": lambda drawn: drawn.map(lambda found: found | {"weekday": _weekday(found["result_date"])}),
    "CriticOutput": lambda drawn: drawn.map(lambda output: _in_round(output, output["round"])),
    "SessionState": lambda drawn: drawn.map(_session),
}
