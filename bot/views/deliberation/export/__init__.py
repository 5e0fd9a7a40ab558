"""A deliberation as files."""
