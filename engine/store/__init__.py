"""Where the truth is kept: one port, several backends, one test suite."""
