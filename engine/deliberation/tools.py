"""What the Planner and the Critic may call before they answer. The moment and the time zone are the session's."""

from typing import Any

from engine.deliberation.state import Deliberation
from engine.llm.time_tools import time_tools
from engine.llm.tools import Tool


def tools_for(state: Deliberation) -> tuple[Tool[Any], ...]:
    """Now is when something last happened in the session, so that the same question is told the same."""
    return time_tools(state.brief.time_zone or "UTC", state.updated_at)
