"""Negotiations over HTTP."""
