"""What people see before anybody is asked: forms, questions, and why somebody was asked."""
