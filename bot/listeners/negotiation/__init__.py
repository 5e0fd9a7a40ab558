"""A click or a message -> a command to a negotiation."""
