"""Everybody votes on a version, round by round, and says what should change."""
