"""Records a database in which a negotiation was killed in the middle of each phase. It was recorded once, by the code
whose rules asked and set alarms themselves, and is never written again (`test_phases_of_before`).
"""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec.structs import replace

from engine.kernel import AlarmRang, Command, StreamKey, Tenant
from engine.negotiation.answers import Assignment, Milestone, Need, Timeline
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.runtime.streams import Batch, Loaded
from engine.store.port import Store
from engine.store.sqlite import SqliteStore
from tests.negotiation.plan.test_core_seats import venue_leaves, with_reserve
from tests.negotiation.scenario import ALONE, Scenario, voting
from tests.negotiation.searches import HANDS, PHOTOS, agreed, lacking, weighed

TENANT: Final = Tenant("T_PHASES")
FILE: Final = Path(__file__).parent / "databases" / "phases.sql"
PEOPLE: Final = {"ann": "U_ANN", "bo": "U_BO"}
NEEDS: Final = (Need(need_id="need_1", what="a venue"),)


def _asked(*agents: str) -> Scenario:
    return Scenario(policy=ALONE).demand().understood().shortlisted(*agents)


def _aggregating() -> Scenario:
    """Ann has corrected her offer, so what was asked before is void and asked anew."""
    scenario = Scenario(policy=ALONE, linked={"ann": "U_ANN"}).demand().understood().shortlisted("ann", "bo")
    return scenario.offers("ann").offers("bo").corrects("U_ANN", "ann")


def _voting() -> Scenario:
    """Ann has voted while her twin was asked; Bo's twin and Cy's are asked still."""
    scenario = voting("ann", "bo", "cy", policy=Policy(second_opinion=False), linked=PEOPLE)
    return scenario.clicks("U_ANN", "ann", "negotiate", "half an hour less")


def _reminded() -> Scenario:
    """The twins have voted, half of the people's time is over, and Bo was reminded."""
    scenario = voting("ann", "bo", policy=Policy(second_opinion=False), linked=PEOPLE)
    scenario.twins({"ann": "accept", "bo": "accept"}).clicks("U_ANN", "ann", "accept")
    scenario.now = scenario.state.rounds[-1].window.people_until - 1_800_000
    return scenario.rings("remind/1")


def _opinion() -> Scenario:
    """All have voted, and the second opinion is waited for, since the negotiation would end without it."""
    scenario = Scenario(policy=ALONE, verifies=True).demand().understood(needs=NEEDS).shortlisted("ann", "bo")
    scenario.offers("ann", covers=("need_1",)).offers("bo")
    seats = (
        Assignment(agent_id="ann", role="venue", responsibility="opens the room", covers=("need_1",)),
        Assignment(agent_id="bo", role="host", responsibility="welcomes everybody"),
    )
    return scenario.drafted(assignments=seats).twins({"ann": "accept", "bo": "accept"})


def _adjusting() -> Scenario:
    """The next version is asked for, and what Ann has written is not read yet."""
    scenario = voting("ann", "cy", "dee", policy=Policy(second_opinion=False), linked={"ann": "U_ANN"})
    scenario.twins({"ann": "accept", "cy": "accept", "dee": "accept"})
    return scenario.clicks("U_ANN", "ann", "negotiate", "half an hour less").later(31).rings("close/1")


def _searching() -> Scenario:
    return weighed(lacking(agreed(), photographer=90, more_hands=80), PHOTOS, HANDS)


def _checking_in() -> Scenario:
    policy = ALONE.model_copy(update={"check_ins": True, "max_depth": 0})
    steps = (Milestone(name="booked", date="2027-03-05", agent_id="ann"), Milestone(name="told", date="2027-03-06"))
    return agreed(policy=policy, timeline=Timeline(milestones=steps))


def _failed() -> Scenario:
    return voting("ann", "bo").twins({"ann": "reject", "bo": "reject"})


PHASES: Final[dict[str, Callable[[], Scenario]]] = {
    "understanding": lambda: Scenario(policy=ALONE).demand(),
    "shortlist": lambda: Scenario(policy=ALONE).demand().understood(),
    "question": lambda: Scenario(policy=Policy()).demand().understood(question="What for?"),
    "offers": lambda: _asked("ann", "bo", "cy").offers("ann"),
    "aggregating": _aggregating,
    "voting": _voting,
    "reminded": _reminded,
    "opinion": _opinion,
    "adjusting": _adjusting,
    "substitute": lambda: venue_leaves(with_reserve(("loft", 0.9), ("hall", 0.4))),
    "gaps": agreed,
    "recursion": lambda: lacking(agreed(), photographer=90),
    "searching": _searching,
    "check-ins": _checking_in,
    "failed": _failed,
    "stopped": lambda: _asked("ann", "bo").stopped(),
}


def key_of(phase: str) -> StreamKey:
    return StreamKey(TENANT, f"collab-{phase}")


def answered_by(command: Command) -> str:
    """Return how the name of the effect begins whose outcome a command is; empty where it is none."""
    said: Any = command
    match type(command).__name__:
        case "RecordUnderstanding":
            return "understand"
        case "RecordShortlist":
            return "filter"
        case "RecordOffer":
            return f"offer/{said.agent_id}"
        case "RecordProposal":
            return "aggregate" if said.version == 1 else "adjust/"
        case "RecordFeedback":
            return f"feedback/{said.round}/{said.agent_id}"
        case "RecordGaps":
            return "gaps"
        case "RecordRecursion":
            return "recurse"
    return ""


async def write(store: Store, phase: str) -> Negotiation:
    """Commit what the commands of a phase lead to, each by itself, as the runtime does."""
    key = key_of(phase)
    loaded = Loaded(key, RULEBOOK, RULEBOOK.initial)
    for order in PHASES[phase]().orders:
        if isinstance(order, SubmitDemand):
            order = replace(order, channel_id=key.stream, demand_id=f"d-{phase}")
        begins = answered_by(order)
        outcome = next((each for each in loaded.outbox if begins and each.startswith(begins)), None)
        alarm = loaded.alarms.get(order.name) if isinstance(order, AlarmRang) else None
        batch = Batch(loaded)
        batch.take(order, RULEBOOK.decide(loaded.state, order), outcome_of=outcome, alarm=alarm)
        commit = batch.commit(None)
        assert commit is not None
        await store.commit(commit)
        loaded = batch.after
    assert isinstance(loaded.state, Negotiation)
    return loaded.state


async def record() -> None:
    with TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "phases.db")
        await store.open()
        for phase in PHASES:
            await write(store, phase)
        await store.close()
        connection = sqlite3.connect(Path(folder) / "phases.db")
        pragmas = [
            f"PRAGMA {name} = {connection.execute(f'PRAGMA {name}').fetchone()[0]};"
            for name in ("application_id", "user_version")
        ]
        lines = [line for line in connection.iterdump() if "sqlite_sequence" not in line]
        FILE.write_text("\n".join((*pragmas, *lines)) + "\n", encoding="utf-8")
        connection.close()


if __name__ == "__main__":
    asyncio.run(record())
