"""Finds prompts/ and profiles/: beside the code in a checkout, inside the package in an installed wheel."""

from pathlib import Path
from typing import Literal

from engine.errors import Misconfigured

PACKAGE = Path(__file__).parents[1]


def folder(name: Literal["prompts", "profiles"], package: Path = PACKAGE) -> Path:
    """The folder of that name that came with the code.

    Raises:
        Misconfigured: it is in neither place.

    Source: pyproject.toml, ``tool.hatch.build.targets.wheel.force-include``.
    """
    places = (package / "_files" / name, package.parent / name)
    for place in places:
        if place.is_dir():
            return place
    raise Misconfigured([f"The folder {name!r} is neither at {places[0]} nor at {places[1]}."])
