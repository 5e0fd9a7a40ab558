"""What people see of a deliberation."""
