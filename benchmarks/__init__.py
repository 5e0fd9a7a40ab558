"""What it costs: run with `make bench`."""
