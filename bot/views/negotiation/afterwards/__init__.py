"""What people see after an end: it goes ahead, is taken back, taken up again, or asked after."""
