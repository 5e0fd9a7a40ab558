"""The delivery over HTTP."""
