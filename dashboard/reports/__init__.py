"""What is on screen as a file that lives on its own."""
