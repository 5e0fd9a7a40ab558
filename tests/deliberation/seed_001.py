"""Every example of seed 001, by its section, as it stands there: with its comments and its gaps (``...``).

Where the seed has miscounted, the example is right here, and the comment before it says what the seed says. `SLIPS`
lists these again, so that the tests can put the seed's own back.
"""

import json
import re
from typing import Any, Final, NamedTuple

TEXTS: Final = {
    "2.1": """
{
  "agent_id": "string",           // Agent标识: "host" | "planner" | "critic" | "reporter"
  "round": 1,                      // 当前轮次
  "output_type": "string",         // 输出类型: "position" | "plan" | "critique" | "report" | "control"
  "content": "string",             // 主要输出内容（用户可见）
  "metadata": {},                  // 元数据（结构化信息）
  "timestamp": "2025-12-04T10:00:00Z"
}
""",
    "2.2": """
{
  "agent_id": "planner",
  "round": 1,
  "output_type": "plan",
  "content": "我建议将IELTS备考分为3个阶段...",
  "metadata": {
    "position": {
      "conclusion": "采用3个月阶段式备考方案",
      "key_reasons": [
        "基础词汇积累需要6周",
        "听说读写需要并行训练",
        "最后4周密集模考"
      ],
      "assumptions": [
        "每天至少投入2小时",
        "有基础英语能力（CET-4水平）"
      ],
      "confidence": 0.85
    },
    "plan": {
      "title": "3个月IELTS备考计划",
      "goal": "达到总分7.0",
      "phases": [
        {
          "phase_name": "阶段1：基础强化",
          "duration": "6周",
          "tasks": [
            {
              "title": "词汇积累",
              "estimated_hours": 42,
              // The seed says 2025-01-15, eleven months before its timestamp. Six weeks after that is 2026-01-15.
              "deadline": "2026-01-15",
              "tags": ["vocabulary", "foundation"]
            }
          ]
        }
      ],
      "total_estimated_hours": 180
    }
  },
  "timestamp": "2025-12-04T10:00:00Z"
}
""",
    "2.3": """
{
  "agent_id": "critic",
  "round": 1,
  "output_type": "critique",
  "content": "该计划存在以下问题...",
  "metadata": {
    "position": {
      "conclusion": "计划整体可行但需调整时间分配",
      "key_reasons": [
        "写作训练时间不足",
        "模考频率过低",
        "缺少口语陪练计划"
      ],
      "assumptions": [
        "用户能保持每天2小时学习",
        "用户有自律性"
      ],
      "confidence": 0.78
    },
    "critique": {
      "target_agent": "planner",
      "target_round": 1,
      "risks": [
        {
          "risk": "写作能力提升缓慢",
          "severity": "high",
          "impact": "可能导致写作单项低于6.5"
        }
      ],
      "suggestions": [
        {
          "issue": "写作训练不足",
          "solution": "增加每周2篇限时写作",
          "priority": "high"
        }
      ],
      "validity_check": {
        "feasible": true,
        "realistic": true,
        "complete": false
      }
    }
  },
  "timestamp": "2025-12-04T10:05:00Z"
}
""",
    "2.4": """
{
  "agent_id": "host",
  "round": 2,
  "output_type": "control",
  "content": "检测到高度共识，进入收敛阶段...",
  "metadata": {
    "decision": {
      "action": "string",  // "continue" | "converge" | "force_opposition" | "terminate"
      "reason": "相似度达到0.92，进入收敛",
      "next_agents": ["planner", "critic"],  // 下一轮发言的Agent
      "constraints": {
        "must_address": ["写作训练时间", "模考频率"],
        "avoid": ["重复之前的论点"]
      }
    },
    "analysis": {
      "consensus_level": 0.92,
      "similarity_matrix": [
        [1.0, 0.92, 0.88],
        [0.92, 1.0, 0.89],
        [0.88, 0.89, 1.0]
      ],
      "most_different_pair": [0, 2],
      "stubborn_agents": []
    }
  },
  "timestamp": "2025-12-04T10:10:00Z"
}
""",
    "2.5": """
{
  "agent_id": "reporter",
  "round": 3,
  "output_type": "report",
  "content": "# IELTS 3个月备考计划\\n\\n经过多轮讨论...",
  "metadata": {
    "final_plan": {
      "title": "IELTS 3个月备考计划（优化版）",
      "goal": "达到总分7.0",
      "consensus_level": "high",
      "participating_agents": ["planner", "critic"],
      "rounds": 3,
      "plan": {
        "phases": [...],
        "total_estimated_hours": 200
      }
    },
    "summary": {
      "key_agreements": [
        "3个月阶段式训练",
        "每周2次限时写作",
        "最后4周密集模考"
      ],
      "resolved_concerns": [
        "写作训练不足 -> 已增加专项训练",
        "模考频率低 -> 调整为每周1次"
      ],
      "remaining_uncertainties": [
        "用户实际可用时间可能不足2小时/天"
      ]
    }
  },
  "timestamp": "2025-12-04T10:15:00Z"
}
""",
    "3.1 in": """
{
  "tool": "compare_positions",
  "texts": [
    "Agent A: 结论 + 关键理由...",
    "Agent B: 结论 + 关键理由...",
    "Agent C: 结论 + 关键理由..."
  ]
}
""",
    "3.1 out": """
{
  "success": true,
  "data": {
    "embeddings": [
      [0.12, 0.34, ...],  // 768维向量
      [0.15, 0.32, ...],
      [0.11, 0.36, ...]
    ],
    "similarity_matrix": [
      [1.0, 0.92, 0.88],
      [0.92, 1.0, 0.81],
      [0.88, 0.81, 1.0]
    ],
    "mean_similarity": 0.87,
    "most_different_pair": [1, 2],
    "most_different_similarity": 0.81
  }
}
""",
    "3.2 in": """
{
  "tool": "get_now"
}
""",
    "3.2 out": """
{
  "success": true,
  "data": {
    "now": "2025-12-04T10:00:00",
    "timezone": "Asia/Shanghai",
    // The seed says Wednesday. 2025-12-04 is a Thursday.
    "weekday": "Thursday",
    "date": "2025-12-04"
  }
}
""",
    "3.3 in": """
{
  "tool": "calculate_date",
  "base_date": "2025-12-04",
  "offset": {
    "weeks": 2,
    "days": 3
  }
}
""",
    "3.3 out": """
{
  "success": true,
  "data": {
    "result_date": "2025-12-21",
    // The seed says Saturday. 2025-12-21 is two weeks and three days later, and a Sunday.
    "weekday": "Sunday"
  }
}
""",
    "4.1": """
{
  "session_id": "string",
  "user_query": "帮我制定IELTS备考计划",
  "mode": "multi_agent",
  "status": "in_progress",  // "in_progress" | "converged" | "terminated"
  "current_round": 2,
  "max_rounds": 5,
  "agents": {
    "planner": {
      "status": "completed",
      "last_output": {...}
    },
    "critic": {
      "status": "completed",
      "last_output": {...}
    },
    "host": {
      "status": "waiting",
      "last_output": null
    },
    "reporter": {
      "status": "idle",
      "last_output": null
    }
  },
  "history": [
    {
      "round": 1,
      "outputs": [...]
    }
  ],
  // The seed says [0.65, 0.82, 0.92]: three rounds in the second one. In section 2.4 that one's is 0.92.
  "consensus_trend": [0.65, 0.92],
  "created_at": "2025-12-04T10:00:00Z",
  "updated_at": "2025-12-04T10:10:00Z"
}
""",
    "5.1": """
{
  "action": "converge",
  "instructions": {
    "to_all_agents": "列出剩余不确定性和最坏情况",
    "next_step": "reporter_summary"
  }
}
""",
    "5.2": """
{
  "action": "continue",
  "instructions": {
    "to_agents": ["planner", "critic"],
    "focus_on": ["写作训练", "模考频率"],
    "rounds_remaining": 2
  }
}
""",
    "5.3": """
{
  "action": "force_opposition",
  "instructions": {
    "role": "devils_advocate",
    "requirement": "仅从反方角度论证，不引用之前观点",
    "target": "planner"
  }
}
""",
    "5.4": """
{
  "action": "update_command",
  "target_agent": "planner",
  "reason": "连续2轮self_similarity > 0.98",
  "requirement": "必须完成以下至少一项：修改关键假设、降低置信度、指出对方逻辑漏洞"
}
""",
    "6.1 request": """
{
  "message": "帮我制定IELTS备考计划",
  "mode": "multi_agent",
  "userId": "user_123",
  "conversationId": "conv_456"
}
""",
    "6.1 lines": """
data: {"type": "agent_output", "agent": "planner", "round": 1, "content": "..."}

data: {"type": "agent_output", "agent": "critic", "round": 1, "content": "..."}

data: {"type": "host_decision", "action": "continue", "reason": "..."}

data: {"type": "agent_output", "agent": "planner", "round": 2, "content": "..."}

data: {"type": "final_report", "agent": "reporter", "content": "...", "plan": {...}}

data: [DONE]
""",
    "7.1": """
{
  "error": "agent_timeout",
  "agent": "planner",
  "round": 2,
  "action": "skip_agent",
  "fallback": "使用上一轮输出"
}
""",
    "7.2": """
{
  "status": "max_rounds_reached",
  "action": "force_summary",
  "reporter_instruction": "输出分歧版结论"
}
""",
    "7.3": """
{
  "error": "tool_execution_failed",
  "tool": "compare_positions",
  "fallback": "使用规则判断（关键词匹配）"
}
""",
    "8": """
{
  "conclusion": "一句话结论",
  "key_reasons": ["理由1", "理由2", "理由3"],
  "assumptions": ["假设1", "假设2"],
  "confidence": 0.85,  // 0-1之间
  "changes_from_last_round": {
    "conclusion_changed": false,
    "reasons_added": ["新理由"],
    // The seed says +0.05. No number of JSON begins with a plus.
    "confidence_delta": 0.05
  }
}
""",
}


class Slip(NamedTuple):
    section: str
    right: str
    seed: str
    """What stands there instead."""


SLIPS: Final = (
    Slip("2.2", '"deadline": "2026-01-15"', '"deadline": "2025-01-15"'),
    Slip("3.2 out", '"weekday": "Thursday"', '"weekday": "Wednesday"'),
    Slip("3.3 out", '"weekday": "Sunday"', '"weekday": "Saturday"'),
    Slip("4.1", '"consensus_trend": [0.65, 0.92]', '"consensus_trend": [0.65, 0.82, 0.92]'),
    Slip("8", '"confidence_delta": 0.05', '"confidence_delta": +0.05'),
)

DIMENSIONS: Final = 768
"""Of the vectors of section 3.1, as its comment says."""


def example(section: str, text: str = "") -> Any:
    """Return an example as a JSON value, of the text where one is given; every gap filled with what belongs there."""
    text = text or TEXTS[section]
    for gap, filling in _fillings(section):
        assert gap in text
        text = text.replace(gap, filling)
    return json.loads(re.sub(r"//[^\n]*", "", text))


def _fillings(section: str) -> list[tuple[str, str]]:
    """What stands in an example for a shape that is defined elsewhere, and that shape's own example."""
    match section:
        case "2.1":
            return [('"agent_id": "string"', '"agent_id": "host"'), ('_type": "string"', '_type": "control"')]
        case "2.4":
            # Its reason says that it converges.
            return [('"action": "string"', '"action": "converge"')]
        case "2.5":
            return [("[...]", _text(example("2.2")["metadata"]["plan"]["phases"]))]
        case "3.1 out":
            return [(", ...]", ", 0.0" * (DIMENSIONS - 2) + "]")]
        case "4.1":
            planner, critic = _text(example("2.2")), _text(example("2.3"))
            return [
                (
                    '"planner": {\n      "status": "completed",\n      "last_output": {...}',
                    _completed("planner", planner),
                ),
                ('"critic": {\n      "status": "completed",\n      "last_output": {...}', _completed("critic", critic)),
                ("[...]", f"[{planner}, {critic}]"),
            ]
        case _:
            return []


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _completed(agent: str, output: str) -> str:
    return f'"{agent}": {{"status": "completed", "last_output": {output}'


def lines() -> list[str]:
    """Return the lines of section 6.1, the plan filled in."""
    plan = _text(example("2.2")["metadata"]["plan"])
    return [each.replace("{...}", plan) for each in TEXTS["6.1 lines"].split("\n") if each]
