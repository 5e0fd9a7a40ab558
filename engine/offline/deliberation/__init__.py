"""What stands in for a model in a deliberation: it argues nothing, and lays what is known side by side."""
