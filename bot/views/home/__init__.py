"""The App Home: what one person sees of ToWow, and the forms behind its buttons."""
