"""What is shown of a delivery."""
