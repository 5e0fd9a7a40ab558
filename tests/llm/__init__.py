"""Claude behind the model port: the official SDK against a local server that speaks Anthropic's API."""
