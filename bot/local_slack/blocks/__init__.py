"""Block Kit as Slack holds it: what is allowed, what it adds, what a person can do with it."""

from .check import NEWER, block_problems, view_problems
from .fill import filled
from .inputs import STATEFUL, Values, entered, initial_values, input_problems
from .traversal import elements, find_element, visible_blocks

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
