"""Every fault of the wire that a call to a model meets, and what the ledger and people are told of it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.llm.ledger import Call, Outcome
from tests.anthropic_server import Drops, Garbled, Received, Refuses, Says, Stalls, Status, Step, Truncated

UNREACHED, LATE, UNREAD = "E003", "E004", "E013"


@dataclass(frozen=True)
class Fault:
    step: Step
    became: Outcome
    """What the ledger says of such a call."""
    why: str
    """What people are told where it does not pass."""
    tries: int = 3
    """Calls of one question, at most, while nobody is refused for the pace."""

    @property
    def is_final(self) -> bool:
        """Whether another try would not mend it, so that a question that has met it once is not answered."""
        return self.tries == 1


FAULTS: Final[Mapping[str, Fault]] = {
    "429 for a second": Fault(Status(429, retry_after="1"), Outcome.REFUSED, UNREACHED, tries=1_000),
    "429 for ten minutes": Fault(Status(429, retry_after="600"), Outcome.REFUSED, UNREACHED, tries=1_000),
    "529": Fault(Status(529), Outcome.REFUSED, UNREACHED),
    "500": Fault(Status(500), Outcome.REFUSED, UNREACHED),
    "a wrong key": Fault(Status(401), Outcome.REFUSED, UNREACHED, tries=1),
    "no connection": Fault(Drops("before"), Outcome.UNREACHABLE, UNREACHED),
    "reset in the middle": Fault(Drops("after"), Outcome.UNREACHABLE, UNREACHED),
    "a stall": Fault(Stalls(), Outcome.TIMEOUT, LATE),
    "a stall in the middle": Fault(Stalls("after"), Outcome.TIMEOUT, LATE),
    "half a body": Fault(Garbled(), Outcome.GARBLED, UNREACHED),
    "a page": Fault(Garbled("<html>Welcome to the hotel", "text/html"), Outcome.GARBLED, UNREACHED),
    "an empty body": Fault(Garbled(""), Outcome.GARBLED, UNREACHED),
    "no JSON": Fault(Says("Let me think {about: it"), Outcome.INVALID, UNREAD, tries=2),
    "a wrong schema": Fault(Says({"answer": [42]}), Outcome.INVALID, UNREAD, tries=2),
    "an empty answer": Fault(Says(""), Outcome.INVALID, UNREAD, tries=2),
    "a refusal": Fault(Refuses(), Outcome.STOPPED, UNREAD, tries=1),
    "max_tokens": Fault(Truncated('{"surface_demand": "A mee'), Outcome.STOPPED, UNREAD, tries=1),
}
SECRETS: Final = ("Traceback", "hotel", "429", "529", "401", "API", "JSON")
"""What people are never shown of a fault."""


def each_with_each(prompts: Sequence[str]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return each prompt with each fault; and of those, each prompt and each fault once."""
    every = [(prompt, name) for prompt in prompts for name in FAULTS]
    return every, [(prompts[number % len(prompts)], name) for number, name in enumerate(FAULTS)]


def lasting(
    fault: Fault, prompt: str, prompt_of: Callable[[Received], str], well: Callable[[Received], Step]
) -> Callable[[Received], Step]:
    """Answer well, but for one prompt, which meets the fault whenever it is asked."""
    return lambda received: fault.step if prompt_of(received) == prompt else well(received)


def passing(
    fault: Fault, prompt: str, prompt_of: Callable[[Received], str], well: Callable[[Received], Step]
) -> Callable[[Received], Step]:
    """Answer well, but for the first call of one prompt."""
    met: list[Received] = []

    def answering(received: Received) -> Step:
        if prompt_of(received) != prompt or met:
            return well(received)
        met.append(received)
        return fault.step

    return answering


def name_of(call: Call) -> str:
    return call.prompt.partition("/")[2]


def assert_is_counted(
    calls: Sequence[Call],
    requests: Sequence[Received],
    prompt_of: Callable[[Received], str],
    prompt: str,
    fault: Fault,
    *,
    nobody_waits: bool = False,
) -> None:
    """Every call on the wire is a row with what became of it, and nothing but the one prompt has failed.

    Where nobody waits for that prompt's answer, what goes on without it may take the question back.
    """
    assert Counter(map(name_of, calls)) == Counter(map(prompt_of, requests))
    failed = [each for each in calls if each.outcome is not Outcome.ANSWERED]
    assert {name_of(each) for each in failed} == {prompt}
    assert {each.outcome for each in failed} <= {fault.became, *([Outcome.CANCELLED] if nobody_waits else [])}
    if fault.tries < 3:
        assert max(each.attempt for each in failed) <= fault.tries
