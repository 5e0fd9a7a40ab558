"""The same flow on other engines, each in its own process: run with `make bench-peers`."""
