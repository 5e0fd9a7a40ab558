"""Runs command-line workers: what is dangerous about them, and no protocol."""
