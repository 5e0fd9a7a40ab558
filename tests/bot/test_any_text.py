"""Whatever people and models write, and wherever: only our own marks are live in anything that anybody sees."""

from collections.abc import AsyncIterator
from typing import Final

import pytest

from bot.local_slack import Outcome, View
from bot.views.kit.button_values import NEXT, SHOW_ALL
from bot.views.negotiation.button_values import CORRECT
from bot.views.negotiation.offers.offer_form import CONDITIONS, CONTRIBUTION, DECISION
from engine.directory.profile import Profiles
from engine.facts.shortening import without_surrogates
from engine.kernel import ModelAnswer
from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Candidate,
    Change,
    Circumstances,
    ConditionAnswer,
    FeedbackAnswer,
    Milestone,
    OfferAnswer,
    OfferDecision,
    ProposalDraft,
    RequestAddressed,
    RequestDeclined,
    Shortlist,
    StatedCondition,
    Timeline,
    Understanding,
)
from engine.negotiation.events import OfferOverridden, ProposalFeedback
from engine.negotiation.state import Status
from engine.negotiation.voting.kinds import FeedbackType

from .conftest import Begin
from .driver import ACCEPT, AYA, BO, EVE, LINKS, NEGOTIATE, WITHDRAW, YOU, Driver, shows
from .script import AGENT, people
from .tame import is_tame, seen

CAST: Final = ("aya", "bo", "chen")
TEXTS: Final = [
    pytest.param(
        "<!channel> <!here|x> <!subteam^S1|@all> @here @Channel @everyone "
        "<@U_EVE> <@U_GONE|gone> <#C_ELSE|else> &lt;@U_EVE&gt; &amp;lt;!here&gt;",
        id="calls",
    ),
    pytest.param(
        "<https://evil.example|here> <mailto:a@b.c> <!date^1^{date}^https://evil.example|x> <\n"
        "```\nswallowed `tick` *bold _it_ ~gone~\n> quote\n1. list\n",
        id="links and markup",
    ),
    pytest.param(
        "\u202eevil\u2066 \u200fturned\u061c \u206aaround \u2029 אבג قاعة "
        "nul\x00 bell\x07 esc\x1b[31m \x85 del\x7f half \ud83d\u200b\ufeff\ufffe",
        id="turned around and unseen",
    ),
    pytest.param("word & <word> " * 400, id="long"),
    pytest.param("&" * 2_900, id="escapes without end"),
    pytest.param("👩‍👩‍👧‍👦&<" * 40 + "\n" * 3_000 + "x", id="characters of many parts and newlines without end"),
]


def answers(text: str) -> dict[str, ModelAnswer]:
    """Make the model say the same text everywhere."""
    plan = ProposalDraft(
        summary=text,
        objective=text,
        rationale=text,
        assignments=tuple(
            Assignment(agent_id=AGENT + each, display_name=text, role=text, responsibility=text, notes=text)
            for each in CAST
        ),
        timeline=Timeline(start_date=text, milestones=(Milestone(name=text, date=text, deliverable=text),) * 3),
        gaps=(text,),
        risks=(text,),
        success_criteria=(text,),
        conditions=tuple(
            ConditionAnswer(agent_id=AGENT + each, condition=text, met=each == "bo", reason=text) for each in CAST
        ),
        adjustment_summary=AdjustmentSummary(
            changes_made=(Change(aspect=text, before=text, after=text, reason=text),),
            requests_addressed=(RequestAddressed(agent_id=AGENT + "bo", request=text),),
            requests_declined=(RequestDeclined(agent_id=AGENT + "aya", request=text, reason=text),),
        ),
    )
    return {
        "understand": Understanding(
            surface_demand=text,
            capability_tags=(text,),
            context=Circumstances(location=text, expected_attendees=50, date=text, budget=text),
            uncertainties=(text, text),
        ),
        "filter": Shortlist(
            analysis=text,
            definitely_related=tuple(Candidate(agent_id=AGENT + each, display_name=text, reason=text) for each in CAST),
        ),
        "respond": OfferAnswer(
            decision=OfferDecision.CONDITIONAL,
            contribution=text,
            conditions=(StatedCondition(text=text), StatedCondition(text=text)),
            reasoning=text,
            decline_reason=text,
        ),
        "aggregate": plan,
        "adjust": plan,
        "feedback": FeedbackAnswer(
            feedback_type=FeedbackType.NEGOTIATE, reasoning=text, adjustment_request=text, concerns=(text,)
        ),
    }


def profiles(text: str) -> Profiles:
    written = {
        "user_name": text,
        "profile_summary": text,
        "location": text,
        "capabilities": {"venue": text},
        "availability": text,
    }
    return Profiles({agent_id: each.model_copy(update=written) for agent_id, each in people(LINKS, ["chen"]).items()})


async def pages(it: Driver) -> AsyncIterator[View]:
    """Read everything that has *Show all*, page by page."""
    for card in await it.thread():
        shown = await it.clicks(EVE, SHOW_ALL, card=card) if shows(card, SHOW_ALL) else None
        while shown is not None and shown.modal is not None:
            yield shown.modal
            more = NEXT in str(shown.modal.blocks)
            shown = await it.demo.person(EVE).act(shown.modal, NEXT) if more else None


async def all_is_tame(it: Driver) -> None:
    for each in await seen(it):
        is_tame(each)


async def corrects(it: Driver, text: str) -> Outcome:
    """Correct the offer of somebody's twin; the form begins with what the twin said."""
    form = await it.clicks(AYA, CORRECT, card=(await it.thread())[2])
    await all_is_tame(it)
    assert form.modal is not None
    values = {DECISION: "conditional", CONTRIBUTION: text[:2_000], CONDITIONS: text[:400]}
    sent = await it.demo.person(AYA).submit(form.modal, {name: {name: said} for name, said in values.items()})
    await it.settles()
    return sent


@pytest.mark.parametrize("text", TEXTS)
async def test_nothing_that_anybody_writes_has_any_power(driver: Begin, text: str) -> None:
    typed = without_surrogates(text)
    it = await driver(alone=["chen"], said_by=profiles(typed), held=["aggregate"])
    it.script.says |= answers(text)
    # ── the demand, its understanding, offers and their corrections ──
    it = await it.asks(f"a venue {typed}"[:4_000])
    assert (await corrects(it, f"mine {typed}")).errors == {}
    assert len(await it.happened(OfferOverridden)) == 1
    # ── a round, with votes of twins and people ──
    it.script.held.pop("aggregate").set()
    await it.settles()
    await it.stands(Status.NEGOTIATING, round=1)
    await it.says(YOU, NEGOTIATE, f"sooner {typed}"[:2_000])
    await it.says(AYA, NEGOTIATE, f"later {typed}"[:2_000])
    await it.passes()
    await all_is_tame(it)
    async for page in pages(it):
        is_tame(page)
    await it.clicks(YOU, ACCEPT)
    await it.clicks(BO, ACCEPT)
    # ── what became of it, and the end ──
    await it.stands(Status.NEGOTIATING, round=2)
    await it.says(BO, WITHDRAW, f"busy {typed}"[:2_000])
    await it.clicks(AYA, ACCEPT)
    await it.goes_on()
    await all_is_tame(it)
    # ── and nothing of it was lost ──
    votes = [each for each in await it.happened(ProposalFeedback) if each.by and not each.carried]
    assert [(each.by, each.reasoning[:5].strip()) for each in votes] == [
        (YOU, "soone"), (AYA, "later"), (YOU, ""), (BO, ""), (BO, "busy"), (AYA, ""),
    ]  # fmt: skip
