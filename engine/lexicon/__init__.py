"""Finds the language and the topics of texts in Chinese and English, and the people who fit them."""
