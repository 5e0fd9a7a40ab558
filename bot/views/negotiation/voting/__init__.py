"""What people see of a round: the proposal, the votes, and their own part."""
