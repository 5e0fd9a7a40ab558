"""A siege of the running product: people click while processes are killed and both wires fail; then all is counted."""
