"""The deliberation: how is it done, and what could go wrong? Planner, Critic, Host and Reporter argue a plan out."""
