"""Vectors as text, for the store: a byte a number. The cosine of what is read back differs by less than a hundredth."""

import base64
import json
from typing import Any

import numpy as np

from engine.shortlist.described import DIMENSION, VECTORS


def written(digest: str, vectors: Any) -> str:
    """Return JSON with the digest of the profile and its vectors.

    Args:
        vectors: shape (`VECTORS`, `DIMENSION` of engine/shortlist/described.py).
    """
    text = base64.b64encode(shrunk(vectors).tobytes()).decode("ascii")
    return json.dumps({"digest": digest, "vectors": text})


def read(text: str) -> tuple[str, Any] | None:
    """Return the digest and the vectors, each of length one; None where it is not what is written today."""
    try:
        row = json.loads(text)
        small = np.frombuffer(base64.b64decode(row["vectors"]), dtype=np.int8).reshape(VECTORS, DIMENSION)
        digest = str(row["digest"])
    except (ValueError, KeyError, TypeError):
        return None
    return digest, lengthened(small)


def shrunk(vectors: Any) -> Any:
    """Return each row as whole numbers from -127 to 127, a byte each."""
    scale = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-9)
    return np.round(vectors / scale * 127).astype(np.int8)


def lengthened(small: Any) -> Any:
    """Return the rows with length one again."""
    vectors = small.astype(np.float32)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
