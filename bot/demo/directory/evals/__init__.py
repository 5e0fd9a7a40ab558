"""The cases of the directory's prompt."""
