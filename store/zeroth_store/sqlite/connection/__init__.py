"""Files and connections: where a database is, how it is opened, what else happens to its file."""
