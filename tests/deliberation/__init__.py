"""What the deliberation does, rule by rule."""
