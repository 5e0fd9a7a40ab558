"""Deliberations over HTTP."""
