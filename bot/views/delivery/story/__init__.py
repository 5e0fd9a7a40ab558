"""The delivery's chapter on the page of one story."""

from collections.abc import Sequence

from bot.texts import Texts
from bot.views.delivery.board import board, standing, status_line
from bot.views.delivery.descriptions import DESCRIPTIONS, DeliveryNarration
from bot.views.delivery.names import owner_name, status_mark
from bot.views.delivery.report import report
from bot.views.kit.days import day_text
from bot.views.kit.mrkdwn import UNLIMITED, Fit, plain_line
from bot.views.kit.story.model import Cards, Chapter, Part, Reading, Section, Table, Told, whole_card
from bot.views.kit.story.task_schedule import Dated, drawn_tasks
from engine.delivery.policy import PREFIX
from engine.delivery.state import Delivery, Ticket, TicketStatus

LONGEST_TITLE = 300


class DeliveryStory:
    """A `StoryPart` (bot/views/kit/story/model.py)."""

    def may_read(self, state: Delivery, user: str) -> bool:
        return state.place.channel.startswith(("C", "G")) or self.takes_part(state, user)

    def takes_part(self, state: Delivery, user: str) -> bool:
        if not user:
            return False
        known = {each.user_id for each in state.brief.people}
        tickets = state.tickets.values()
        known |= {who for each in tickets for who in (each.owner.user_id, each.hand_over_to, *each.holders)}
        return user == state.requester_id or user in known

    def comes_from(self, state: Delivery) -> str:
        return state.brief.origin

    def follows(self, stream: str) -> str:
        return "" if stream.startswith(PREFIX) else f"{PREFIX}{stream}"

    def chapter(self, state: Delivery, happened: Sequence[Told], reading: Reading) -> Chapter:
        texts, fit = reading.texts, Fit(UNLIMITED)
        erased = state.erased == "*"
        written: list[Part] = [Cards(whole_card(report(state, state.report, texts)))] if state.report else []
        sections = (
            Section("board", texts.say("The board"), [Cards(whole_card(board(state, texts)))]),
            Section("tickets", texts.say("Tickets"), _tickets(state, texts, fit)),
            Section("schedule", texts.say("When"), schedule(state, texts)),
            Section("report", texts.say("The report"), written),
        )
        title = plain_line(state.brief.title, LONGEST_TITLE) or texts.say("(erased)")
        return Chapter(
            title=texts.say("Carried out: {what}", what=title),
            status=status_line(state, texts),
            sections=() if erased else sections,
            timeline=DeliveryNarration(state, texts, fit).timeline(DESCRIPTIONS.by_type, happened),
            names={each.user_id: each.name for each in state.brief.people if each.user_id and each.name},
            is_live=state.is_open,
        )


def _tickets(state: Delivery, texts: Texts, fit: Fit) -> list[Part]:
    rows = [
        (
            f"*{each.ticket_id}* {fit.line(each.task.title, UNLIMITED)}",
            owner_name(state, each.owner, texts, fit),
            f"{status_mark(each)} {standing(state, each, texts)}",
            day_text(each.task.deadline, state.brief.today, texts, fit),
            texts.say(", ").join(_after(state, each)),
        )
        for each in state.tickets.values()
    ]
    head = (texts.say("What"), texts.say("Who"), texts.say("How it stands"), texts.say("By when"), texts.say("After"))
    return [Table(texts.say("All tickets"), head, rows)] if rows else []


def _after(state: Delivery, ticket: Ticket) -> list[str]:
    needed = (state.ticket_of(each) for each in ticket.task.depends_on)
    return [each.ticket_id for each in needed if each is not None]


def schedule(state: Delivery, texts: Texts) -> list[Part]:
    """The tickets that have a day; nothing where none has."""
    tickets = [
        Dated(
            f"{each.ticket_id} {each.task.title}",
            each.task.starts,
            each.task.deadline,
            each.status is TicketStatus.DONE,
        )
        for each in state.tickets.values()
    ]
    return drawn_tasks(tickets, texts)
