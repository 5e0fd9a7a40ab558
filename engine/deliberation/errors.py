"""What a deliberation refuses, besides the general refusals of `engine.errors`.

Refusal
├── InvalidInput
│   ├── InvalidBrief        E001  400  nothing to plan, too long, or two facts of one name
│   └── InvalidPoint        E001  400  an objection or a question without words, or too long
└── IllegalStep
    └── CarriedOut          E010  409  arguing on about a plan that is being carried out
"""

from engine.errors import IllegalStep, InvalidInput, Refusal


class InvalidBrief(InvalidInput):
    pass


class InvalidPoint(InvalidInput):
    pass


class CarriedOut(IllegalStep):
    """The plan is being carried out: its people work by it."""


REFUSALS: tuple[type[Refusal], ...] = (InvalidBrief, InvalidPoint, CarriedOut)
