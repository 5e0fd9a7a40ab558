"""A version of the plan: what it says, who covers what, and what it is held against."""
