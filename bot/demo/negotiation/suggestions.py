"""Demands to begin with."""

from typing import Final

SUGGESTIONS: Final = (
    "我想在北京办一场50人的AI主题聚会，需要场地和嘉宾",
    "I want to build a prototype of a mobile app for better retrospectives; I need design and engineering in six weeks",
    "A two-hour English workshop on data privacy for 30 colleagues in Berlin, next month, no budget",
)
