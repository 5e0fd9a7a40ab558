"""A collector for each test, and the environment that names it."""

from collections.abc import Iterator

import pytest

from .collector import ADDRESS, Collector, collecting


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with collecting() as collector:
        monkeypatch.setenv(ADDRESS, collector.url)
        yield collector
