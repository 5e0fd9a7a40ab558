"""What people see while offers are made: what was answered, and what is missing."""
