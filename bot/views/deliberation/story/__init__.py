"""The deliberation's chapter on the page of one story."""

from collections.abc import Sequence

from bot.texts import Texts
from bot.views.deliberation.descriptions import DESCRIPTIONS, DeliberationNarration
from bot.views.deliberation.names import agent_name, person_name
from bot.views.deliberation.positions import percent
from bot.views.deliberation.report import report
from bot.views.deliberation.root import root, short_status
from bot.views.deliberation.values import day_text
from bot.views.kit.mrkdwn import UNLIMITED, Fit, plain_line
from bot.views.kit.post import Post
from bot.views.kit.story.model import Cards, Chapter, Part, Reading, Section, Table, Told, whole_card
from bot.views.kit.story.task_schedule import Dated, drawn_tasks
from engine.deliberation.answers import Plan
from engine.deliberation.policy import PREFIX
from engine.deliberation.rounds.plans import final_plan, standing
from engine.deliberation.state import Deliberation, Output
from engine.deliberation.terms import DEBATERS

LONGEST_TITLE = 300


class DeliberationStory:
    """A `StoryPart` (bot/views/kit/story/model.py)."""

    def may_read(self, state: Deliberation, user: str) -> bool:
        return state.place.channel.startswith(("C", "G")) or self.takes_part(state, user)

    def takes_part(self, state: Deliberation, user: str) -> bool:
        return bool(user) and (user == state.requester_id or any(user == each.user_id for each in state.brief.people))

    def comes_from(self, state: Deliberation) -> str:
        return state.brief.origin

    def follows(self, stream: str) -> str:
        return "" if stream.startswith(PREFIX) else f"{PREFIX}{stream}"

    def chapter(self, state: Deliberation, happened: Sequence[Told], reading: Reading) -> Chapter:
        texts, fit = reading.texts, Fit(UNLIMITED)
        erased = state.erased == "*"
        written = _card(report(state, state.report, texts)) if state.report else []
        sections = (
            Section("positions", texts.say("The two positions"), _card(root(state, texts))),
            Section("rounds", texts.say("Round by round"), _rounds(state, texts, fit)),
            Section("tasks", texts.say("The plan as it stands"), _tasks(state, texts, fit)),
            Section("schedule", texts.say("When"), schedule(state, texts)),
            Section("report", texts.say("The report"), written),
        )
        title = plain_line(state.brief.title, LONGEST_TITLE) or texts.say("(erased)")
        return Chapter(
            title=texts.say("How: {what}", what=title),
            status=short_status(state, texts),
            sections=() if erased else sections,
            timeline=DeliberationNarration(state, texts, fit).timeline(DESCRIPTIONS.by_type, happened),
            names={each.user_id: each.name for each in state.brief.people if each.user_id and each.name},
            is_live=state.is_open,
        )


def _card(post: Post) -> list[Part]:
    return [Cards(whole_card(post))]


def _rounds(state: Deliberation, texts: Texts, fit: Fit) -> list[Part]:
    """A row for each round: what each of the two held, and how near they were."""
    rows = [
        (
            texts.say("Round {round}", round=each.number),
            *(_held(each.outputs.get(agent), texts, fit) for agent in DEBATERS),
            percent(each.analysis.consensus_level) if each.analysis else "–",
        )
        for each in state.rounds
    ]
    if not any(each.outputs for each in state.rounds):
        return []
    head = ("", *(agent_name(each, texts) for each in DEBATERS), texts.say("Nearness"))
    return [Table(texts.say("What each of the two held, round by round"), head, rows)]


def _held(output: Output | None, texts: Texts, fit: Fit) -> str:
    if output is None:
        return "–"
    sure = texts.say("{level} sure", level=percent(output.position.confidence))
    reasons = [f"• {fit.line(each, UNLIMITED)}" for each in output.position.key_reasons]
    return "\n".join([f"{fit.line(output.position.conclusion, UNLIMITED)} ({sure})", *reasons])


def _plan(state: Deliberation) -> Plan | None:
    final = final_plan(state)
    if final is not None:
        return final.plan
    output = standing(state) if state.rounds else None
    return output.plan if output else None


def _tasks(state: Deliberation, texts: Texts, fit: Fit) -> list[Part]:
    plan = _plan(state)
    if plan is None or not plan.tasks:
        return []
    titles = {each.task_id: each.title for each in plan.tasks}
    rows = [
        (
            fit.line(each.title, UNLIMITED),
            person_name(state, each.owner, fit) or texts.say("nobody yet"),
            " – ".join(dict.fromkeys(day_text(day, state, texts, fit) for day in (each.starts, each.deadline) if day)),
            texts.say(", ").join(fit.line(titles[one], UNLIMITED) for one in each.depends_on if one in titles),
            fit.line(each.expected_output, UNLIMITED),
        )
        for each in plan.tasks
    ]
    head = (texts.say("What"), texts.say("Who"), texts.say("When"), texts.say("After"), texts.say("Result"))
    return [Table(texts.say("The tasks of the plan"), head, rows)]


def schedule(state: Deliberation, texts: Texts) -> list[Part]:
    """The tasks that have a day; nothing where none has."""
    plan = _plan(state)
    if plan is None:
        return []
    return drawn_tasks([Dated(each.title, each.starts, each.deadline) for each in plan.tasks], texts)
