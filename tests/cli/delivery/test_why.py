"""``towow why TICKET``: from a ticket to the message that somebody wrote, over all the streams between them."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bot.demo.demo import REQUESTER, DemoSettings, running_demo
from bot.listeners.deliberation import planning
from bot.listeners.delivery import beginning
from bot.protocol_row import policies
from bot.registry import PROTOCOLS
from engine.deliberation.opening.briefs import brief_of as argued_brief
from engine.deliberation.policy import PRESETS
from engine.delivery.commands import AddTicket
from engine.delivery.planning.briefs import brief_of
from engine.delivery.rules import RULEBOOK
from engine.kernel import Place, StreamKey
from tests.profiles.people import shipped

from ..conftest import MEETUP, Towow


async def carry_out(path: Path) -> dict[str, str]:
    """Argue the plan out that is there, and carry both out.

    Returns:
        the streams, by what they are.
    """
    settings = DemoSettings(shipped(), policies(PROTOCOLS)["balanced"], PROTOCOLS, path)
    async with running_demo(settings) as demo:
        services, tenant = demo.towow.services, demo.tenant
        events = await demo.towow.store.events(tenant, 0, 500)
        streams = {"agreed": next(each.key.stream for each in events if each.event_type.endswith("demand.submitted"))}
        handed = await services.gateway.hand_over(StreamKey(tenant, streams["agreed"]))
        now = services.now()
        told: dict[str, Any] = {"by": REQUESTER, "place": Place()}
        brief = argued_brief(handed, now=now, time_zone="UTC")
        argued = await planning.begin(
            services, tenant, cause="argue", brief=brief, policy=PRESETS["sequential"], **told
        )
        streams["argued"] = argued.key.stream
        await demo.settle()
        while (await demo.towow.runtime.read(argued.key))[0].is_open and await demo.skip():
            await demo.settle()
        for name in ("agreed", "argued"):
            handed = await services.gateway.hand_over(StreamKey(tenant, streams[name]))
            goes_on = brief_of(handed, now=now, time_zone="UTC")
            begun = await beginning.begin(services, tenant, cause=name, brief=goes_on, **told)
            streams[f"of {name}"] = begun.key.stream
        add = AddTicket(command_id="add", at=services.now(), by=REQUESTER, title="Thank everybody")
        await services.gateway.send(StreamKey(tenant, streams["of agreed"]), RULEBOOK, add)
        return streams


@pytest.fixture
def database(towow: Towow, tmp_path: Path) -> Path:
    path = tmp_path / "my.db"
    assert towow("ask", MEETUP, "--db", path).code == 0
    return path


def test_a_ticket_leads_to_the_message_that_somebody_wrote(towow: Towow, database: Path) -> None:
    streams = asyncio.run(carry_out(database))

    done = towow("why", f"{streams['of agreed']}/T-1", "--db", database)
    links = json.loads(towow("why", f"{streams['of argued']}/T-1", "--db", database, "--json").out)["chain"]

    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == f"{streams['of agreed']}/T-1 (delivery)"
    assert f"{streams['agreed']}/task-1 (negotiation)" in lines
    assert any("confirmed the part" in each for each in lines)
    assert lines[-1].strip() == MEETUP

    assert [each["protocol"] for each in links] == ["delivery", "deliberation", "negotiation"]
    assert [each["stream"] for each in links] == [streams["of argued"], streams["argued"], streams["agreed"]]
    assert links[1]["said"][0].startswith("task ")
    assert links[-1]["said"][-1].endswith(MEETUP)

    added = [each for each in _tickets(towow, database, streams["of agreed"]) if "added by" in each]
    assert len(added) == 1
    assert "added by U_YOU" in added[0]
    assert MEETUP not in added[0]

    several = towow("why", "T-1", "--db", database)
    assert several.code == 2
    assert "2 streams have a T-1" in several.err
    assert "has no T-99" in towow("why", f"{streams['of agreed']}/T-99", "--db", database).err


def _tickets(towow: Towow, database: Path, stream: str) -> list[str]:
    found = []
    for number in range(1, 50):
        done = towow("why", f"{stream}/T-{number}", "--db", database)
        if done.code:
            break
        found.append(done.out)
    return found


def test_one_delivery_s_ticket_needs_no_stream(towow: Towow, tmp_path: Path) -> None:
    plan, path = tmp_path / "plan.yaml", tmp_path / "one.db"
    plan.write_text("goal: Move in March\ntasks: [{task_id: a, title: Book the van}]\n", "utf-8")
    assert towow("deliver", "--plan", plan, "--json", "--db", path).code == 1

    done = towow("why", "T-1", "--db", path)

    assert done.code == 0
    assert "task a was written down by whoever asked" in done.out
    assert done.out.endswith("Move in March\n")
    assert "There is nothing called T-2" in towow("why", "T-2", "--db", path).err
