"""The offline model with the rules of a negotiation."""
