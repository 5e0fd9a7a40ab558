"""The delivery, from the rules to the thread."""
