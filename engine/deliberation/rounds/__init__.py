"""Planner and Critic argue in turn, code compares and checks what they say, and the Host decides what comes next."""
