"""The App Home, and the forms in which people and settings are changed."""
