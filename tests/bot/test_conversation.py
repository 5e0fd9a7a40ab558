"""What somebody writes goes to the protocol that claims its first word, or to the one that takes the rest."""

from slack_bolt.context.async_context import AsyncBoltContext

from bot.listeners.conversation import Conversation, Conversations, Utterance
from bot.texts import Texts, texts_in
from engine.errors import IllegalStep, Refusal
from engine.kernel import Place

from .conftest import Begin

COMMAND = "/towow"


async def nowhere() -> Place:
    return Place()


async def said(driver: Begin, text: str) -> Utterance:
    services = (await driver()).demo.towow.services
    return Utterance(services, AsyncBoltContext(), text, "U_YOU", "cause", nowhere, texts_in("en"))


def named(name: str, *first_words: str) -> Conversation:
    """A conversation that says its name, and refuses what it is told to."""

    async def take(utterance: Utterance) -> str | None:
        if "refuse" in utterance.text:
            raise IllegalStep("not now")
        return f"{name} took {utterance.text}"

    def refused(refusal: Refusal, utterance: Utterance) -> str:
        return f"{name} says {refusal.message} to {utterance.text}"

    def usage(command: str, texts: Texts) -> str:
        return f"{command} {name}"

    return Conversation(take, refused, usage, frozenset(first_words))


BOTH = Conversations([named("plans", "plan", "计划"), named("demands")])


async def test_the_first_word_says_whose_it_is(driver: Begin) -> None:
    assert await BOTH.answer(await said(driver, "Plan a party"), COMMAND) == "plans took Plan a party"


async def test_whatever_nobody_claims_is_for_the_main_one(driver: Begin) -> None:
    assert await BOTH.answer(await said(driver, "a plan for a party"), COMMAND) == "demands took a plan for a party"


async def test_a_refusal_is_worded_by_whoever_refused(driver: Begin) -> None:
    assert await BOTH.answer(await said(driver, "plan refuse"), COMMAND) == "plans says not now to plan refuse"


async def test_whoever_asks_for_help_reads_what_every_protocol_does(driver: Begin) -> None:
    assert await BOTH.answer(await said(driver, "help"), COMMAND) == "/towow plans\n/towow demands"


async def test_where_nobody_takes_the_rest_help_is_given(driver: Begin) -> None:
    plans = Conversations([named("plans", "plan")])
    assert await plans.answer(await said(driver, "a party"), COMMAND) == "/towow plans"
