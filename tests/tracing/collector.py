"""A collector of traces at the wire: it takes OTLP over HTTP on localhost, and reads the protobuf."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

ADDRESS = "OTEL_EXPORTER_OTLP_ENDPOINT"


@dataclass(frozen=True)
class Arrived:
    """A span as it arrived."""

    name: str
    trace: str
    id: str
    parent: str
    links: tuple[str, ...]
    about: dict[str, Any]
    is_fault: bool
    service: str


@dataclass
class Collector:
    url: str
    bodies: list[bytes] = field(default_factory=list)
    """Each call, as it came."""
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def spans(self) -> list[Arrived]:
        return [span for body in self.bodies for span in _read(body)]

    def named(self, name: str) -> list[Arrived]:
        return [each for each in self.spans if each.name == name]

    def above(self, span: Arrived) -> list[Arrived]:
        """The span, what led to it, what led to that, and so on."""
        known, found = {each.id: each for each in self.spans}, [span]
        while found[-1].parent:
            found.append(known[found[-1].parent])
        return found


@contextmanager
def collecting(*, is_silent: bool = False) -> Iterator[Collector]:
    """
    Args:
        is_silent: takes every call, and answers none until the end.
    """
    released = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if is_silent:
                released.wait(60)
                return
            assert self.path == "/v1/traces"
            collector.bodies.append(body)
            collector.headers.append(dict(self.headers.items()))
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    collector = Collector(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield collector
    finally:
        released.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _read(body: bytes) -> Sequence[Arrived]:
    request = ExportTraceServiceRequest.FromString(body)
    found = []
    for resource in request.resource_spans:
        service = {each.key: each.value.string_value for each in resource.resource.attributes}["service.name"]
        for scope in resource.scope_spans:
            for span in scope.spans:
                about = {each.key: _value(each.value) for each in span.attributes}
                links = tuple(each.span_id.hex() for each in span.links)
                found.append(
                    Arrived(
                        span.name, span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex(), links, about,
                        span.status.code == 2, service,
                    )
                )  # fmt: skip
    return found


def _value(value: Any) -> Any:
    return getattr(value, value.WhichOneof("value"))
