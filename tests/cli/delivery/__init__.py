"""``towow deliver`` and what belongs to it."""
