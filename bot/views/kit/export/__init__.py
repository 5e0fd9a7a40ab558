"""What every protocol's exported files share."""
