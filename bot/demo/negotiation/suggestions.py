"""Demands to begin with."""

from typing import Final

SUGGESTIONS: Final = (
    "我想在北京办一场50人的AI主题聚会，下周六晚上7点到9点，需要场地、摄影和两位讲大模型的嘉宾",
    "We need two speakers on AI, a photographer and catering for 40 people in Beijing next Saturday from 18:00 to 21:00",
    "A prototype of a mobile app in six weeks; we need UX design, mobile development and QA",
)
