"""What follows an end: it is carried out, taken back or taken up again, and what was promised is asked after."""
