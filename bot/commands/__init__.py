"""What ``towow ...`` does: a file for each command."""
