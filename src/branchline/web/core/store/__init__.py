"""What is kept: tables and migrations, the database, notifications between the processes that share it."""
