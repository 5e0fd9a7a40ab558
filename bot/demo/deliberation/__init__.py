"""Deliberations in the terminal."""
