"""People and their profiles over HTTP."""
