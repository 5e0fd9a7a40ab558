"""Exports an ended negotiation as a file, with nothing that the thread does not show."""
