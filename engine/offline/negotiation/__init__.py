"""Rules that answer a negotiation's prompts without a model."""
