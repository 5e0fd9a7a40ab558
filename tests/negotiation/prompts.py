"""The prompts of a negotiation, read once for all tests."""

from typing import Final

from engine.files.prompts import load_prompts
from engine.negotiation.asks import RETURNS

PROMPTS: Final = load_prompts({"negotiation": RETURNS})
