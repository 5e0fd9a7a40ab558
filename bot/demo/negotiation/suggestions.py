"""Demands to begin with."""

from collections.abc import Mapping
from typing import Final

SUGGESTIONS: Final = (
    "我想在北京办一场50人的AI主题聚会，下周六晚上7点到9点，需要场地、摄影和两位讲大模型的嘉宾",
    "We need two speakers on AI, a photographer and catering for 40 people in Beijing next Saturday, 18:00 to 21:00",
    "A prototype of a mobile app in six weeks; we need UX design, mobile development and QA",
    "六周内做出一个移动应用的原型，需要用户体验设计、移动开发和测试",
)

FIRST: Final[Mapping[str, str]] = {"en": SUGGESTIONS[2], "zh": SUGGESTIONS[0]}
"""The demand whose thread the demo opens in, by language: colleagues who speak it answer."""
