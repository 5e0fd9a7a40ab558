"""The specification, as sentences."""
