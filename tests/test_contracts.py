"""Each contract of pyproject.toml is broken by an import that it forbids, so that none is kept for want of a reader."""

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import grimp
import pytest
from importlinter.application.use_cases import read_user_options
from importlinter.configuration import configure
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.protected import ProtectedContract

from bot.registry import DIRECTORY, PROTOCOLS

PYPROJECT: Final = Path(__file__).parents[1] / "pyproject.toml"
MOST_IGNORED: Final = 20

PLANTED: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "The engine never imports the bot": (("engine.kernel.message", "bot.texts"), ("engine.store.port", "slack_sdk")),
    "Rules import nothing that touches the world": (
        ("engine.negotiation.state", "os"),
        ("engine.negotiation.voting.rounds", "engine.llm.port"),
        ("engine.deliberation.asks", "engine.llm.claude"),
        ("engine.delivery.envelopes.payloads", "engine.workers.process"),
        ("engine.directory.asks", "engine.runtime.runtime"),
        ("engine.facts.shortening", "asyncio"),
    ),
    "The data of questions and of work orders touches nothing": (
        ("engine.llm.port", "asyncio"),
        ("engine.llm.port", "engine.files.prompts"),
        ("engine.workers.port", "engine.workers.process"),
    ),
    "Rules know nothing of how models are asked": (("engine.delivery.outstanding", "engine.delivery.asks"),),
    "How models are asked and workers are run knows no protocol": (("engine.llm.asker", "engine.negotiation.terms"),),
    "Only the wiring knows the stand-in, where words of a language are read": (("bot.app", "engine.offline"),),
    "The table of protocols is handed down: only what starts a process imports it": (
        ("bot.app", "bot.registry"),
        ("bot.commands.run", "bot.registry"),
        ("bot.protocol_row", "bot.registry"),
    ),
    "Data that is compared knows nothing but the kernel": (("engine.facts.shortening", "engine.llm.port"),),
    "When people are free is reckoned out of data alone": (
        ("engine.times.feasible", "engine.directory.profile"),
        ("engine.times.clocks", "engine.llm.port"),
    ),
    "What views share knows no protocol": (("bot.views.kit.notices", "engine.delivery.state"),),
    "The local workspace knows neither the bot nor the engine": (
        ("bot.local_slack.workspace", "bot.texts"),
        ("bot.local_slack.model", "engine.kernel"),
    ),
    "Views are pure": (("bot.views.negotiation.root", "bot.listeners.gateway"),),
    "Slack's side does not know the HTTP interface": (("bot.posts.posts", "bot.api.server"),),
    "Only folders named after a protocol, and the rows, know it": (
        ("bot.app", "engine.negotiation.state"),
        ("bot.api.server", "bot.api.negotiation.part"),
        ("bot.views.delivery.board", "bot.views.negotiation.root"),
        ("engine.deliberation.state", "engine.negotiation.terms"),
    ),
    "Only folders named after the deliberation, and the rows, know it": (
        ("engine.negotiation.state", "engine.deliberation.terms"),
        ("bot.api.routes", "bot.api.deliberation.part"),
    ),
    "Only folders named after the delivery, and the rows, know it": (
        ("engine.negotiation.state", "engine.delivery.terms"),
        ("bot.api.routes", "bot.api.delivery.part"),
    ),
    "Protocols do not know each other; the directory, which all of them may use, knows none": (
        ("engine.directory.state", "engine.negotiation.terms"),
        ("bot.listeners.directory.directory_actions", "bot.registry"),
    ),
    "Whoever keeps posts up to date knows no protocol": (
        ("bot.posts.posts", "engine.directory.state"),
        ("bot.posts.digests", "bot.protocol_row"),
    ),
}
"""By contract: who imports what."""

CONTRACTS: Final = {"forbidden": ForbiddenContract, "protected": ProtectedContract}


@pytest.fixture(scope="module")
def options() -> Mapping[str, Mapping[str, Any]]:
    configure()
    read = read_user_options(str(PYPROJECT))
    return {each["name"]: {"session": read.session_options, "contract": each} for each in read.contracts_options}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("bot", "engine", include_external_packages=True, cache_dir=None)


@pytest.mark.parametrize(
    ("name", "importer", "imported"), [(name, *each) for name, pairs in PLANTED.items() for each in pairs]
)
def test_a_contract_catches_what_it_forbids(
    name: str,
    importer: str,
    imported: str,
    graph: grimp.ImportGraph,
    options: Mapping[str, Mapping[str, Any]],
) -> None:
    assert {importer, imported} <= graph.modules
    planted = deepcopy(graph)
    planted.add_import(importer=importer, imported=imported)
    of = options[name]
    contract = CONTRACTS[of["contract"]["type"]](name, of["session"], of["contract"])
    assert not contract.check(planted, verbose=False).kept


def test_every_contract_is_tried() -> None:
    assert PLANTED.keys() == {each["name"] for each in _contracts()}


@pytest.mark.parametrize("row", [row.name for row in PROTOCOLS if row is not DIRECTORY])
def test_every_protocol_is_kept_apart_from_the_others(row: str) -> None:
    protected = [each for each in _contracts() if f"engine.{row}" in each.get("protected_modules", [])]
    assert [len(protected), f"bot.*.{row}" in protected[0]["protected_modules"]] == [1, True]


@pytest.mark.parametrize("row", [row.name for row in PROTOCOLS if row is not DIRECTORY])
def test_a_contract_that_names_a_protocol_names_them_all(row: str) -> None:
    for contract in _contracts():
        for key in ("source_modules", "forbidden_modules"):
            named = contract.get(key, [])
            expected = {each.replace("negotiation", row) for each in named if each.split(".")[-1] == "negotiation"}
            assert expected <= set(named), f"{contract['name']}: {key}"


def test_contracts_ignore_next_to_no_imports(graph: grimp.ImportGraph) -> None:
    ignored = [
        found
        for each in _contracts()
        for expression in each.get("ignore_imports", [])
        for found in graph.find_matching_direct_imports(expression)
    ]
    assert len(ignored) <= MOST_IGNORED


def _contracts() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(PYPROJECT.read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    return found
