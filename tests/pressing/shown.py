"""What everybody sees that can be pressed, whom it is made for, and what is wrong with it."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from bot.protocol_row import Protocol
from bot.registry import NEGOTIATION
from bot.texts import texts_in
from bot.views.kit.home_part import Agenda
from bot.views.negotiation.offers.help_form import help_button
from engine.errors import Refusal
from engine.kernel import AlarmRang, Handled, Who
from engine.negotiation.actions import ACTIONS
from engine.negotiation.offers.volunteers import check_help
from tests.bot.driver import ADMIN
from tests.given import Moment
from tests.negotiation.scenario import Scenario as NegotiationScenario

from .refusals import what_they_can_do
from .still import EVE, EXTERNAL, Pressed, Pressing, buttons

OWNER, REQUESTER, COLLEAGUE, ANYBODY, SOMEBODY = "owner", "requester", "colleague", "anybody", "somebody"
"""Whom a button that everybody sees is made for: whoever asked and admins, whoever asked alone, all colleagues, all
readers, or at least one of them, such as whoever has a part."""

MADE_FOR: Final = {
    # a negotiation's
    **{each.name: OWNER if each.who is Who.OWNER else SOMEBODY for each in ACTIONS},
    "demand.clarify": OWNER,
    "plan.change": REQUESTER,
    "outcome.share": OWNER,
    "wish.not_meant": REQUESTER,
    "offer.correct": SOMEBODY,
    "plan.why": ANYBODY,
    "plan.compare": ANYBODY,
    "plan.times": ANYBODY,
    "post.show_all": ANYBODY,
    # of all
    "handover.plan": OWNER,
    "handover.carry_out": OWNER,
    "outcome.export": COLLEAGUE,
    "plan.export": COLLEAGUE,
    "deliver.export": COLLEAGUE,
    "story.open": COLLEAGUE,
    # a deliberation's
    "plan.decide": OWNER,
    "plan.stop": OWNER,
    "plan.point": REQUESTER,
    "plan.ask_critic": REQUESTER,
    "plan.arguments": COLLEAGUE,
    # a delivery's
    "deliver.add": OWNER,
    "deliver.allow_once": OWNER,
    "deliver.allow_ticket": OWNER,
    "deliver.answer": OWNER,
    "deliver.budget": OWNER,
    "deliver.changes": OWNER,
    "deliver.clarify": OWNER,
    "deliver.drop": OWNER,
    "deliver.owner": OWNER,
    "deliver.owners": OWNER,
    "deliver.refuse": OWNER,
    "deliver.reset": OWNER,
    "ticket.agree": SOMEBODY,
    "ticket.suggest": SOMEBODY,
    "deliver.stop": OWNER,
    "deliver.tickets": OWNER,
    "deliver.approve": SOMEBODY,
    "deliver.open": SOMEBODY,
}


HOME: Final = {"type": "home"}


ORIGIN: Final = NegotiationScenario(stream="collab-1").demand().understood().shortlisted("a").offers("a").drafted("a")
"""What some of the others go on from."""


class Shown(NamedTuple):
    """A button that somebody sees."""

    where: str
    """The post's key, or where else it stands."""
    button: Mapping[str, Any]
    readers: tuple[str, ...]
    is_public: bool
    view: Mapping[str, Any] | None = None
    """What it stands in, where that is no message."""


def shown_at(row: Protocol, moment: Moment) -> Iterator[Shown]:
    state, presenter = moment.state, row.presenter
    assert presenter is not None
    people = [*dict.fromkeys((*filter(None, presenter.readers(state)), *_named(state)))]
    everybody = tuple(dict.fromkeys((state.requester_id, ADMIN, *people[:4], EVE, EXTERNAL)))
    for post in presenter.posts(state, lambda _user, _key: "en"):
        if not post.is_late:
            readers = (post.to,) if post.to else everybody
            yield from (Shown(post.key, each, readers, not post.to) for each in buttons(post.blocks))
    for user, blocks in _homes(row, moment).items():
        yield from (Shown("home", each, (user,), is_public=False, view=HOME) for each in buttons(blocks))
    if row is NEGOTIATION and _may_help(state):
        yield from (
            Shown("aside", each, (EVE,), is_public=False) for each in buttons([help_button(state, texts_in("en"))])
        )


def _named(state: Any) -> Iterable[str]:
    """Return the users of a plan's people."""
    return [each.user_id for each in state.brief.people if each.user_id] if hasattr(state, "brief") else ()


def _may_help(state: Any) -> bool:
    """Return whether somebody who was not asked is shown how to offer their help; see `offers_help`."""
    try:
        check_help(state, EVE, "")
    except Refusal:
        return False
    return True


def _homes(row: Protocol, moment: Moment) -> dict[str, Sequence[Mapping[str, Any]]]:
    """Return what stands in the App Homes of everybody, from the records that the stream has written."""
    part, before = row.home, row.rulebook.initial
    assert part is not None
    command = AlarmRang(command_id="c", at=moment.now, name="")
    found: dict[str, dict[str, list[Any]]] = defaultdict(dict)
    kinds = {part.own: "own", part.ended: "own", part.undecided: "undecided"}
    kinds |= {kind: name for kind, name in ((part.asked, "asked"), (part.promised, "promised")) if kind}
    for each in row.rulebook.project(Handled(moment.stream, 1, command, before, moment.state, moment.history)):
        if each.value is not None and each.kind in kinds:
            found[each.key.partition("/")[0]][kinds[each.kind]] = [moment.state]
    drawn = {user: part.draw(_agenda(**agenda), user, texts_in("en")) for user, agenda in found.items()}
    return {user: [*it.asked, *it.undecided, *it.promised, *it.own] for user, it in drawn.items()}


def _agenda(
    asked: Sequence[Any] = (), undecided: Sequence[Any] = (), own: Sequence[Any] = (), promised: Sequence[Any] = ()
) -> Agenda[Any]:
    return Agenda(asked=asked, undecided=undecided, own=own, promised=promised)


def for_whom(name: str, state: Any, readers: Sequence[str]) -> list[str]:
    """Return those of its readers for whom a public button is made."""
    match MADE_FOR[name]:
        case "owner":
            return [state.requester_id, ADMIN]
        case "requester":
            return [state.requester_id]
        case "colleague":
            return [each for each in readers if each != EXTERNAL]
        case "anybody":
            return [*readers]
        case _:
            return []


async def faults_at(product: Pressing, row: Protocol, moment: Moment, *others: Moment) -> AsyncIterator[str]:
    """Press everything, and return what is not as it should be."""
    product.put(ORIGIN.moments[-1], *others, moment)
    for shown in shown_at(row, moment):
        pressed = [
            await product.press(each, shown.button, shown.view, moment.state.place.channel) for each in shown.readers
        ]
        made_for = for_whom(pressed[0].name, moment.state, shown.readers) if shown.is_public else shown.readers
        if all(each.is_refused for each in pressed):
            yield f"nobody may press what stands in {shown.where}: {pressed[0]}"
        for each in pressed:
            if each.status != 200:
                yield f"an error, in {shown.where}: {each}"
            elif each.is_refused and each.by in made_for:
                yield f"refused to whom it was shown, in {shown.where}: {each}"
            elif each.is_refused and not what_they_can_do(each.said):
                yield f"refused without a word of what they can do, in {shown.where}: {each}"
            async for fault in _inside(product, each, shown):
                yield fault


async def _inside(product: Pressing, opened: Pressed, shown: Shown) -> AsyncIterator[str]:
    """Press what stands in what a click has opened."""
    inside = [*(buttons(opened.view["blocks"]) if opened.view else ()), *opened.private]
    for each in {str(button["action_id"]): button for button in inside}.values():
        pressed = await product.press(opened.by, each, opened.view)
        if pressed.status != 200 or pressed.is_refused:
            yield f"refused in what {opened.name} of {shown.where} has opened: {pressed}"
