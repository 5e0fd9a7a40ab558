"""Acts for somebody in front of their App Home."""

from collections.abc import Mapping
from typing import Any

from bot.local_slack import Outcome, View

from .driver import Driver, texts_of


async def opens(it: Driver, user: str) -> View:
    """Open the page, and return it as it is published."""
    person = it.demo.person(user)
    await person.open_home()
    await it.settles()
    return await shown(it, user)


async def shown(it: Driver, user: str) -> View:
    home = await it.demo.person(user).home()
    assert home is not None
    return home


def says(view: View | None) -> str:
    """Return everything that is written in it."""
    assert view is not None
    return "\n".join(texts_of(view.blocks))


def buttons(view: View) -> list[str]:
    return [each["action_id"] for block in view.blocks for each in block.get("elements", ()) if "action_id" in each]


async def clicks(it: Driver, user: str, action: str, view: View | None = None, **more: Any) -> Outcome:
    """Click a button of the page, or of the view given."""
    outcome = await it.demo.person(user).act(view or await shown(it, user), action, **more)
    await it.settles()
    return outcome


async def top(it: Driver, user: str) -> View:
    """Return the modal that lies on top."""
    return (await it.demo.person(user).modals())[-1]


async def sends(it: Driver, user: str, view: View, **said: object) -> Outcome:
    """Send the form with what stands in it, but for what is ``said``."""
    outcome = await it.demo.person(user).submit(view, filled(view, said))
    await it.settles()
    return outcome


def filled(view: View, said: Mapping[str, object]) -> dict[str, dict[str, object]]:
    asked = {block["block_id"] for block in view.blocks if block["type"] == "input"}
    assert asked >= {*said}, asked
    return {name: {name: value} for name, value in said.items()}
