"""What a negotiation tells programs: one JSON for HTTP, files, the terminal and decision records."""
