"""Twins and people offer what they bring, or say why not, until there is enough for a first version."""
