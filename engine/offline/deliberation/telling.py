"""What stands in for the Host and the Reporter: it tells what was given, and that nobody has argued."""

from collections.abc import Sequence

from engine.deliberation.answers import (
    BriefAnswer,
    ClosingAnswer,
    CriticReply,
    HostAnswer,
    Plan,
    PlanTask,
    ReportAnswer,
)
from engine.deliberation.given import BriefGiven, FactGiven, OwnOutput, ReportBasis
from engine.facts.language import Language
from engine.offline.deliberation.phrasing import language_of, phrase, tag_of
from engine.offline.deliberation.positions import listed, what_is_open


def read_brief(brief: BriefGiven, facts: Sequence[FactGiven]) -> BriefAnswer:
    """It reads no data out of words; what each fact says stays as it was said."""
    return BriefAnswer(language=tag_of(f"{brief.title}\n{brief.goal}"))


def say_decision(**_: object) -> HostAnswer:
    """The decision is told in the code's own words, and two drafts are the same where their names are."""
    return HostAnswer()


def close(own: OwnOutput, **_: object) -> ClosingAnswer:
    return ClosingAnswer(uncertainties=own.position.uncertainties, worst_case=own.position.worst_case)


def reply(brief: BriefGiven, **_: object) -> CriticReply:
    return CriticReply(content=phrase("needs_a_model", language_of(brief)))


def write_report(brief: BriefGiven, plan: Plan, basis: ReportBasis) -> ReportAnswer:
    language = language_of(brief)
    names = {each.person_id: each.name for each in brief.people}
    still_open = tuple(dict.fromkeys((*basis.uncertainties, *what_is_open(brief, plan, language))))
    parts = (
        f"# {brief.title}",
        basis.reason,
        listed("options", (each.label for each in brief.options), language),
        listed("facts", basis.facts, language),
        listed("who", (_line(each, names, language) for each in plan.tasks), language),
        listed("open", still_open, language),
    )
    return ReportAnswer(content="\n\n".join(filter(None, parts)), remaining_uncertainties=still_open)


def _line(task: PlanTask, names: dict[str, str], language: Language) -> str:
    days = " – ".join(dict.fromkeys(filter(None, (task.starts, task.deadline))))
    return phrase(
        "task",
        language,
        who=names.get(task.owner) or phrase("nobody", language),
        title=task.title,
        days=phrase("days", language, days=days) if days else "",
    )
