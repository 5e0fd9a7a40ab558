"""What models are asked in a delivery, how their answers are read, and what stands in for one."""

from engine.delivery.answers import (
    AdviseAnswer,
    ClarifyAnswer,
    DiscussAnswer,
    FinalReportAnswer,
    InstructAnswer,
    PlanAnswer,
    ProposeAnswer,
    ReviewAnswer,
    WorkAnswer,
)
from engine.llm.prompts import AnswerClasses

RETURNS: AnswerClasses = {
    "clarify": ClarifyAnswer,
    "plan": PlanAnswer,
    "propose": ProposeAnswer,
    "discuss": DiscussAnswer,
    "instruct": InstructAnswer,
    "work": WorkAnswer,
    "review": ReviewAnswer,
    "advise": AdviseAnswer,
    "report": FinalReportAnswer,
}
"""What each prompt of prompts/delivery must say that it returns."""
