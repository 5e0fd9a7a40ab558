"""Two people of one name: every card says which of them is meant."""

from engine.directory.profile import Profiles

from .conftest import Begin
from .driver import LINKS
from .script import people


async def test_namesakes_are_told_apart_in_the_thread(driver: Begin) -> None:
    known = people(LINKS)
    same = Profiles({each: profile.model_copy(update={"user_name": "Alex Kim"}) for each, profile in known.items()})
    it = await (await driver(said_by=same)).asks()

    state = await it.state()
    assert {each.display_name for each in state.invited.values()} == {"Alex Kim (aya)", "Alex Kim (bo)"}
    assert "*Alex Kim (aya)*" in await it.root()
    assert "*Alex Kim (bo)*" in await it.root()
