"""The prompts of a deliberation, read once for all tests."""

from typing import Final

from engine.deliberation.asks import RETURNS
from engine.files.prompts import load_prompts

PROMPTS: Final = load_prompts({"deliberation": RETURNS})
