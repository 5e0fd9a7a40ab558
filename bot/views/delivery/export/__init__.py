"""A delivery as a file: to read, for calendars, and for programs."""
