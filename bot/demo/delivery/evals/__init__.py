"""Checks answers to the prompts of deliveries whose right outcome is known."""
