"""For every test: a developer's own workspace and key are out of reach; and where CI runs, nothing is skipped."""

import gc
import logging
import os
import signal
from collections.abc import Generator, Iterator

import pytest
from hypothesis import settings

from bot import logs

from .equipment import not_tested
from .postgres import PostgresServer, shared_server

# How long an example takes says how busy the machine is, and nothing about what is tested.
settings.register_profile("untimed", deadline=None, max_examples=25)
settings.register_profile("exhaustive", deadline=None, max_examples=200)
settings.load_profile("untimed")

LONGEST_GENERATED = 900
"""Seconds that a generated test may take: it ends with its examples, not by the clock. Where the clock ends it in the
middle of an example, Hypothesis says that the test is flaky."""

MADE_BETWEEN_COLLECTIONS = 10_000
"""Objects: with Python's 700, a seventh of all work is looking for garbage in what a single test makes."""

LONG = {"crash", "browser", "workspaces", "cli", "packaging"}
"""Folders of tests that start processes and wait for them."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--exhaustive", action="store_true", help="run what is exhaustive too, and generate more examples")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the profile before the first test is read: its strategies depend on it."""
    # Hardly anything that is made while tests are read becomes garbage.
    gc.disable()
    # A shell ignores interrupts for what it runs in the background, and whatever a test starts would do so too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.getoption("--exhaustive"):
        settings.load_profile("exhaustive")


@pytest.fixture(scope="session", autouse=True)
def nobody_s_own_workspace() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in [each for each in os.environ if each.startswith(("SLACK_", "TOWOW_", "ANTHROPIC_", "LLM_"))]:
            patch.delenv(name)
        # What tests start, they start often: let it be compiled once.
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        yield


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> PostgresServer:
    """One for all tests that run now, in whatever worker."""
    folder = tmp_path_factory.getbasetemp()
    return shared_server(folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder)


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The address of a database of one's own."""
    with postgres_server.schema() as url:
        yield url


@pytest.fixture(autouse=True)
def logs_as_they_are_at_first() -> Iterator[None]:
    """A command says for its whole process what is logged, and in tests it is in the process of all the others."""
    _log_as_at_first()  # a fixture of a module may have run a command
    yield
    _log_as_at_first()


def _log_as_at_first() -> None:
    root = logging.getLogger()
    root.handlers[:] = [each for each in root.handlers if not isinstance(each, logs.SparingHandler)]
    levels = {"root": logging.WARNING, **dict.fromkeys((*logs.OURS, logs.__name__), logging.NOTSET)}
    for name, level in levels.items():
        logger = root if name == "root" else logging.getLogger(name)
        if logger.level != level:  # setting it makes every logger there is forget what it logs
            logger.setLevel(level)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is exhaustive unless it is asked for, and begin early what takes long.

    What is left in the end is short then, and no worker waits for another. Marks come before ``-m`` selects by them.
    """
    exhaustive = config.getoption("--exhaustive")
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.generated)
            item.add_marker(pytest.mark.timeout(LONGEST_GENERATED))
    if not exhaustive:
        left_out = [item for item in items if item.get_closest_marker("exhaustive")]
        config.hook.pytest_deselected(items=left_out)
        without = set(left_out)
        items[:] = [item for item in items if item not in without]
    items.sort(key=lambda item: item.path.parent.name not in LONG)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in the last lines what was not tested, and how to have it tested."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = [each.longrepr[2] for each in reports if isinstance(each.longrepr, tuple)]
    if reasons:
        terminalreporter.section("not tested here")
        for line in not_tested(reasons):
            terminalreporter.write_line(line)


def pytest_collection_finish() -> None:
    """What is there now stays until the end; looking through it again and again is a tenth of all work.

    Looking through it once for garbage, of which there is hardly any, would be a tenth of reading the tests.
    """
    gc.freeze()
    gc.set_threshold(MADE_BETWEEN_COLLECTIONS)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A machine of a person may lack something; CI installs what is needed, so that there a skip hides a fault.

    Slack's published schemas are beside some checkouts only, and nobody can install them. Agents that people use come
    from their vendors, which CI may not reach: ``.ci/run`` says so in ``NO_AGENTS``.
    """
    report = yield
    excused = ["schema", *(["npm install"] if os.environ.get("NO_AGENTS") else [])]
    if report.skipped and os.environ.get("CI") == "true" and not any(each in str(report.longrepr) for each in excused):
        report.outcome = "failed"
    return report
