"""The prompts of a delivery that come with ToWow, by name."""

from collections.abc import Mapping
from typing import Final

from engine.delivery.asks import RETURNS
from engine.files.prompts import load_prompts
from engine.llm.port import Prompt

PROMPTS: Final[Mapping[str, Prompt]] = load_prompts({"delivery": RETURNS})
