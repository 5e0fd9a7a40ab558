"""How much there is to read once people have agreed: the plan that is argued out, and the one that is carried out.

Keys: ``plan_screens``, screens of 720 px that each adds to the thread of the negotiation before, and
``plan_notifications``, the most new direct messages that one of the people in it gets, both by ``"deliberation"`` and
``"delivery"``. Three people have agreed; each of them then has a part and a step as tickets, and shows their results.
A scripted model argues and approves, since without one a plan is only laid side by side and whoever asked reviews
every ticket; the offline model manages the rest.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from rich.console import Console
from rich.table import Table

from benchmarks.burst import ASKER
from benchmarks.cost import Figures
from benchmarks.thread_heights import CHANNEL, SCREEN, Scene, has, negotiated, shown_height
from bot.views.delivery.button_values import FINISH
from bot.views.delivery.forms_owning import shown_field
from bot.views.kit.handover import CARRY_OUT, PLAN_IT
from bot.views.negotiation.action_forms import HOW
from bot.views.negotiation.button_values import PROCEED

PEOPLE: Final = 3
RESULT: Final = "It is booked for the whole evening, see the mail of today."
PARTS: Final = (("deliberation", PLAN_IT), ("delivery", CARRY_OUT))

Height = Callable[[str], Awaitable[float]]
"""The address of a page with a thread -> the height of its messages in pixels."""


async def measure() -> Figures:
    async with shown_height() as height:
        screens, notified = await measured(height)
    return {"plan_screens": screens, "plan_notifications": notified}


def tell(found: Figures, console: Console) -> None:
    table = Table("", "screens", "notifications", title="What follows an agreement of three, and one of the people")
    for name, screens in found["plan_screens"].items():
        table.add_row(name, f"{screens:.2f}", str(found["plan_notifications"][name]))
    console.print(table)


async def measured(height: Height) -> tuple[dict[str, float], dict[str, int]]:
    """Screens that each adds to the thread, and the most direct messages that one of the people gets of it."""
    screens: dict[str, float] = {}
    notified: dict[str, int] = {}
    async with negotiated(PEOPLE, 1) as scene:
        for name, button in PARTS:
            before, told = await height(scene.address), await scene.notifications()
            await (_goes(scene) if button == PLAN_IT else _clicks(scene, button))
            if name == "delivery":
                await _is_carried_out(scene)
            screens[name] = (await height(scene.address) - before) / SCREEN
            notified[name] = max((await scene.notifications() - told).values(), default=0)
    return screens, notified


async def _clicks(scene: Scene, button: str) -> None:
    asker = scene.workspace.person(ASKER)
    card = next(each for each in reversed(await asker.thread(CHANNEL, scene.thread)) if has(each, button))
    await asker.click(card.channel, card.ts, button)
    await scene.settles()


async def _goes(scene: Scene) -> None:
    """Have the plan argued out first."""
    asker = scene.workspace.person(ASKER)
    card = next(each for each in reversed(await asker.thread(CHANNEL, scene.thread)) if has(each, PROCEED))
    form = (await asker.click(card.channel, card.ts, PROCEED)).modal
    if form is None or (refused := await asker.submit(form, {HOW: {HOW: PLAN_IT}})).errors:
        raise RuntimeError(f"it could not be argued out: {form and refused}")
    await scene.settles()


async def _is_carried_out(scene: Scene) -> None:
    """Each shows the result of what is theirs."""
    for each in scene.users:
        person = scene.workspace.person(each)
        for card in await person.messages((await person.dm()).id):
            if has(card, FINISH):
                await person.click(card.channel, card.ts, shown_field(1), RESULT)
                if (outcome := await person.click(card.channel, card.ts, FINISH)).error:
                    raise RuntimeError(f"{each} could not show a result: {outcome.error}")
                await scene.settles()
