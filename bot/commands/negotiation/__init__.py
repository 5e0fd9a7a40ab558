"""The commands that are about a negotiation."""
