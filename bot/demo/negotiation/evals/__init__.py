"""Plays demands whose right answers are known, and checks what comes of them."""
