"""The runtime over every store, with a protocol that has nothing to do with negotiating."""
