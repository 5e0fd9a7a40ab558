"""What was done is reviewed, and in the end it is summed up."""
