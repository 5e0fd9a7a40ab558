"""What is told of a deliberation: the Host's words, what is still open, the report, and answers to questions."""

from collections.abc import Iterator, Sequence

from engine.deliberation.answers import ClosingAnswer, CriticReply, Critique, HostAnswer, Plan, ReportAnswer
from engine.deliberation.check_dates import AFTERWARDS
from engine.deliberation.check_texts import day
from engine.deliberation.given import ArgumentGiven, BriefGiven, FactGiven, OwnOutput, ReportBasis
from engine.deliberation.situation import Situation
from engine.deliberation.words import share
from engine.facts.language import Language, language_of
from engine.offline.deliberation.briefs import situation_of
from engine.offline.deliberation.phrasing import paragraph, phrase
from engine.offline.deliberation.positions import nobodys

MOST_TOLD = 3
MOST_OPEN = 8
NEAR = 0.3
"""From which share of a question's words on something is about it."""


def say_decision(
    title: str, action: str, reason: str, level: int, must_address: Sequence[str], differences: Sequence[str]
) -> HostAnswer:
    language = language_of(title)
    told = [phrase(f"host.{action}", language, level=level, reason=reason)]
    told += [phrase("host.address", language, what=each) for each in must_address[:MOST_TOLD]]
    if not must_address:
        told += [phrase("host.difference", language, what=each) for each in differences[:MOST_TOLD]]
    return HostAnswer(content=paragraph(told, language))


def close(
    brief: BriefGiven, role: str, own: OwnOutput, plan: Plan, arguments: Sequence[ArgumentGiven]
) -> ClosingAnswer:
    situation = situation_of(brief, ())
    found = [*own.position.uncertainties, *nobodys(plan, situation)]
    if role == "critic" and own.critique:
        found += [each.risk for each in own.critique.risks]
    if not found:
        found = [phrase("assumed", situation.language, text=each) for each in own.position.assumptions[:1]]
    return ClosingAnswer(uncertainties=tuple(dict.fromkeys(found))[:MOST_OPEN], worst_case=own.position.worst_case)


# ── the report ────────────────────────────────────────────────────────────────────────────────────────────────────


def write_report(brief: BriefGiven, plan: Plan, basis: ReportBasis) -> ReportAnswer:
    situation = situation_of(brief, ())
    language = situation.language
    return ReportAnswer(
        content="\n".join(_report(plan, basis, situation, language)),
        key_agreements=basis.agreements,
        resolved_concerns=basis.resolved,
        remaining_uncertainties=basis.uncertainties,
        open_disagreements=basis.open_disagreements,
        dissent=basis.dissent,
    )


def _report(plan: Plan, basis: ReportBasis, situation: Situation, language: Language) -> Iterator[str]:
    yield phrase("report.title", language, title=plan.title)
    yield ""
    how = "divergent" if basis.is_divergent else "agreed_once" if basis.rounds == 1 else "agreed"
    yield phrase(f"report.{how}", language, rounds=basis.rounds)
    if basis.chosen:
        yield basis.chosen
    for phase in plan.phases:
        yield ""
        yield f"## {phase.phase_name}" + (f" ({phase.duration})" if phase.duration and language == "en" else "")
        for task in phase.tasks:
            owner = situation.called(task.owner) if task.owner else phrase("report.nobody", language)
            hours = f"{task.estimated_hours:g}"
            due = day(task.deadline, language)
            key = "report.line.after" if AFTERWARDS.intersection(task.tags) else "report.line"
            yield phrase(key, language, title=task.title, owner=owner, day=due, hours=hours)
    for key, texts in (
        ("agreements", basis.agreements),
        ("resolved", basis.resolved),
        ("open", basis.open_disagreements),
        ("uncertain", basis.uncertainties),
        ("worst", basis.worst_cases),
        ("dissent", basis.dissent),
    ):
        if texts:
            yield ""
            yield f"## {phrase(f'report.{key}', language)}"
            yield from (f"- {each}" for each in texts)


# ── questions ─────────────────────────────────────────────────────────────────────────────────────────────────────


def reply(
    brief: BriefGiven,
    facts: Sequence[FactGiven],
    plan: Plan,
    critique: Critique | None,
    arguments: Sequence[ArgumentGiven],
    question: str,
) -> CriticReply:
    """Answer with what was argued and said that shares most words with the question, counter-arguments first."""
    situation = situation_of(brief, facts)
    language = situation.language
    about = sorted(
        (each for each in arguments if share(question, each.text) >= NEAR), key=lambda each: -share(question, each.text)
    )
    told = [phrase("reply.argument", language, text=each.text) for each in about[:2]]
    known = sorted(
        (each for each in facts if share(question, each.text) >= NEAR), key=lambda each: -share(question, each.text)
    )
    for fact in known[:2]:
        key = "reply.fact" if fact.by else "reply.said"
        told.append(phrase(key, language, name=fact.by, text=fact.text))
    for task in plan.tasks:
        if share(question, task.title) >= NEAR and len(told) < MOST_TOLD:
            owner = situation.called(task.owner) if task.owner else phrase("report.nobody", language)
            told.append(phrase("reply.task", language, title=task.title, owner=owner, day=day(task.deadline, language)))
    if not told and critique is not None and critique.risks:
        told = [phrase("critic.first", language, text=critique.risks[0].risk)]
    arguments_told = tuple(
        dict.fromkeys([*(each.argument_id for each in about[:2]), *(each.fact_id for each in known[:2])])
    )
    return CriticReply(content=paragraph(told or [phrase("reply.none", language)], language), arguments=arguments_told)
