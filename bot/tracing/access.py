"""How traces are collected, as the environment says it."""

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from bot.environment import is_address

ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
HEADERS: Final = "OTEL_EXPORTER_OTLP_HEADERS"
NAME: Final = "OTEL_SERVICE_NAME"
NEEDED: Final = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")
SERVICE: Final = "towow"


@dataclass(frozen=True, slots=True)
class TracesAccess:
    """Traces are collected at the address of the environment, which the library reads itself."""

    service: str = SERVICE
    version: str = ""
    endpoint: str = ""


def traces_access(environ: Mapping[str, str], faults: list[str]) -> TracesAccess | None:
    """Return None where no traces are collected. OpenTelemetry is not imported for that."""
    endpoint, headers = environ.get(ENDPOINT, "").strip(), environ.get(HEADERS, "").strip()
    service = environ.get(NAME, "").strip() or SERVICE
    if not all("=" in each for each in filter(None, headers.split(","))):
        faults.append(f"{HEADERS} is not made of name=value, separated by commas")
    if not endpoint:
        return None
    if not is_address(endpoint):
        faults.append(f"{ENDPOINT} is {endpoint!r}, which is no address; it looks like http://127.0.0.1:4318")
    if not all(map(_is_there, NEEDED)):
        faults.append(f"{ENDPOINT} is set, and OpenTelemetry is not installed; pip install 'towow[traces]'")
    return TracesAccess(service, _own_version(), endpoint)


def _is_there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _own_version() -> str:
    try:
        return version("towow")
    except PackageNotFoundError:
        return ""
