"""A deliberation as the JSON of seed 001: what `engine.deliberation.envelopes` describes, made of its state."""
