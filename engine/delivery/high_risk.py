"""Whether what is said of a task says that its risk is high (seed 002, section 6): then it is discussed first."""

import re
from typing import Final

from engine.delivery.terms import Task

_SAID: Final = re.compile(
    r"\b(?:high|critical|severe)[ -]risks?\b|\birreversibl[ey]\b|\b(?:can ?not|can't|can never) be undone\b"
    r"|高风险|高危|不可逆|无法撤销|不可撤销|无法挽回",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(r"(?:\b(?:no|not|not a|without|without any|never)|没有|不是|并非|无|非)\s*$", re.IGNORECASE)


def is_high(task: Task) -> bool:
    """Whether its risks or expected outputs say so; ``not high-risk`` does not."""
    texts = (*task.risks, *(each.label for each in task.outputs))
    return any(not _DENIED.search(text[: found.start()]) for text in texts for found in _SAID.finditer(text))
