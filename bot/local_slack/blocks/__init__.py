"""Block Kit as Slack holds it: what is allowed, what it adds, what a person can do with it."""

from .check import NEWER, block_problems, view_problems
from .inputs import (
    STATEFUL,
    Values,
    elements,
    entered,
    filled,
    find_element,
    initial_values,
    input_problems,
    visible_blocks,
)

__all__ = [
    "NEWER",
    "STATEFUL",
    "Values",
    "block_problems",
    "elements",
    "entered",
    "filled",
    "find_element",
    "initial_values",
    "input_problems",
    "view_problems",
    "visible_blocks",
]
