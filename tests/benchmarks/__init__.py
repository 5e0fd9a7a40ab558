"""The yardstick keeps the same flow, and what is printed has the shape it promises."""
