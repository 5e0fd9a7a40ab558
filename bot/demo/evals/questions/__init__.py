"""Puts single questions to a model, each with its prompt, and checks the answers in code."""
