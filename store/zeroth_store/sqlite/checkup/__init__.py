"""What a database is, and what is unusual or wrong in it."""
