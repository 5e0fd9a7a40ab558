"""The schemas of the answers, and the API's limits on schemas."""

from dataclasses import replace
from typing import Annotated, Any, cast

import jsonschema_rs
import pytest
from msgspec import defstruct
from pydantic import BaseModel, Field

from engine.errors import Misconfigured
from engine.kernel import ModelAnswer, plain
from engine.kernel.model_answer import OMITTABLE
from engine.llm.schema import Schema, answer_schema, check_answer_schemas, schema_faults
from engine.negotiation.answers import FeedbackAnswer, Understanding
from tests.anthropic_server.schemas import check
from tests.negotiation.prompts import PROMPTS

from .prompt_cases import GOOD


class Tree(ModelAnswer):
    name: str
    branches: tuple["Tree", ...] = ()


class Branch(BaseModel):
    branches: tuple["Branch", ...] = ()


class Forest(ModelAnswer):
    first: Branch


class Anything(ModelAnswer):
    what: Any


class Scores(ModelAnswer):
    by_name: dict[str, int]


class Leaf(ModelAnswer):
    title: str | None = None
    description: str | None = None
    default: str | None = None


def with_fields(name: str, *fields: tuple[str, Any] | tuple[str, Any, Any]) -> type[ModelAnswer]:
    made: Any = defstruct(name, fields, bases=(ModelAnswer,), frozen=True)
    return cast(type[ModelAnswer], made)


Wide = with_fields("Wide", *((f"f{number}", str | None, None) for number in range(17)))
Deep = with_fields("Deep", *((f"f{number}", Leaf) for number in range(6)))
Roomy = with_fields("Roomy", *((f"f{number}", str, "") for number in range(100)))


class Told(ModelAnswer):
    name: str
    when: Annotated[Leaf, OMITTABLE] = Leaf()
    note: Annotated[str, OMITTABLE] = ""


TEXT = {"type": "string"}


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS)
def test_the_schema_of_each_prompt_keeps_the_apis_limits(prompt: Any) -> None:
    schema = answer_schema(prompt.returns)
    check(dict(schema))
    good = prompt.returns.checked(GOOD[prompt.name.removeprefix("negotiation/")])
    jsonschema_rs.validate(dict(schema), plain(good))


def test_the_schema_says_nothing_that_was_written_for_programmers() -> None:
    assert answer_schema(FeedbackAnswer)["properties"]["concerns"] == {"type": "array", "items": {"type": "string"}}
    assert "description" not in answer_schema(Understanding)


def test_what_is_mostly_empty_may_be_left_out() -> None:
    schema = answer_schema(Told)
    assert schema["required"] == ["name"]
    assert schema["properties"]["note"] == TEXT
    assert schema["properties"]["when"] == {"$ref": "#/$defs/Leaf"}
    check(dict(schema))
    assert Told.checked({"name": "a"}) == Told(name="a")


def test_fields_may_be_called_like_keywords() -> None:
    schema = answer_schema(Leaf)
    assert list(schema["properties"]) == ["title", "description", "default"]
    check(dict(schema))


def test_limits_become_advice() -> None:
    class Bounded(ModelAnswer):
        share: Annotated[int, Field(ge=0, le=100, description="In percent.")]

    (share,) = answer_schema(Bounded)["properties"].values()
    assert share == {"type": "integer", "description": "In percent.\n\n{maximum: 100, minimum: 0}"}


def test_defaults_cost_nothing() -> None:
    assert len(answer_schema(Roomy)["required"]) == 100


@pytest.mark.parametrize(
    ("returns", "fault"),
    [
        pytest.param(Tree, "Tree contains itself", id="recursion"),
        pytest.param(Forest, "contains itself, by way of Branch", id="recursion further down"),
        pytest.param(Anything, "a field without a type", id="a field of any type"),
        pytest.param(Scores, "an object without named fields", id="a dictionary"),
        pytest.param(Wide, "17 fields of more than one type; the API takes 16", id="too many unions"),
        pytest.param(Deep, "18 fields of more than one type; the API takes 16", id="too many, six times three"),
    ],
)
def test_what_the_api_cannot_hold_a_model_to_is_found_at_the_start(returns: type[ModelAnswer], fault: str) -> None:
    with pytest.raises(Misconfigured, match=fault):
        answer_schema(returns)


@pytest.mark.parametrize(
    ("schema", "faults"),
    [
        pytest.param(closed(a=TEXT), [], id="a good one"),
        pytest.param(closed(a={**TEXT, "maxLength": 5}), ["uses 'maxLength', which the API refuses"], id="a length"),
        pytest.param({**closed(a=TEXT), "additionalProperties": True}, ["is open to other fields"], id="open"),
        pytest.param(
            {**closed(**{f"f{number}": TEXT for number in range(25)}), "required": []},
            ["has 25 optional fields; the API takes 24"],
            id="too much left out",
        ),
        pytest.param(
            closed(
                a={"type": "array", "items": closed(b={"type": "integer", "minimum": 0})},
                c={"anyOf": [{"type": "object"}, {"type": "null"}]},
            ),
            ["uses 'minimum', which the API refuses", "has an object without named fields"],
            id="two things at once, further down",
        ),
    ],
)
def test_every_limit_that_a_schema_breaks_is_named(schema: Schema, faults: list[str]) -> None:
    found = schema_faults(schema)
    assert len(found) == len(faults)
    assert all(expected in fault for fault, expected in zip(found, faults, strict=True))


def test_every_prompt_that_cannot_be_asked_is_named_at_once() -> None:
    broken = [replace(PROMPTS[f"negotiation/{name}"], returns=Tree) for name in ("understand", "filter")]
    with pytest.raises(Misconfigured) as misconfigured:
        check_answer_schemas([*PROMPTS.values(), *broken])
    assert [fault.split(":")[0] for fault in misconfigured.value.faults] == [
        "prompts/negotiation/understand.md",
        "prompts/negotiation/filter.md",
    ]
