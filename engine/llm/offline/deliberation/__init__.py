"""Answers the prompts of the deliberation without a model."""
