"""What is to be carried out becomes tickets: handed over, written down or planned, asked about, and changed."""
