"""Lines about a version of the plan, for cards, messages and files."""
