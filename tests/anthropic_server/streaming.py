"""A message as the API streams it: each content block with its beginning, its deltas and its end."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

PIECE: Final = 40
"""Characters of a delta."""


def events(message: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield the events of a whole message, in order, as they are on the wire."""
    usage = message["usage"]
    begun = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield _event("message_start", message=begun)
    for index, block in enumerate(message["content"]):
        empty, deltas = _pieces(block)
        yield _event("content_block_start", index=index, content_block=empty)
        for delta in deltas:
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": message["stop_sequence"]}
    yield _event("message_delta", delta=ended, usage=usage)
    yield _event("message_stop")


def error(kind: str) -> bytes:
    """Return an error as it comes within a stream."""
    return _event("error", error={"type": kind, "message": "As the test wants it."})


def ping() -> bytes:
    return _event("ping")


def _pieces(block: Mapping[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The block as it begins, and what is added to it."""
    match block["type"]:
        case "text":
            return {**block, "text": ""}, [{"type": "text_delta", "text": each} for each in _cut(block["text"])]
        case "thinking":
            deltas = [{"type": "thinking_delta", "thinking": each} for each in _cut(block["thinking"])]
            signed = {"type": "signature_delta", "signature": block["signature"]}
            return {**block, "thinking": "", "signature": ""}, [*deltas, signed]
        case _:
            said = json.dumps(block["input"], ensure_ascii=False)
            deltas = [{"type": "input_json_delta", "partial_json": each} for each in _cut(said)]
            return {**block, "input": {}}, deltas


def _cut(text: str) -> list[str]:
    return [text[start : start + PIECE] for start in range(0, len(text), PIECE)]


def _event(kind: str, **data: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data}, ensure_ascii=False)}\n\n".encode()
