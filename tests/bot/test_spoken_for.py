"""Somebody who is linked to nobody has a limit in doubt: an admin, or whoever loaded the profile, sees it and speaks
for them, and whoever asked does not.
"""

from typing import Final

from bot.demo.demo import CHANNEL
from bot.views.negotiation.button_values import ACCEPT
from bot.views.negotiation.voting.vote_forms import SEAT
from bot.workspace_settings import directory_key
from engine.directory.messages import SaveProfile
from engine.directory.profile import Profiles
from engine.directory.rules import RULEBOOK as DIRECTORY
from engine.negotiation.answers import FeedbackAnswer, LimitAnswer, LimitVerdict
from engine.negotiation.events import ProposalFeedback
from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType
from tests.profiles.people import person

from .conftest import Given
from .driver import ADMIN, AYA, EVE, EVERYBODY, YOU, text_of
from .script import AGENT, people

NEVER: Final = "fireworks on the canary roof"
ALONE: Final = f"{AGENT}bo"
PEOPLE: Final = Profiles({**people({"aya": AYA}), ALONE: person("bo", limits={"never": [NEVER]})})
SAID: Final = FeedbackAnswer(
    feedback_type=FeedbackType.ACCEPT, limits=(LimitAnswer(number=1, verdict=LimitVerdict.UNSURE),)
)


async def test_an_admin_sees_the_limit_and_decides_and_the_requester_does_neither(given: Given) -> None:
    it = await given(linked=("aya", "bo"), said_by=PEOPLE, says={"feedback": SAID})
    card = await it.card()
    assert "waits for an admin" in text_of(card)

    await it.clicks(YOU, ACCEPT)
    assert not [each for each in await it.happened(ProposalFeedback) if each.source is Source.HUMAN]
    opened = await it.demo.person(ADMIN).click(CHANNEL, card.ts, ACCEPT)
    assert opened.modal is not None
    assert NEVER in str(opened.modal.blocks)
    await it.demo.person(ADMIN).submit(opened.modal, {SEAT: {SEAT: ALONE}})
    await it.settles()

    [vote] = [each for each in await it.happened(ProposalFeedback) if each.source is Source.HUMAN]
    assert (vote.agent_id, vote.by, vote.feedback_type) == (ALONE, ADMIN, FeedbackType.ACCEPT)
    for user in EVERYBODY:
        assert not any(NEVER in text_of(each) for each in await it.everything(user))


async def test_whoever_loaded_the_profile_does_so_too_and_nobody_else(given: Given) -> None:
    it = await given(linked=("aya", "bo"), said_by=PEOPLE, says={"feedback": SAID})
    towow, tenant = it.demo.towow, it.key.tenant
    known = (await towow.services.settings.directory(tenant)).entry(ALONE)
    loads = SaveProfile(
        command_id="s", at=towow.services.now(), by=EVE, as_admin=True, agent_id=ALONE,
        profile=PEOPLE[ALONE].model_copy(update={"location": "Oslo"}), revision=known.revision,
    )  # fmt: skip
    card = await it.card()
    assert (await it.demo.person(EVE).click(CHANNEL, card.ts, ACCEPT)).modal is None
    await towow.runtime.handle(directory_key(tenant), DIRECTORY.protocol, loads)

    opened = await it.demo.person(EVE).click(CHANNEL, card.ts, ACCEPT)
    assert opened.modal is not None
    assert NEVER in str(opened.modal.blocks)
    await it.demo.person(EVE).submit(opened.modal, {SEAT: {SEAT: ALONE}})
    await it.settles()

    [vote] = [each for each in await it.happened(ProposalFeedback) if each.source is Source.HUMAN]
    assert (vote.agent_id, vote.by) == (ALONE, EVE)
