"""JSON schemas as the API reads them: which it refuses, and an answer to any that it takes."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

Schema = Mapping[str, Any]

ANYWHERE: Final = frozenset(
    {"type", "description", "title", "default", "enum", "const", "anyOf", "allOf", "$ref", "$defs"}
)
BY_TYPE: Final[Mapping[str, frozenset[str]]] = {
    "object": frozenset({"properties", "required", "additionalProperties"}),
    "array": frozenset({"items", "minItems"}),
    "string": frozenset({"format"}),
    "integer": frozenset(),
    "number": frozenset(),
    "boolean": frozenset(),
    "null": frozenset(),
}
FORMATS: Final = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
)
OPTIONAL, UNIONS = 24, 16


class BadSchema(Exception):
    """In the API's tone."""


def check(schema: Schema) -> None:
    """
    Raises:
        BadSchema: the first reason why the API would refuse it.
    """
    if schema.get("type") != "object" and "$ref" not in schema:
        raise BadSchema("The schema's root must be an object.")
    for node in _walk(schema, schema, ()):
        _check_node(node)
    optional, unions = counts(schema)
    if optional > OPTIONAL:
        raise BadSchema(f"Schemas contains too many optional parameters ({optional}); the limit is {OPTIONAL}.")
    if unions > UNIONS:
        raise BadSchema(f"Schemas contains too many parameters with union types ({unions}); the limit is {UNIONS}.")


def counts(schema: Schema) -> tuple[int, int]:
    """How many optional parameters there are, and how many with union types."""
    nodes = [*_walk(schema, schema, ())]
    optional = sum(len(set(each.get("properties", ())) - set(each.get("required", ()))) for each in nodes)
    return optional, sum("anyOf" in each or isinstance(each.get("type"), list) for each in nodes)


def _check_node(node: Schema) -> None:
    types = node.get("type", [])
    types = [types] if isinstance(types, str) else types
    allowed = ANYWHERE.union(*(BY_TYPE.get(each, frozenset()) for each in types))
    if strangers := sorted(node.keys() - allowed):
        kind = types[0] if types else "any"
        raise BadSchema(f"For '{kind}' type, property '{strangers[0]}' is not supported.")
    if not (types or {"enum", "const", "anyOf", "allOf", "$ref"} & node.keys()):
        raise BadSchema("Schema must have a type.")
    if "object" in types and node.get("additionalProperties") is not False:
        raise BadSchema("For 'object' type, 'additionalProperties' must be explicitly set to false.")
    if node.get("minItems", 0) not in (0, 1):
        raise BadSchema("For 'array' type, 'minItems' values other than 0 or 1 are not supported.")
    if node.get("format", "date") not in FORMATS:
        raise BadSchema(f"String format '{node['format']}' is not supported.")
    if strangers := sorted(set(node.get("required", ())) - set(node.get("properties", ()))):
        raise BadSchema(f"'{strangers[0]}' is required but not among the properties.")


def _walk(node: Schema, root: Schema, through: tuple[str, ...]) -> Iterator[Schema]:
    yield node
    if "$ref" in node:
        if node["$ref"] in through:
            raise BadSchema("Recursive schemas are not supported.")
        yield from _walk(_referred(node, root), root, (*through, node["$ref"]))
    for keyword in ("anyOf", "allOf"):
        for each in node.get(keyword, ()):
            yield from _walk(each, root, through)
    for each in node.get("properties", {}).values():
        yield from _walk(each, root, through)
    if "items" in node:
        yield from _walk(node["items"], root, through)


def _referred(node: Schema, root: Schema) -> Schema:
    name = str(node["$ref"]).removeprefix("#/$defs/")
    try:
        found: Schema = root["$defs"][name]
    except KeyError:
        raise BadSchema(f"'{node['$ref']}' refers to nothing.") from None
    return found


def example(schema: Schema, items: int = 1, root: Schema | None = None, name: str = "answer") -> Any:
    """The plainest value that fits: the first of every choice, ``items`` in every list, all that may be there."""
    root = root or schema
    if "$ref" in schema:
        return example(_referred(schema, root), items, root, name)
    for keyword in ("anyOf", "allOf"):
        if keyword in schema:
            return example(schema[keyword][0], items, root, name)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    match schema["type"]:
        case "object":
            return {key: example(each, items, root, key) for key, each in schema.get("properties", {}).items()}
        case "array":
            return [example(schema["items"], items, root, name) for _ in range(items)]
        case "string":
            return f"some {name}"
        case "boolean":
            return True
        case "null":
            return None
        case _:
            return 1
