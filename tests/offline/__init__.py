"""The model that is made of rules."""
