"""The alerting rules: about what is really counted, at the seed's thresholds, each with what to do."""

import re
from pathlib import Path
from typing import Any, Final

import yaml

from bot.api.metrics import Meter
from bot.registry import PROTOCOLS

ALERTS: Final = Path(__file__).parents[2] / "bot" / "api" / "alerts.yml"
THRESHOLDS: Final = {
    "llm_call_success_rate": "< 0.9",
    "llm_call_latency_p95": "> 10",
    "circuit_breaker_open": "> 0",
    "negotiation_success_rate": "< 0.7",
    "sse_active_connections": "> 1000",
}
"""Seed 000, section 9.2."""


def rules() -> list[dict[str, Any]]:
    [group] = yaml.safe_load(ALERTS.read_text("utf-8"))["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def test_the_seeds_thresholds_are_all_there() -> None:
    exprs = [each["expr"] for each in rules()]

    assert {f"{name} {bound}" for name, bound in THRESHOLDS.items()} <= {*exprs}


def test_every_rule_is_about_something_that_is_counted() -> None:
    counted = Meter([each.descriptions for each in PROTOCOLS]).exposition({"parked": 0}).decode()

    for each in rules():
        found = re.fullmatch(r"(?:sum\(increase\()?(\w+)(\{.*\})?(?:\[1h\]\)\))? [<>] [\d.]+", each["expr"])
        assert found is not None, each["alert"]
        name, labels = found.groups()
        assert re.search(rf"^{name}{re.escape(labels) if labels else '[ {]'}", counted, re.MULTILINE), each["alert"]


def test_every_rule_says_what_to_do() -> None:
    assert all({"summary", "advice"} == {*each["annotations"]} for each in rules())
    assert len({each["alert"] for each in rules()}) == len(rules())
