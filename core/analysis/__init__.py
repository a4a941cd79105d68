"""What can be asked of tasks and orders beyond one curriculum."""
