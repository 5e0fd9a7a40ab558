"""The page of one story: what is on it as plain values, and how these are drawn as HTML and SVG."""
