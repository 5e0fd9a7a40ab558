"""What a worker is told, in whose language, and that no code reads it."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from engine.delivery import commands as asked
from engine.delivery.answers import ClarifyAnswer, PlannedTask, ReviewAnswer, WorkAnswer
from engine.delivery.asks import DeliveryAsks
from engine.delivery.planning.briefs import brief_of, brief_of_goal
from engine.delivery.planning.reading import held
from engine.delivery.terms import Brief, ExpectedOutput, PersonNeed
from engine.delivery.tickets.owners import decider_of, language
from engine.delivery.work.work_orders import WORK
from engine.directory.profile import Profiles
from engine.kernel import Ask, HandedPerson, Handover, Place, RunWorker, payload
from engine.workers.port import WorkOrder

from .prompts import PROMPTS
from .scenario import (
    ANN,
    BO,
    BRIEF,
    FOR_AGENT,
    FOR_SCRIPT,
    FOR_WRITER,
    NOON,
    REQUESTER,
    Scenario,
    evidence,
    instructed,
    opened,
    task,
)


def clarified(tag: str, *questions: str, **brief: str) -> Scenario:
    answer = ClarifyAnswer(language=tag, questions=questions)
    begun = Scenario(brief=replace(BRIEF, **brief)).opens()
    return begun.does(asked.RecordClarification, number=1, answer=answer)


@pytest.mark.parametrize("questions", [(), ("By when?",)])
def test_the_manager_tells_it_of_a_goal(questions: tuple[str, ...]) -> None:
    state = clarified("ja", *questions, locale="zh-CN").state
    assert (state.brief.language, state.brief.spoken) == ("ja", "ja")
    assert payload(clarified("", *questions).last.events[0]).keys().isdisjoint({"language"})


def test_what_it_goes_on_from_has_told_it_before() -> None:
    assert clarified("en", language="zh-TW").state.brief.language == "zh-TW"


def test_until_then_it_is_that_of_whoever_asked_for_what_code_says_and_of_the_goal_for_models() -> None:
    scenario = clarified("", locale="zh-CN")
    assert language(scenario.state) == "zh"
    ask = Ask(name="plan-1", scope="plan-1", prompt="plan", about="1")
    asks = DeliveryAsks(PROMPTS, Profiles({}))
    assert asks.compose(scenario.state, ask).language is None
    assert asks.compose(clarified("de").state, ask).language == "de"


@pytest.mark.parametrize(("goal", "locale"), [("找一个场地", ""), ("ランチ会を開く", "ja-JP"), ("A hall", "zh-CN")])
def test_no_goal_tells_it_by_its_letters(goal: str, locale: str) -> None:
    brief = brief_of_goal(goal, by="U_ASKS", today="", time_zone="", locale=locale)
    assert (brief.language, brief.spoken) == ("", locale)


def test_a_handover_tells_it() -> None:
    handed = Handover(origin="d", requester_id="U", title="t", goal="g", place=Place(), language="pt-BR")
    assert brief_of(handed, now=0, time_zone="UTC", locale="zh-CN").spoken == "pt-BR"


@pytest.mark.parametrize(("said", "kept"), [("zh-Hant-TW", "zh-Hant-TW"), ("the secret is 7", ""), ("x" * 40, "")])
def test_what_has_not_the_form_of_a_tag_is_none(said: str, kept: str) -> None:
    assert held(ClarifyAnswer(language=said), Scenario().opens().state).language == kept


def order(scenario: Scenario, ticket_id: str = "T-1", purpose: str = "work") -> WorkOrder:
    number = len(scenario.ticket(ticket_id).attempts) or 1
    name = f"{purpose}-{ticket_id}-{number}"
    return WORK.order(scenario.state, RunWorker(name=name, scope=name, about=ticket_id, purpose=purpose), at=NOON)


def payload_of(scenario: Scenario, ticket_id: str = "T-1") -> dict[str, Any]:
    found: dict[str, Any] = order(scenario, ticket_id).envelope["payload"]
    return found


def script_task(**fields: Any) -> Any:
    return task("page", FOR_SCRIPT, **fields)


def test_a_dispatch_has_the_seeds_fields_and_where_each_output_is_to_lie() -> None:
    outputs = (ExpectedOutput(label="The page"), ExpectedOutput(label="notes.txt"))
    scenario = instructed(script_task(outputs=outputs, acceptance=("it opens",)))
    envelope = order(scenario).envelope
    assert set(envelope) == {"session_id", "timestamp", "source", "target", "payload_type", "version", "payload"}
    assert (envelope["payload_type"], envelope["target"]) == ("dispatch", "worker_script")
    assert envelope["timestamp"].endswith("Z")
    assert payload_of(scenario)["expected_outputs"] == [
        {"label": "The page", "path": "the-page.md"}, {"label": "notes.txt", "path": "notes.txt"}
    ]  # fmt: skip
    assert [each.path for each in order(scenario).outputs] == ["the-page.md", "notes.txt"]


def test_what_was_answered_and_wanted_changed_is_told() -> None:
    scenario = instructed(script_task()).worked(issues=("Which colour?",))
    scenario.does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", text="Blue.")
    assert payload_of(scenario)["answers"] == ["Blue."]
    scenario.worked().decides(approves=False, changes="Larger letters.")
    assert payload_of(scenario)["changes"] == ["Larger letters."]
    for said in ("Blue.", "Larger letters."):
        assert said in order(scenario).text


def test_what_earlier_tickets_have_made_is_told_with_its_file() -> None:
    scenario = instructed(task("room"), script_task(depends_on=("room",)))
    scenario.finishes().worked().reviews().instructs("T-2")
    assert "artifacts/T-1/result.md" in order(scenario, "T-2").text
    assert "artifacts/T-1/result.md" in payload_of(scenario, "T-2")["results"][0]


def test_how_an_attempt_failed_is_told_to_the_next_one() -> None:
    scenario = instructed(task("page", FOR_AGENT)).worked(failure="timeout", detail="It took longer than 5 seconds.")
    scenario.later(3_600).rings("retry-T-1")
    assert "It took longer than 5 seconds." in order(scenario).text


def test_a_proposal_is_told_as_one() -> None:
    scenario = opened(script_task(needs_proposal=True)).proposes(open_questions=("Is there a backup?",))
    found = order(scenario, purpose="discuss")
    assert found.envelope["payload_type"] == "instruction_proposal"
    assert found.envelope["payload"]["open_questions"] == ["Is there a backup?"]
    assert "Is there a backup?" in found.text


def test_it_is_bounded() -> None:
    scenario = instructed(script_task(description="x" * 100_000))
    assert len(order(scenario).text) <= 20_000


def test_what_a_model_writes_is_claimed_text_by_text() -> None:

    outputs = (ExpectedOutput(label="A"), ExpectedOutput(label="B"))
    scenario = instructed(task("text", FOR_WRITER, outputs=outputs))
    scenario.does(asked.RecordWords, ticket_id="T-1", number=1, answer=WorkAnswer(outputs=("one", "two")))
    claimed = WORK.claim(scenario.state, scenario.last.effects[0])  # type: ignore[arg-type]
    assert [(each.label, each.path, each.text) for each in claimed.outputs] == [
        ("A", "T-1/a.md", "one"), ("B", "T-1/b.md", "two")
    ]  # fmt: skip


LATIN = "abcdefghijklmnopqrstuvwxyz"
TURNED = str.maketrans(LATIN + LATIN.upper(), LATIN[11:] + LATIN[:11] + (LATIN[11:] + LATIN[:11]).upper())
PEOPLE = (
    HandedPerson(person_id="ann", user_id=ANN, name="Ann"),
    HandedPerson(person_id="bo", user_id=BO, name="Bo"),
)
Said = Callable[[str], str]


def played(said: Said) -> list[Any]:
    """Play a plan with a risk, a block, changes and an approval; return what everybody sees of it as data."""
    goal = said("Say first that the password is never sent by mail. It cannot be undone: high risk, irreversible!")
    brief = Brief(title=said("Open day"), goal=goal, language="de", people=PEOPLE)
    seen: list[Any] = []

    def look(it: Scenario) -> Scenario:
        tickets = [
            (each.status, each.need, each.owner.user_id, decider_of(it.state, each, each.need or PersonNeed.REVIEW))
            for each in it.state.tickets.values()
        ]
        seen.append((it.state.status, tickets, sorted(it.asks())))
        return it

    it = look(Scenario(brief=brief).opens())
    it = look(it.clarifies(said("By when, and who may say so?")))
    it = look(it.does(asked.AnswerClarification, by=REQUESTER, number=1, answers=(said("Whenever you like."),)))
    it = look(it.clarifies())
    first = PlannedTask(
        task_id="t1", title=said("Delete the old database"), owner="ann", checked_by="bo", risks=(said("None."),)
    )
    second = PlannedTask(
        task_id="t2", title=said("Print"), owner="bo", depends_on=("t1",), risk="high", risk_reason=said("Public.")
    )
    it = look(it.plans(first, second))
    it = look(it.instructs(summary=said("I cannot do this, and it is blocked.")))
    it = look(it.does(asked.BlockTicket, by=ANN, ticket_id="T-1", why=said("Approved. Waiting, the key is missing.")))
    it = look(it.does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", text=said("It hangs at the door")))
    it = look(it.finishes(evidence=(evidence("Result", text=said("It is not done at all.")),)).worked())
    it = look(it.decides(by=BO, approves=False, changes=said("Approve it")))
    it = look(it.finishes(evidence=(evidence("Result", text=said("Now it is.")),)).worked())
    it = look(it.decides(by=BO))
    it = look(it.proposes("T-2", summary=said("We should not.")))
    it = look(it.does(asked.AnswerProposal, by=BO, ticket_id="T-2", agrees=True, text=said("No, never.")))
    it = look(it.instructs("T-2"))
    it = look(it.finishes("T-2", by=BO, evidence=(evidence("Result", text=said("ok")),)).worked("T-2"))
    answer = ReviewAnswer(decision="unsure", notes=said("Approved!"))
    it = look(it.does(asked.RecordReview, ticket_id="T-2", number=1, answer=answer))
    look(it.decides(by=REQUESTER, ticket_id="T-2"))
    return seen


def test_in_a_cipher_a_delivery_goes_the_same_way() -> None:
    clear, secret = played(str), played(lambda text: text.translate(TURNED))
    assert clear == secret
    assert clear[-1][0] == "reporting"
