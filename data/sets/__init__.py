"""Where task sets come from: built-in sources, local copies, what the paper published."""
