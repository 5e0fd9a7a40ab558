"""How events are described: each protocol's by the protocol, and what nobody describes in plain words."""

import json
import logging
from typing import ClassVar, Final

import pytest

from bot import logs
from bot.api.metrics import Meter
from bot.commands.subcommand import protocol_of
from bot.descriptions import Descriptions, Ending, LogLine, Telling, by_event_type
from bot.registry import PROTOCOLS
from engine.errors import Misconfigured
from engine.kernel import Event, StreamKey, Tenant
from engine.negotiation import events as negotiation
from engine.runtime.streams import sealed
from engine.store.port import StoredEvent, Stream

from .test_logs import lines, written

KEY: Final = StreamKey(Tenant("T_ONE"), "toy-1")


class ToyBroke(Event):
    event_type: ClassVar[str] = "toy.broke"
    why: str


BROKE: Final = ToyBroke(why="it fell")
UNDESCRIBED: Final = Descriptions("toy", {ToyBroke.event_type: ToyBroke})
DESCRIBED: Final = Descriptions(
    "toy",
    {ToyBroke.event_type: ToyBroke},
    plural="toys",
    tellings=[
        Telling(
            ToyBroke,
            log=lambda _: LogLine("a toy broke", {"floor": 3}, logging.WARNING),
            ending=lambda fields: Ending(str(fields["why"]), is_success=False),
        )
    ],
    public_payload=lambda _, payload: dict(payload),
)


def stored(event: Event) -> StoredEvent:
    new = sealed(event, 1)
    return StoredEvent(KEY, 1, 1, new.event_type, new.at, new.public, new.private)


def logged(event: Event, *descriptions: Descriptions) -> list[tuple[str, str]]:
    """Level and text of each line."""
    with written() as out:
        logs.event_logger(descriptions)(KEY, [event])
    return [(each["level"], each["event"]) for each in lines(out)]


def test_every_event_of_the_negotiation_is_logged_in_words_or_is_known_to_be_too_much() -> None:
    [described] = [each.descriptions for each in PROTOCOLS if each.name == "negotiation"]

    worth_a_line: set[type[Event]] = {
        negotiation.DemandSubmitted, negotiation.FilterCompleted, negotiation.RoundStarted,
        negotiation.ProposalFinalized, negotiation.ForceFinalized, negotiation.NegotiationCancelled,
        negotiation.NegotiationFailed, negotiation.StepDegraded,
    }  # fmt: skip
    assert {each.event for each in described.tellings if each.log} == worth_a_line
    assert described.by_type.keys() == negotiation.EVENTS.keys()


@pytest.mark.parametrize("descriptions", [(), (UNDESCRIBED,)], ids=["unknown", "without words"])
def test_an_event_that_nobody_describes_gets_a_plain_line(descriptions: tuple[Descriptions, ...]) -> None:
    with written() as out:
        logs.event_logger(descriptions)(KEY, [BROKE])

    [line] = lines(out)
    assert (line["event"], line["event_type"], line["channel_id"]) == ("an event was recorded", "toy.broke", "toy-1")
    assert "fell" not in json.dumps(line)


def test_an_event_is_logged_as_its_protocol_describes_it() -> None:
    assert logged(BROKE, DESCRIBED) == [("warning", "a toy broke")]


def test_two_protocols_have_no_event_in_common() -> None:
    by_event_type(each.descriptions for each in PROTOCOLS)

    with pytest.raises(ValueError, match=r"toy\.broke"):
        by_event_type([DESCRIBED, UNDESCRIBED])


def test_every_protocol_s_endings_are_counted_under_its_own_name() -> None:
    meter = Meter([each.descriptions for each in PROTOCOLS] + [DESCRIBED])

    meter.count_event(stored(BROKE))

    told = meter.exposition({}).decode()
    assert 'towow_toys_ended_total{outcome="it fell"} 1.0' in told
    assert "toy_success_rate 0.0" in told
    assert "negotiation_success_rate NaN" in told


def test_a_stream_of_a_protocol_from_elsewhere_is_refused_by_name() -> None:
    stream = Stream(KEY, "toy", 1, (stored(BROKE),), {}, (), ())

    with pytest.raises(Misconfigured) as refused:
        protocol_of(stream, PROTOCOLS)

    assert refused.value.faults == ("toy-1 is of the protocol 'toy', which this ToWow does not know",)
