"""What the delivery adds to ``towow``."""
