"""Who has which ticket, what each of them may do, and what follows once something has happened."""
