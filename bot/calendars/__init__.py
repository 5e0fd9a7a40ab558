"""When people are busy, out of calendars whose address or file they have given themselves."""
