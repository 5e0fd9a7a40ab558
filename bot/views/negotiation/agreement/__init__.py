"""What people see of how it ended, and why."""
