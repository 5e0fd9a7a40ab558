"""What is wrong with the option that a position is for."""

from collections.abc import Iterator

from engine.deliberation.answers import Plan, SlotChange
from engine.deliberation.check_texts import say
from engine.deliberation.events import Finding
from engine.deliberation.found import finding
from engine.deliberation.option_weights import Weighed, weigh
from engine.deliberation.situation import Situation

CLEARLY: float = 2.0
"""By how much another option has to weigh more before that is found."""


def check_options(plan: Plan, situation: Situation, choice: str) -> Iterator[Finding]:
    brief, language = situation.brief, situation.language
    if not brief.options:
        return
    weighed = weigh_options(situation)
    best = weighed[0]
    to_best = (SlotChange(slot="choice", value=best.option),)
    chosen = next((each for each in weighed if each.option == choice), None)
    if chosen is None:
        yield finding("no_choice", "high", say("no_choice", language), changes=to_best)
        return
    if chosen.ruling_out:
        first = chosen.ruling_out[0]
        text = say("option_ruled_out", language, option=choice, fact=first.fact.text)
        changes = to_best if best.option != choice and not best.ruling_out else ()
        yield finding("option_ruled_out", "high", text, facts=first.because, changes=changes)
    elif best.option != choice and best.score - chosen.score >= CLEARLY and best.speaks_for:
        first = max(best.speaks_for, key=lambda each: each.weight.value)
        text = say("better_option", language, option=choice, other=best.option, fact=first.fact.text)
        yield finding("better_option", "low", text, facts=first.because, changes=to_best)


def weigh_options(situation: Situation) -> tuple[Weighed, ...]:
    brief = situation.brief
    return weigh(brief.options, situation.facts, f"{brief.title}\n{brief.goal}")
