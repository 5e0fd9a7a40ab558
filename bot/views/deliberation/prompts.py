"""What Slack suggests that somebody says to ToWow about plans."""

from collections.abc import Sequence

from bot.texts import Texts
from bot.views.kit.prompts import Prompt


def prompts(texts: Texts) -> Sequence[Prompt]:
    said = texts.say("plan: A half-day workshop for 30 colleagues in six weeks; the room holds 40")
    return (Prompt(texts.say("Argue a plan out"), said),)
