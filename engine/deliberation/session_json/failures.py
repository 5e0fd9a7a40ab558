"""What went wrong in a session, and what was done about it (seed 001, section 7)."""

from collections.abc import Iterator, Mapping
from typing import Final, get_args

from engine.deliberation.envelopes.failures import (
    AgentFailed,
    AgentTimeout,
    ContentWithheld,
    Failure,
    MaxRoundsReached,
    ToolExecutionFailed,
)
from engine.deliberation.envelopes.fields import LONGEST_LIST, AgentId, ToolName
from engine.deliberation.session_json import bounds
from engine.deliberation.state import Deliberation
from engine.deliberation.terms import Agent, Error, Reason
from engine.deliberation.wording import language
from engine.facts.language import Language

MOST_FAILURES: Final = 2 * LONGEST_LIST

Words = Mapping[Language, str]

LAST_OUTPUT: Final[Words] = {"en": "Its output of the last round stands.", "zh": "使用上一轮输出"}
KEYWORDS: Final[Words] = {"en": "Decided by rules (keyword matching).", "zh": "使用规则判断（关键词匹配）"}
WITHOUT_TOOL: Final[Words] = {"en": "Went on without it.", "zh": "未使用该工具，继续进行"}
WITHHELD: Final[Words] = {"en": "That part is not shown.", "zh": "该部分内容不予显示"}
DIVERGENT: Final[Words] = {"en": "Write the divergent version of the conclusion.", "zh": "输出分歧版结论"}

_TOOLS: Final[Mapping[str, ToolName]] = {each: each for each in get_args(ToolName)}
_AGENTS: Final[Mapping[str, AgentId]] = {each.value: each for each in get_args(AgentId)}


def failures_of(state: Deliberation) -> tuple[Failure, ...]:
    """All that failed, oldest first; last, that the rounds were used up."""
    spoken = language(state)
    found = [failure for each in state.errors if (failure := _failure(each, spoken))]
    return (*found, *_used_up(state, spoken))[-MOST_FAILURES:]


def _used_up(state: Deliberation, spoken: Language) -> Iterator[MaxRoundsReached]:
    if Reason.MAX_ROUNDS in (state.reason, state.closing.reason if state.closing else None):
        yield MaxRoundsReached(
            status="max_rounds_reached", action="force_summary", reporter_instruction=DIVERGENT[spoken]
        )


def _failure(error: Error, spoken: Language) -> Failure | None:
    """None for a tool that the protocol does not know."""
    number = bounds.round_number(error.round)
    agent = _AGENTS.get(error.agent, Agent.HOST)
    match error.error:
        case "agent_timeout":
            return AgentTimeout(
                error="agent_timeout", agent=agent, round=number, action="skip_agent", fallback=LAST_OUTPUT[spoken]
            )
        case "agent_failed":
            return AgentFailed(
                error="agent_failed", agent=agent, round=number, action="skip_agent", fallback=LAST_OUTPUT[spoken]
            )
        case "content_withheld":
            return ContentWithheld(
                error="content_withheld", agent=agent, round=number, action="withhold_content",
                fallback=WITHHELD[spoken],
            )  # fmt: skip
        case "tool_execution_failed":
            tool = _TOOLS.get(error.tool)
            fallback = KEYWORDS if tool == "compare_positions" else WITHOUT_TOOL
            return tool and ToolExecutionFailed(
                error="tool_execution_failed", tool=tool, fallback=fallback[spoken], round=number
            )
