"""The delivery without a model: the Manager by rules."""
