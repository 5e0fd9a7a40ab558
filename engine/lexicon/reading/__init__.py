"""Reads when, where, for how many people, how many things and for how much, in Chinese and English texts."""
