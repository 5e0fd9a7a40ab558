"""Listeners turn clicks, forms and messages into commands. A listener acknowledges only what is on disk."""
