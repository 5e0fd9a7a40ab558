"""Takes the patterns of the grammar from grammar.yaml; each is compiled when it is first needed."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from engine.files.yaml_locations import read_yaml

FILE: Final = Path(__file__).with_name("grammar.yaml")
NUMBER_EN: Final = (
    r"(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?|a dozen|(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ]"
    r"(?:one|two|three|four|five|six|seven|eight|nine))?|hundred|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)\b)"
)
NUMBER_ZH: Final = r"(?:\d+(?:\.\d+)?|[零〇一二两三四五六七八九十百千]+)"


@cache
def _all() -> Mapping[str, str | Sequence[str]]:
    return read_yaml(FILE, FILE.read_text("utf-8")).data


@cache
def rules(name: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of that name, in their order."""
    said = _all()[name]
    return tuple(
        re.compile(each.replace("<EN>", NUMBER_EN).replace("<ZH>", NUMBER_ZH), re.IGNORECASE)
        for each in ([said] if isinstance(said, str) else said)
    )


def rule(name: str) -> re.Pattern[str]:
    return rules(name)[0]


@cache
def listed(name: str) -> tuple[str, ...]:
    """Return the words of that name, in their order."""
    return tuple(str(_all()[name]).split())


@cache
def words(name: str) -> frozenset[str]:
    return frozenset(listed(name))
