"""Grafana's dashboard and the alerting rules: each query can be read, and is of what a running ToWow really counts."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import promql_parser
import pytest
import yaml

from bot.api.metrics import Meter
from bot.registry import PROTOCOLS
from engine.errors import ModelTimeout

from .api_harness import ALONE, ApiHarness
from .conftest import Begin

FOLDER: Final = Path(__file__).parents[2] / "bot" / "api"
OF_GRAFANA: Final = {"$__rate_interval": "5m", "$instance": ".*"}
OF_PROMETHEUS: Final = {"instance", "job", "le"}
"""Labels that it adds, or knows of histograms."""
UP: Final = "up"
"""Prometheus' own: whether whoever is asked has answered."""
UNSEEN: Final = {"token", "scope", "kind"}
"""Labels of what seldom happens; that it is counted is known from its type."""


class Used(NamedTuple):
    """A metric in a query, and the labels that it is asked by."""

    metric: str
    labels: frozenset[str]


def board() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((FOLDER / "dashboard.json").read_text("utf-8"))
    return read


def queries() -> Iterator[str]:
    for panel in board()["panels"]:
        for target in panel.get("targets", ()):
            query: str = target["expr"]
            for name, value in OF_GRAFANA.items():
                query = query.replace(name, value)
            yield query


def alerts() -> Iterator[str]:
    for group in yaml.safe_load((FOLDER / "alerts.yml").read_text("utf-8"))["groups"]:
        yield from (rule["expr"] for rule in group["rules"])


def used(node: Any, by: frozenset[str] = frozenset()) -> Iterator[Used]:
    """Yield each metric below a node of a parsed query."""
    match node:
        case promql_parser.VectorSelector():
            yield Used(node.name or "", by | {each.name for each in node.matchers.matchers})
        case promql_parser.MatrixSelector():
            yield from used(node.vector_selector, by)
        case promql_parser.AggregateExpr():
            yield from used(node.expr, by | {*(node.modifier.labels if node.modifier else ())})
        case promql_parser.BinaryExpr():
            yield from used(node.lhs, by)
            yield from used(node.rhs, by)
        case promql_parser.ParenExpr() | promql_parser.UnaryExpr() | promql_parser.SubqueryExpr():
            yield from used(node.expr, by)
        case promql_parser.Call():
            for each in node.args:
                yield from used(each, by)


@pytest.fixture
async def busy(begin: Begin) -> ApiHarness:
    """A ToWow that has counted a little of most things."""
    it = await begin(policy=ALONE)
    await it.ends(await it.asks())
    it.script.fails["understand"] = ModelTimeout("slow")
    await it.asks()
    return it


async def test_every_query_can_be_read_and_is_of_what_is_counted(busy: ApiHarness) -> None:
    text: str = (await busy.as_("admin").get("/metrics")).body
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))
    counted = {f"{name}_bucket" if kind == "histogram" else name for name, kind in kinds.items()}
    labels = {name: set(re.findall(r"(\w+)=", said)) for name, said in re.findall(r"^(\w+){(.*)}", text, re.MULTILINE)}

    asked = [each for query in (*queries(), *alerts()) for each in used(promql_parser.parse(query))]

    counted.add(UP)
    labels[UP] = OF_PROMETHEUS
    assert len(asked) > 40
    for metric, by in asked:
        assert metric in counted, metric
        known = labels.get(metric)
        assert by - OF_PROMETHEUS <= (known if known is not None else UNSEEN | {"outcome"}), metric


def test_everything_that_is_counted_is_shown() -> None:
    text = Meter([each.descriptions for each in PROTOCOLS]).exposition({}).decode()
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))
    shown = {each.metric.removesuffix("_bucket") for query in queries() for each in used(promql_parser.parse(query))}

    assert {name for name in kinds if not name.endswith("_created")} - shown == set()


def test_panels_have_their_own_ids_a_sentence_and_do_not_overlap() -> None:
    panels = board()["panels"]
    taken: set[tuple[int, int]] = set()
    for each in panels:
        place = each["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, each["title"]
        assert place["x"] + place["w"] <= 24
        taken |= cells
        assert each["type"] == "row" or each["description"].endswith("."), each["title"]
    assert len({each["id"] for each in panels}) == len(panels)
