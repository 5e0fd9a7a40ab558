"""What people see of the search for what a plan lacks."""
