"""What stands in for the Host and the Reporter: it tells what was given, and that nobody has argued."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from engine.deliberation import answers
from engine.deliberation.given import BriefGiven, FactGiven, OwnOutput, ReportBasis
from engine.facts.language import Language
from engine.facts.quoting import sentences
from engine.offline.deliberation import positions
from engine.offline.model import Answerer, phrase
from engine.offline.reading.script import chinese_tag

_ITEM: Final = r"(?:(?:the|an?|our)(?:\s+(?!(?:the|an?|our|or)\b)[^\s,?]+){1,4}|(?!not\b)[\w'-]+)"
_EN: Final = re.compile(rf"\b{_ITEM}(?:\s*,\s*{_ITEM})*\s*,?\s+or\s+{_ITEM}\s*\?", re.IGNORECASE)
_ZH: Final = re.compile(r"[^，,。！!；;还]{0,60}还是[^，,。！!；;]{0,60}[?？]")
_LEAD: Final = re.compile(r"^.*[:：]\s*|^.*(?:应该|选|去|在|租|订|买)(?=.)|(?:[更比]?较?[好合适]+|呢|吧)?\s*[?？]+\s*$")
_BETWEEN: Final = re.compile(r"\s{0,5}(?:,\s{0,5}or\s|\sor\s|[,，、]|还是|或者?)\s{0,5}", re.IGNORECASE)


def choices_in(goal: str) -> Sequence[str]:
    """Return them in the goal's own words; nothing where its grammar is not as plain as that."""
    for asked in (each.strip() for each in sentences(goal)):
        _, colon, listed = asked.rpartition(":")
        found = _ZH.search(asked) or (re.search(r".*\sor\s.*\?", listed) if colon else None) or _EN.search(asked)
        pieces = _BETWEEN.split(found[0]) if found else ()
        if len(labels := [each for piece in pieces if (each := _LEAD.sub("", piece).strip())]) > 1:
            return labels
    return ()


def read_brief(brief: BriefGiven, facts: Sequence[FactGiven]) -> answers.BriefAnswer:
    """It reads what there is to choose from; what each fact says stays as it was said."""
    named = enumerate(choices_in(brief.goal), 1)
    options = tuple(answers.OptionRead(option_id=f"option-{place}", label=each) for place, each in named)
    return answers.BriefAnswer(language=chinese_tag(f"{brief.title}\n{brief.goal}"), options=options)


def say_decision(**_: object) -> answers.HostAnswer:
    """The decision is told in the code's own words, and two drafts are the same where their names are."""
    return answers.HostAnswer()


def close(own: OwnOutput, **_: object) -> answers.ClosingAnswer:
    return answers.ClosingAnswer(uncertainties=own.position.uncertainties, worst_case=own.position.worst_case)


def reply(brief: BriefGiven, **_: object) -> answers.CriticReply:
    return answers.CriticReply(content=phrase("deliberation.needs_a_model", positions.language_of(brief)))


def write_report(brief: BriefGiven, plan: answers.Plan, basis: ReportBasis) -> answers.ReportAnswer:
    language = positions.language_of(brief)
    said = () if brief.tasks else map(str.strip, sentences(brief.goal)[1:])  # what was agreed comes with its facts
    names = {each.person_id: each.name for each in brief.people}
    still_open = tuple(dict.fromkeys((*basis.uncertainties, *positions.what_is_open(brief, plan, language))))
    parts = (
        f"# {brief.title}",
        basis.reason,
        positions.listed("options", (each.label for each in brief.options), language),
        positions.listed("facts", (*said, *basis.facts), language),
        positions.listed("who", (_line(each, names, language) for each in plan.tasks), language),
        positions.listed("open", still_open, language),
    )
    return answers.ReportAnswer(content="\n\n".join(filter(None, parts)), remaining_uncertainties=still_open)


def _line(task: answers.PlanTask, names: dict[str, str], language: Language) -> str:
    days = " – ".join(dict.fromkeys(filter(None, (task.starts, task.deadline))))
    when = phrase("deliberation.days", language, days=days) if days else ""
    who = names.get(task.owner) or phrase("deliberation.nobody", language)
    return phrase("deliberation.task", language, who=who, title=task.title, days=when)


ANSWERERS: Final[Mapping[str, Answerer]] = {
    "brief": read_brief,
    "plan": positions.make_plan,
    "draft": positions.make_draft,
    "revise": positions.make_plan,
    "criticise": positions.criticise,
    "host": say_decision,
    "close": close,
    "report": write_report,
    "reply": reply,
}
