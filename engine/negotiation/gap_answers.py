"""What models say of the gaps of an agreed plan: the answers of prompts 7 and 8."""

from typing import Annotated

from pydantic import BeforeValidator

from engine.facts.answer_fields import (
    Level,
    Percent,
    Text,
    Texts,
    no_null_list,
)
from engine.kernel import ModelAnswer


class Gap(ModelAnswer):
    """Something that the plan lacks."""

    gap_type: Text = ""
    """What is missing, in a word or two: a photographer."""
    importance: Percent = 0
    reason: Text = ""
    suggested_capability_tags: Texts = ()


def normalized_gap(gap_type: str) -> str:
    """Return a form of the name that is equal for the same gap, however it was typed."""
    return " ".join(gap_type.split()).casefold()


class GapAnalysis(ModelAnswer, kw_only=True):
    """Prompt 7's answer."""

    is_complete: bool = False
    analysis: Text = ""
    gaps: Annotated[tuple[Gap, ...], BeforeValidator(no_null_list)]


class SubDemand(ModelAnswer):
    """The demand that is made for a gap: seed 000's fields, and the gap."""

    gap_type: Text = ""
    description: Text = ""
    capability_tags: Texts = ()
    priority: Level = "medium"


class RecursionAnswer(ModelAnswer, kw_only=True):
    """Prompt 8's answer. ``should_recurse`` is advice: only the three conditions together count."""

    should_recurse: bool = False
    condition_1_met: bool
    """Satisfaction: the demand is not met without it."""
    condition_1_analysis: Text = ""
    condition_2_met: bool
    """Stakeholders: it takes somebody who is not in the plan."""
    condition_2_analysis: Text = ""
    condition_3_met: bool
    """Cost and benefit: looking for them is worth what it costs."""
    condition_3_analysis: Text = ""
    sub_demands: Annotated[tuple[SubDemand, ...], BeforeValidator(no_null_list)] = ()


class EstimatedCost(ModelAnswer):
    """What looking for all of it is thought to cost, as prompt 8 is given it."""

    tokens: int
    time_seconds: int
