"""Claude behind the model port: the official SDK against a local Anthropic, nothing else in between."""
