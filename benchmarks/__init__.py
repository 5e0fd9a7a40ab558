"""What it costs: run with `make bench`; README.md says how to read it."""
