"""What people click and write about a deliberation."""
