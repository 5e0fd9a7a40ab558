"""Answers the prompts of a deliberation without a model."""
