"""Prompts as files."""
