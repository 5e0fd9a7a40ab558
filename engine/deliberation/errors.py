"""What a deliberation refuses, besides the general refusals of `engine.errors`.

Refusal
└── InvalidInput
    ├── InvalidBrief        E001  400  nothing to plan, too long, or two facts of one name
    └── InvalidPoint        E001  400  an objection or a question without words, or too long
"""

from engine.errors import InvalidInput, Refusal


class InvalidBrief(InvalidInput):
    pass


class InvalidPoint(InvalidInput):
    pass


REFUSALS: tuple[type[Refusal], ...] = (InvalidBrief, InvalidPoint)
