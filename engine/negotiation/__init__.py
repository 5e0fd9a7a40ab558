"""Who does what? From a demand to a proposal that everyone answered."""
