"""The manifest of the Slack app. It is beside the code in a checkout, and in the package once installed."""

from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

PACKAGE: Final = Path(__file__).parents[1]


@cache
def manifest() -> dict[str, Any]:
    places = (PACKAGE / "manifest.yml", PACKAGE.parent / "manifest.yml")
    found = next(place for place in places if place.is_file())
    read: dict[str, Any] = yaml.safe_load(found.read_text("utf-8"))
    return read
