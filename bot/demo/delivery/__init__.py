"""What the delivery adds to the demo."""
