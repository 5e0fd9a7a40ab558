"""Load, decide, commit, run effects: the only shell around the rules."""
