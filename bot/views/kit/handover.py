"""The buttons by which another protocol goes on from what a stream has agreed on. Each carries the stream."""

from typing import Final

PLAN_IT: Final = "handover.plan"
