"""What deliberation adds to ``towow``."""
