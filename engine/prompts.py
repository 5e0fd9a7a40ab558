"""Reads prompts/: files that a non-programmer can edit."""
