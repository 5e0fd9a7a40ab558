"""What the demo, and ``towow evals``, know of the directory."""
