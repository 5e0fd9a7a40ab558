"""Ends the step of a workflow once the stream has ended that it began.

Slack takes one end of a run: what is told twice, since an answer was lost, is refused and changes nothing.
"""

from collections.abc import Iterable
from functools import partial
from typing import Final

from bot.posts.rate_limits import COMPLETE, FAIL
from bot.posts.slack_calls import SlackCalls
from bot.posts.thread_statuses import Step, Told, Wish
from engine.kernel import Tenant

KIND: Final = "workflow_step"
RUN: Final = "run"
"""Takes the place of the channel among what is stored: a run belongs to none."""
ENDED: Final = "ended"

OF_THE_RUN: Final = frozenset(
    {
        *("execution_not_in_running_state", "function_execution_not_found", "parameter_validation_failed"),
        *("invalid_arguments", "invalid_args", "invalid_function_execution_id"),
    }
)


class WorkflowSteps:
    """A `Surface` (bot/posts/thread_statuses.py). Whatever follows the end of a stream, its step has ended."""

    kind = KIND
    of_the_place = OF_THE_RUN

    def __init__(self, calls: SlackCalls) -> None:
        self._calls = calls

    def together(self, statuses: Iterable[str]) -> str:
        return ENDED

    def next_step(self, tenant: Tenant, wish: Wish, told: Told | None, status: str) -> Step | None:
        if told is not None or wish.end is None:
            return None
        end = partial(self._calls.end_step, tenant, wish.end)
        return Step(FAIL if wish.end.is_error else COMPLETE, end, None, Told(status=status))

    def unsure(self, told: Told | None) -> Told | None:
        return told
