"""ToWow over HTTP: seed 000's REST and SSE, health and metrics, for programs that carry a token."""
