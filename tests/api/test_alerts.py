"""The alerting rules: at the seed's thresholds, each with what to do, and each seen ringing for what it is about.

What they look at is checked in ``test_dashboard.py``.
"""

import asyncio
import math
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from bot.api.metrics import Meter
from bot.registry import PROTOCOLS
from bot.slack.client import CallFailures, Cause
from engine.errors import StoreDamaged, StoreError, StoreFull
from engine.kernel import StreamKey, Tenant
from engine.llm.breaker import THRESHOLD, CircuitBreaker
from engine.llm.budget import Budget, Scope
from engine.llm.ledger import FailureCause
from engine.llm.pacing import Pace
from engine.llm.port import Answer, Question
from engine.negotiation.events import NegotiationFailed, ProposalFinalized
from engine.runtime.clock import JumpingClock, Monotonic
from engine.store.health import StoreHealth
from engine.store.port import StoredEvent
from tests.equipment import PROMTOOL

ALERTS: Final = Path(__file__).parents[2] / "bot" / "api" / "alerts.yml"
THRESHOLDS: Final = {
    "ModelAnswersTooSeldom": "< 0.9",
    "ModelAnswersTooSlowly": "> 10",
    "ModelIsNotAsked": "circuit_breaker_open > 0",
    "NegotiationsFail": "< 0.7",
    "TooManyReaders": "sse_active_connections > 1000",
}
"""Seed 000, section 9.2."""
MINUTES: Final = 120
BEGINS: Final = 30
"""Minutes until it goes wrong."""
HERE: Final = {"instance": "a", "job": "towow"}
A_GIGABYTE: Final = 1 << 30


def rules() -> list[dict[str, Any]]:
    [group] = yaml.safe_load(ALERTS.read_text("utf-8"))["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def test_the_seeds_thresholds_are_all_there() -> None:
    exprs = {each["alert"]: each["expr"] for each in rules()}

    assert all(exprs[name].endswith(bound) for name, bound in THRESHOLDS.items())


def test_every_rule_says_what_to_do() -> None:
    assert all({"summary", "advice"} == {*each["annotations"]} for each in rules())
    assert len({each["alert"] for each in rules()}) == len(rules())


class Guarded:
    """A model of which much is counted, and that is asked nothing."""

    def __init__(self) -> None:
        clock = JumpingClock(0)
        self.breaker, self.pace, self.budget = CircuitBreaker(clock), Pace(clock), Budget(clock)
        self.tokens: Counter[tuple[str, str]] = Counter()
        self.failures = dict.fromkeys(FailureCause, 0)

    async def answer(self, question: Question[Any]) -> Answer[Any]:
        raise NotImplementedError

    async def fail(self) -> None:
        for _ in range(THRESHOLD):
            async with self.breaker.call(Monotonic(0)) as result:
                result.failed = True


class Scraped:
    """A ToWow that Prometheus asks each minute."""

    def __init__(self) -> None:
        self.meter, self.model = Meter([each.descriptions for each in PROTOCOLS]), Guarded()
        self.meter.model(self.model)
        self.slack = CallFailures()
        self.meter.slack(self.slack.counts)
        self.free, self.is_up, self.is_connected = A_GIGABYTE, True, True
        self.rows: dict[str, int] | None = {"parked": 0}
        self.health = StoreHealth(lambda: self.free)
        self.series: dict[str, list[str]] = defaultdict(list)

    def goes_well(self) -> None:
        self.asks("answered")
        self.ends(ProposalFinalized.event_type)
        self.writes(None)
        self.meter.wrong_tokens.inc()  # of a program that nobody has told of its new token, once a minute

    def asks(self, outcome: str, seconds: float = 1.0) -> None:
        for _ in range(10):
            self.meter.count_question("negotiation/offer", outcome, seconds)

    def ends(self, how: str) -> None:
        key = StreamKey(Tenant("T"), "collab")
        self.meter.count_event(StoredEvent(key, 1, 1, how, 0, '{"reason": "no_feedback"}', None))

    def writes(self, error: StoreError | None) -> None:
        with suppress(StoreError), self.health.watching(writes=True):
            if error is not None:
                raise error

    def is_scraped(self, minute: int) -> None:
        self._note("up", HERE, float(self.is_up), minute)
        if not self.is_up:
            return
        text = self.meter.exposition(self.rows, self.health, is_connected=self.is_connected).decode()
        for family in text_string_to_metric_families(text):
            for each in family.samples:
                self._note(each.name, {**each.labels, **HERE}, each.value, minute)

    def _note(self, name: str, labels: Mapping[str, str], value: float, minute: int) -> None:
        said = ",".join(f'{key}="{each}"' for key, each in sorted(labels.items()))
        values = self.series[f"{name}{{{said}}}"]
        values += ["_"] * (minute - len(values))
        values.append("_" if math.isnan(value) else repr(value))


def left(it: Scraped, **values: Any) -> None:
    for name, value in values.items():
        setattr(it, name, value)


def counted(counts: dict[Any, int], cause: Any) -> None:
    counts[cause] += 1


WRONG: Final[Mapping[str, tuple[Callable[[Scraped], object], Mapping[str, str]]]] = {
    "ModelAnswersTooSeldom": (lambda it: it.asks("E003"), {}),
    "ModelAnswersTooSlowly": (lambda it: it.asks("answered", 25.0), {}),
    "ModelIsNotAsked": (lambda it: it.model.breaker.is_open or asyncio.run(it.model.fail()), HERE),
    "ModelKeyIsRefused": (lambda it: counted(it.model.failures, FailureCause.KEY), {}),
    "ModelBudgetIsSpent": (lambda it: counted(it.model.budget.refused, Scope.DAY), {}),
    "NegotiationsFail": (lambda it: it.ends(NegotiationFailed.event_type), {}),
    "ProcessIsDown": (lambda it: left(it, is_up=False), HERE),
    "SlackTokenIsRefused": (lambda it: counted(it.slack.counts, Cause.TOKEN), {}),
    "SlackDoesNotReachUs": (lambda it: left(it, is_connected=False), HERE),
    "DatabaseDoesNotAnswer": (lambda it: left(it, rows=None), HERE),
    "DiskIsFull": (lambda it: it.writes(StoreFull("full")), {}),
    "DatabaseIsDamaged": (lambda it: it.writes(StoreDamaged("damaged")), {}),
    "TooManyReaders": (lambda it: it.meter.readers.set(1001), HERE),
    "TokensAreGuessed": (lambda it: it.meter.wrong_tokens.inc(10), {}),
    "ThingsCouldNotBeDone": (lambda it: left(it, rows={"parked": 1}), HERE | {"kind": "parked"}),
}
"""What goes wrong each minute, and the labels with which the alert rings."""


def judged(tmp_path: Path, it: Scraped, expected: Mapping[str, list[Mapping[str, str]]], at: int) -> str:
    """Return what promtool says against these alerts; nothing where it agrees."""
    told = {each["alert"]: each for each in rules()}
    tests = [
        {
            "eval_time": f"{at}m",
            "alertname": name,
            "exp_alerts": [
                {"exp_labels": {**labels, **told[name]["labels"]}, "exp_annotations": told[name]["annotations"]}
                for labels in alerts
            ],
        }
        for name, alerts in expected.items()
    ]
    series = [{"series": name, "values": " ".join(values)} for name, values in it.series.items()]
    asked = {
        "rule_files": [str(ALERTS)],
        "evaluation_interval": "1m",
        "tests": [{"interval": "1m", "input_series": series, "alert_rule_test": tests}],
    }
    file = tmp_path / "asked.yml"
    file.write_text(yaml.safe_dump(asked), "utf-8")
    done = subprocess.run([PROMTOOL.needed(), "test", "rules", file], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


def test_every_alert_is_seen_ringing_below() -> None:
    assert [*WRONG] == [each["alert"] for each in rules()]


@pytest.mark.parametrize("name", WRONG)
def test_it_rings_once_it_goes_wrong_and_not_before(name: str, tmp_path: Path) -> None:
    """Also after a month that went well."""
    it, (goes_wrong, labels) = Scraped(), WRONG[name]
    for _ in range(1_000):
        it.goes_well()
    for minute in range(MINUTES):
        does = Scraped.goes_well if minute < BEGINS else goes_wrong
        does(it)
        it.is_scraped(minute)
    assert judged(tmp_path, it, {each: [] for each in WRONG}, BEGINS - 1) == ""
    assert judged(tmp_path, it, {name: [labels]}, MINUTES - 5) == ""


def test_a_disk_that_is_nearly_full_rings_before_anything_fails(tmp_path: Path) -> None:
    it = Scraped()
    it.free = 1_000_000
    it.is_scraped(0)
    assert judged(tmp_path, it, {"DiskIsFull": [HERE]}, 0) == ""


def test_four_hundred_wrong_tokens_in_an_instant_ring_at_the_next_look(tmp_path: Path) -> None:
    it = Scraped()
    for minute in range(20):
        if minute == 18:
            it.meter.wrong_tokens.inc(400)
        it.is_scraped(minute)
    assert judged(tmp_path, it, {"TokensAreGuessed": [{}]}, 19) == ""


def test_a_program_with_an_old_token_that_tries_six_times_a_minute_does_not_ring(tmp_path: Path) -> None:
    it = Scraped()
    for minute in range(MINUTES):
        it.meter.wrong_tokens.inc(6)
        it.is_scraped(minute)
    assert judged(tmp_path, it, {"TokensAreGuessed": []}, MINUTES - 5) == ""


def test_a_model_that_has_never_answered_rings(tmp_path: Path) -> None:
    it = Scraped()
    for minute in range(MINUTES):
        it.asks("E003")
        it.is_scraped(minute)
    assert judged(tmp_path, it, {"ModelAnswersTooSeldom": [{}]}, MINUTES - 5) == ""
