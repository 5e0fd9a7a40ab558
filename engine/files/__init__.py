"""Reads the files that come with the code: profiles, and YAML with the location of each value."""
