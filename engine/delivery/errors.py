"""What a delivery refuses, besides the general refusals of `engine.errors`.

Refusal
├── InvalidInput
│   ├── InvalidBrief        E001  400  nothing to carry out, too long
│   ├── InvalidPlan         E001  400  a cycle, an unknown task, two tasks of one name, too many
│   │   └── ChecksOwnWork   E001  400  whoever does a ticket, or showed it, is to check it
│   ├── InvalidText         E001  400  a text without words, or too long
│   └── InvalidEvidence     E001  400  nothing shown for an expected output, or something that cannot be looked at
├── UnknownTicket           E007  404
└── NotAllowed
    └── NamedForApproval    E012  403  the ticket names somebody else, who alone approves it
"""

from engine.errors import InvalidInput, NotAllowed, Refusal


class InvalidBrief(InvalidInput):
    pass


class InvalidPlan(InvalidInput):
    pass


class ChecksOwnWork(InvalidPlan):
    pass


class InvalidText(InvalidInput):
    pass


class InvalidEvidence(InvalidInput):
    pass


class UnknownTicket(Refusal):
    code = "E007"
    http_status = 404


class NamedForApproval(NotAllowed):
    pass


REFUSALS: tuple[type[Refusal], ...] = (
    InvalidBrief,
    InvalidPlan,
    ChecksOwnWork,
    InvalidText,
    InvalidEvidence,
    UnknownTicket,
    NamedForApproval,
)
