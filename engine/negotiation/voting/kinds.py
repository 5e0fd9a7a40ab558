"""The kinds of vote, and what each of them means: one row a kind. Whoever wants to know asks the row, not the kind."""

from enum import StrEnum


class FeedbackType(StrEnum):
    ACCEPT = "accept"
    NEGOTIATE = "negotiate"
    REJECT = "reject"
    WITHDRAW = "withdraw"
