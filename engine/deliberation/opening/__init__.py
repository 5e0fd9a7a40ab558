"""The brief is read, and the session begins."""
