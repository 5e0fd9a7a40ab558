"""The local workspace, as the real Bolt app and the official SDK see it."""
