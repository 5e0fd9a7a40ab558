"""What is still unknown is listed, the Reporter writes, and the plan is recorded and handed on."""
