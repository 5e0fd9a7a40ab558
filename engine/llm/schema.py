"""Makes the JSON schemas that a model's answers and calls of tools must follow, and checks the API's limits on them.

The schema requires every field, so that a model leaves none out, but for those that are marked `OMITTABLE`; the
answer's class, which stays lenient, validates what comes back.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from anthropic import transform_schema

from engine.errors import Misconfigured
from engine.kernel import ModelAnswer
from engine.kernel.model_answer import LEFT_OUT
from engine.llm.port import Prompt

Schema = Mapping[str, Any]

MOST_OPTIONAL: Final = 24
MOST_UNIONS: Final = 16
MOST_STRICT_TOOLS: Final = 20
REFUSED_KEYWORDS: Final = frozenset(
    {
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
        "maxItems", "uniqueItems", "minProperties", "maxProperties", "patternProperties", "oneOf", "not",
    }
)  # fmt: skip
"""Keywords the API does not take. `transform_schema` moves them into descriptions."""


def check_answer_schemas(prompts: Iterable[Prompt]) -> None:
    """Check that every prompt's answer has a schema that the API takes."""
    faults: list[str] = []
    for prompt in prompts:
        try:
            answer_schema(prompt.returns)
        except Misconfigured as error:
            faults += [f"prompts/{prompt.name}.md: {fault}" for fault in error.faults]
    if faults:
        raise Misconfigured(faults)


@cache
def answer_schema(returns: type[ModelAnswer]) -> Schema:
    """What goes into ``output_config.format.schema``."""
    name = returns.__name__
    try:
        schema = transform_schema(_all_required(returns.json_schema()))
    except ValueError as error:  # a field of any type at all
        raise Misconfigured([f"{name} has a field without a type: {error}"]) from error
    except RecursionError:
        raise Misconfigured([f"{name} contains itself; a model cannot be held to that"]) from None
    if faults := [f"{name} {fault}" for fault in schema_faults(schema)]:
        raise Misconfigured(faults)
    return schema


def tool_schema(takes: type[ModelAnswer]) -> Schema:
    """What goes into a tool's ``input_schema``: an answer's schema, but it may have no fields at all."""
    if not takes.__struct_fields__:
        return {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    return answer_schema(takes)


def can_be_strict(answer: Schema, tools: Sequence[Schema]) -> bool:
    """Whether the API can hold a model to the tools' schemas as well: its limits hold for all of them together.

    Source: https://platform.claude.com/docs/en/build-with-claude/structured-outputs
    """
    counts = [_counts(_every_node(each)) for each in (answer, *tools)]
    optional, unions = (sum(each) for each in zip(*counts, strict=True))
    return optional <= MOST_OPTIONAL and unions <= MOST_UNIONS and len(tools) <= MOST_STRICT_TOOLS


def _all_required(node: Schema) -> dict[str, Any]:
    """A copy in which every property is required that is not marked.

    Titles, defaults and docstrings go: they were written for programmers, and what each field means is said in the
    prompt.
    """
    kept: dict[str, Any] = {}
    for keyword, value in node.items():
        match keyword:
            case "title" | "default":
                continue
            case _ if keyword == LEFT_OUT:
                continue
            case "description" if "properties" in node or "enum" in node:
                continue
            case "$defs" | "properties":
                kept[keyword] = {name: _all_required(each) for name, each in value.items()}
            case "items":
                kept[keyword] = _all_required(value)
            case "anyOf" | "oneOf" | "allOf":
                kept[keyword] = [_all_required(each) for each in value]
            case _:
                kept[keyword] = value
    if "properties" in kept:
        properties = node["properties"]
        kept["required"] = [name for name in properties if LEFT_OUT not in properties[name]]
    return kept


def schema_faults(schema: Schema) -> list[str]:
    """The API's limits that the schema breaks. A definition that is used in two places counts twice."""
    try:
        nodes = _every_node(schema)
    except _Recursive as error:
        return [f"contains itself, by way of {error}; a model cannot be held to that"]
    faults = [
        f"uses {word!r}, which the API refuses"
        for word in sorted({key for node in nodes for key in node} & REFUSED_KEYWORDS)
    ]
    if any(node.get("type") == "object" and not node.get("properties") for node in nodes):
        faults.append("has an object without named fields, into which a model could write nothing")
    if any("properties" in node and node.get("additionalProperties") is not False for node in nodes):
        faults.append("has an object that is open to other fields")
    optional, unions = _counts(nodes)
    if optional > MOST_OPTIONAL:
        faults.append(f"has {optional} optional fields; the API takes {MOST_OPTIONAL}")
    if unions > MOST_UNIONS:
        faults.append(f"has {unions} fields of more than one type; the API takes {MOST_UNIONS}")
    return faults


def _counts(nodes: Sequence[Schema]) -> tuple[int, int]:
    """How many fields are optional, and how many may be of several types."""
    optional = sum(len(node["properties"]) - len(node.get("required", ())) for node in nodes if "properties" in node)
    return optional, sum("anyOf" in node or isinstance(node.get("type"), list) for node in nodes)


def _every_node(schema: Schema) -> list[Schema]:
    """Return all nodes of a schema, with its references resolved."""
    return list(_nodes(schema, schema.get("$defs", {}), ()))


class _Recursive(Exception):
    """A class contains itself; the message is its name."""


def _nodes(node: Schema, definitions: Mapping[str, Schema], inside: tuple[str, ...]) -> Iterator[Schema]:
    """Every schema within, references followed."""
    yield node
    if "$ref" in node:
        name = str(node["$ref"]).removeprefix("#/$defs/")
        if name in inside:
            raise _Recursive(name)
        yield from _nodes(definitions[name], definitions, (*inside, name))
    within = [*node.get("properties", {}).values(), *node.get("anyOf", ()), *node.get("allOf", ())]
    if "items" in node:
        within.append(node["items"])
    for each in within:
        yield from _nodes(each, definitions, inside)
