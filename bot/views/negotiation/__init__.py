"""What people see of a negotiation: pure functions from its state to posts and forms."""
