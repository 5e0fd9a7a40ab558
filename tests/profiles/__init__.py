"""People as files."""
