"""How a stream ends the step of a workflow that began it."""

from dataclasses import dataclass
from typing import Final

LONGEST_TEXT: Final = 3_000
"""Characters of what the next step of the workflow is given."""


@dataclass(frozen=True, slots=True)
class StepEnd:
    run: str
    """The run of the step, as Slack calls it."""
    text: str
    """What came of it, or why nothing did."""
    status: str = ""
    """How it ended, in a word for the workflow's branches; empty where the workflow cannot go on."""
    link: str = ""
    """Where the thread is; empty where that is not known."""

    @property
    def is_error(self) -> bool:
        return not self.status
