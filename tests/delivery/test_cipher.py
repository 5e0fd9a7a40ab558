"""Written in a cipher, a delivery goes the same way: what is asked, of whom, and how each ticket stands."""

from collections.abc import Callable
from typing import Any

from engine.delivery import commands as asked
from engine.delivery.answers import PlannedTask, ReviewAnswer
from engine.delivery.terms import Brief, PersonNeed
from engine.delivery.tickets.rights import decider_of
from engine.kernel import HandedPerson

from .scenario import ANN, BO, REQUESTER, Scenario, evidence

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
