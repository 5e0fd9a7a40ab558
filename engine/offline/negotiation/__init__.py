"""Rules that answer a negotiation's prompts without a model. They match words and meanings, and judge nothing."""
