"""The envelopes as JSON Schemas (draft 2020-12), by the name of the file that holds each."""

import json
from typing import Any, Final

from engine.delivery.envelopes.payloads import PAYLOADS
from engine.workers.envelope_lines import Envelope, Strict

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, str]:
    """Return what each ``<name>.schema.json`` holds: the envelope, and each payload by its type."""
    shapes: dict[str, type[Strict]] = {"envelope": Envelope, **PAYLOADS}
    return {name: _written(name, shape.model_json_schema()) for name, shape in shapes.items()}


def _written(name: str, schema: dict[str, Any]) -> str:
    title = "".join(each.capitalize() for each in name.split("_"))
    return json.dumps({"$schema": DIALECT} | schema | {"title": title}, indent=2, ensure_ascii=False) + "\n"
